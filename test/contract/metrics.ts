// How the operations of metrics are brought to their answers.
import type { Answer } from '../support/server.ts'
import type { Stage } from './successes.ts'
import { send } from './support/send.ts'

const body = { metric: 'duration_p95', from: '2026-03-01T00:00:00Z', to: '2026-03-08T00:00:00Z', bucket: 'day' }

export const metricSuccesses = {
  listMetrics: ({ live }: Stage) => send(live.editor, 'listMetrics'),
  queryMetrics: ({ live }: Stage) =>
    send(live.editor, 'queryMetrics', { body: { ...body, timezone: 'Europe/Berlin', group_by: ['task', 'status'] } }),
} satisfies Record<string, (stage: Stage) => Promise<Answer>>
