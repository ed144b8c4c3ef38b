// How the operations of metrics are brought to their answers.
import type { Answer } from '../support/server.ts'
import type { Stage } from './successes.ts'
import { send } from './support/send.ts'

const body = { metric: 'duration_p95', from: '2026-03-01T00:00:00Z', to: '2026-03-08T00:00:00Z', bucket: 'day' }

export const metricSuccesses = {
  listMetrics: ({ live }: Stage) => send(live.editor, 'listMetrics'),
  queryMetrics: ({ live }: Stage) =>
    send(live.editor, 'queryMetrics', { body: { ...body, timezone: 'Europe/Berlin', group_by: ['task', 'status'] } }),
  scrapeMetrics: ({ live }: Stage) => send(live.editor, 'scrapeMetrics'),
  getMetricsConfig: ({ live }: Stage) => send(live.editor, 'getMetricsConfig'),
  updateMetricsConfig: ({ live }: Stage) =>
    send(live.admin, 'updateMetricsConfig', { body: { retention_days: 500, prometheus_tasks: 100 } }),
} satisfies Record<string, (stage: Stage) => Promise<Answer>>

export const metricRefusals = {
  updateMetricsConfig: {
    CONFLICT: ({ live }: Stage) =>
      send(live.admin, 'updateMetricsConfig', { headers: { 'if-match': '"stale"' }, body: { retention_days: 1 } }),
  },
}
