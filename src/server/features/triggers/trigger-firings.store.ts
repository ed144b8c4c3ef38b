import { eq } from 'drizzle-orm'
import type { QueryOf } from '../../../contract/operation.ts'
import type { listTriggerFirings } from '../../../contract/triggers.ts'
import { keysetPage } from '../../platform/keyset.ts'
import type { Store } from '../../platform/store.ts'
import { type TriggerFiringRow, type TriggerRow, triggerFirings } from './triggers.table.ts'

/** Firings of one trigger that are kept. */
const firingsKept = 1_000

export function createFiringsStore(store: Store) {
  const { sqlite } = store
  const known = sqlite.prepare<[number, string]>(
    'SELECT 1 FROM trigger_firings WHERE trigger_id = ? AND scheduled_at = ?',
  )
  const insert = sqlite.prepare<
    Omit<TriggerFiringRow, 'id' | 'message_params'> & { message_params: string | null }
  >(`INSERT INTO trigger_firings
    (trigger_id, job_id, task_key, scheduled_at, fired_at, outcome, job_run_id, message, message_params)
    VALUES (@trigger_id, @job_id, @task_key, @scheduled_at, @fired_at, @outcome, @job_run_id, @message, @message_params)
    ON CONFLICT (trigger_id, scheduled_at) DO NOTHING`)
  const prune = sqlite.prepare<
    [number, number, number]
  >(`DELETE FROM trigger_firings WHERE trigger_id = ? AND scheduled_at <=
    (SELECT scheduled_at FROM trigger_firings WHERE trigger_id = ? ORDER BY scheduled_at DESC LIMIT 1 OFFSET ?)`)
  const between = `SELECT firing.scheduled_at AS at, firing.trigger_id, firing.job_id, firing.task_key, firing.outcome,
      firing.job_run_id, firing.message, firing.message_params, triggers.enabled, jobs.name AS job_name
    FROM trigger_firings AS firing JOIN triggers ON triggers.id = firing.trigger_id JOIN jobs ON jobs.id = firing.job_id`
  const inOrder = 'ORDER BY firing.scheduled_at, firing.id LIMIT ?'
  const ofAll = sqlite.prepare<[string, string, number], FiringInSpan>(
    `${between} WHERE firing.scheduled_at >= ? AND firing.scheduled_at < ? ${inOrder}`,
  )
  const ofOneJob = sqlite.prepare<[number, string, string, number], FiringInSpan>(
    `${between} WHERE firing.job_id = ? AND firing.scheduled_at >= ? AND firing.scheduled_at < ? ${inOrder}`,
  )
  const toCome = `SELECT triggers.*, jobs.name AS job_name FROM triggers JOIN jobs ON jobs.id = triggers.job_id`
  const nextOfAll = sqlite.prepare<[string, number], WaitingTrigger>(
    `${toCome} WHERE triggers.next_fire_at < ? ORDER BY triggers.next_fire_at, triggers.id LIMIT ?`,
  )
  const nextOfOneJob = sqlite.prepare<[number, string, number], WaitingTrigger>(
    `${toCome} WHERE job_id = ? AND triggers.next_fire_at < ? ORDER BY triggers.next_fire_at, triggers.id LIMIT ?`,
  )

  return {
    has: (triggerId: number, scheduled: string) => known.get(triggerId, scheduled) !== undefined,
    /** A time that is known already stays as it is. */
    record(firings: readonly Omit<TriggerFiringRow, 'id'>[]): void {
      for (const { message_params: params, ...firing } of firings)
        insert.run({ ...firing, message_params: params && JSON.stringify(params) })
      const [first] = firings
      if (first) prune.run(first.trigger_id, first.trigger_id, firingsKept)
    },
    list(triggerId: number, query: QueryOf<typeof listTriggerFirings>) {
      const where = eq(triggerFirings.trigger_id, triggerId)
      const { id, trigger_id, job_id, scheduled_at, fired_at, outcome, job_run_id, message, message_params } =
        triggerFirings
      return keysetPage<Omit<TriggerFiringRow, 'task_key'>>({
        store,
        table: triggerFirings,
        select: { id, trigger_id, job_id, scheduled_at, fired_at, outcome, job_run_id, message, message_params },
        where,
        sort: [
          { column: scheduled_at, direction: 'desc' },
          { column: id, direction: 'desc' },
        ],
        cursor: query.cursor,
        limit: query.limit,
      })
    },
    /** What was fired in a span, oldest first. */
    between: (from: string, to: string, jobId: number | undefined, limit: number) =>
      jobId === undefined ? ofAll.all(from, to, limit) : ofOneJob.all(jobId, from, to, limit),
    /** Triggers with a firing to come before `to`, the nearest first. */
    toCome: (to: string, jobId: number | undefined, limit: number) =>
      jobId === undefined ? nextOfAll.all(to, limit) : nextOfOneJob.all(jobId, to, limit),
  }
}
export type FiringsStore = ReturnType<typeof createFiringsStore>

interface FiringInSpan extends Omit<TriggerFiringRow, 'id' | 'scheduled_at' | 'fired_at' | 'message_params'> {
  message_params: string | null
  at: string
  enabled: 0 | 1
  job_name: string
}
export type WaitingTrigger = TriggerRow & { job_name: string }
