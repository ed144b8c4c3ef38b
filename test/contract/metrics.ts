// How the operations of metrics are brought to their answers.
import type { Answer } from '../support/server.ts'
import type { Stage } from './successes.ts'
import { answered } from './queries.ts'
import { send } from './support/send.ts'
import { type ScriptedWorld, newName } from './support/worlds.ts'

const body = { metric: 'duration_p95', from: '2026-03-01T00:00:00Z', to: '2026-03-08T00:00:00Z', bucket: 'day' }

/** A query that the scripted executor answers, or fails. */
async function tried(world: ScriptedWorld, code?: 'CONNECTOR_ERROR' | 'TIMEOUT'): Promise<Answer> {
  await world.executor.claim({ slots: 0, call_slots: 0, result_slots: 4 })
  const query = { connector_id: world.files, query: 'SELECT n' }
  return answered(world, send(world.admin, 'testMetricQuery', { body: query }), code)
}

export const metricSuccesses = {
  listMetrics: ({ live }: Stage) => send(live.editor, 'listMetrics'),
  queryMetrics: ({ live }: Stage) =>
    send(live.editor, 'queryMetrics', { body: { ...body, timezone: 'Europe/Berlin', group_by: ['task', 'status'] } }),
  scrapeMetrics: ({ live }: Stage) => send(live.editor, 'scrapeMetrics'),
  getMetricsConfig: ({ live }: Stage) => send(live.editor, 'getMetricsConfig'),
  updateMetricsConfig: ({ live }: Stage) =>
    send(live.admin, 'updateMetricsConfig', { body: { retention_days: 500, prometheus_tasks: 100 } }),
  testMetricQuery: ({ scripted }: Stage) => tried(scripted),
} satisfies Record<string, (stage: Stage) => Promise<Answer>>

export const metricRefusals = {
  updateMetricsConfig: {
    CONFLICT: ({ live }: Stage) =>
      send(live.admin, 'updateMetricsConfig', { headers: { 'if-match': '"stale"' }, body: { retention_days: 1 } }),
  },
  testMetricQuery: {
    CONFLICT: async ({ live }: Stage) => {
      const config = { root: live.folder }
      const made = await send(live.admin, 'createConnector', {
        body: { name: newName('archived'), type: 'file', config },
      })
      const { id } = made.body as { id: number }
      await send(live.admin, 'archiveConnector', { params: { id } })
      return send(live.admin, 'testMetricQuery', { body: { connector_id: id, query: 'SELECT 1' } })
    },
    CONNECTOR_ERROR: ({ scripted }: Stage) => tried(scripted, 'CONNECTOR_ERROR'),
    TIMEOUT: ({ scripted }: Stage) => tried(scripted, 'TIMEOUT'),
  },
}
