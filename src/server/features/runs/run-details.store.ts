import { type SQL, and, eq, sql } from 'drizzle-orm'
import type { RejectEntry } from '../../../contract/executor-protocol.ts'
import type { RunStep } from '../../../contract/runs.ts'
import type { RunReject, RunRejectGroup } from '../../../contract/run-rejects.ts'
import type { ColumnDrift } from '../../../contract/schema-drift.ts'
import { keysetPage } from '../../platform/keyset.ts'
import type { Store } from '../../platform/store.ts'
import { type RejectReason, groupRejects, reasonKey } from './reject-groups.rules.ts'
import { isFreeAgain } from './rejects-rerun.store.ts'
import { type RunStepRow, runRejects } from './runs.table.ts'

/** Which rejected rows of a run; `like`: those rejected for the same reason as this one. */
export interface RejectFilters {
  step?: string
  like?: number
  /** Only those that a rerun reads from there on. */
  start?: string
  /** Only those that no run has rerun. */
  open?: boolean
}

const startsAt = (step: string): SQL | undefined =>
  step === 'source' ? eq(runRejects.form, 'line') : and(eq(runRejects.form, 'values'), eq(runRejects.step, step))

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)

/** Steps and rejected rows of runs. */
export function createRunDetailsStore(store: Store) {
  const { sqlite } = store
  const saveStep = sqlite.prepare<[RunStepRow]>(`
    INSERT INTO run_steps (run_id, attempt, step_index, key, label, status, rows_in, rows_out, rows_rejected, bytes,
      started_at, duration_ms, columns, changes, drift, rows_inserted, rows_updated)
    VALUES (@run_id, @attempt, @step_index, @key, @label, @status, @rows_in, @rows_out, @rows_rejected, @bytes,
      @started_at, @duration_ms, @columns, @changes, @drift, @rows_inserted, @rows_updated)
    ON CONFLICT DO UPDATE SET key = excluded.key, label = excluded.label, status = excluded.status,
      rows_in = excluded.rows_in, rows_out = excluded.rows_out, rows_rejected = excluded.rows_rejected,
      bytes = excluded.bytes, started_at = excluded.started_at, duration_ms = excluded.duration_ms,
      columns = excluded.columns, changes = excluded.changes, drift = excluded.drift,
      rows_inserted = excluded.rows_inserted, rows_updated = excluded.rows_updated`)
  const newestSteps = sqlite.prepare<[number, number], RunStepRow>(`
    SELECT * FROM run_steps WHERE run_id = ? AND attempt = (SELECT max(attempt) FROM run_steps WHERE run_id = ?)
    ORDER BY step_index`)
  const driftOfJobRun = sqlite.prepare<[number], { task_key: string; drift: string }>(`
    SELECT coalesce(r.task_key, '') AS task_key, s.drift FROM runs AS r JOIN run_steps AS s ON s.run_id = r.id AND s.attempt = r.attempt
    WHERE r.job_run_id = ? AND s.drift IS NOT NULL ORDER BY r.id, s.step_index`)
  const saveReject = sqlite.prepare<
    [number, number, string, string, string | null, string | null, string, string, string | null]
  >(
    'INSERT INTO run_rejects (run_id, attempt, step, reason, code, params, row, created_at, form) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  )
  sqlite.function('reject_reason', { deterministic: true }, (code, params, reason) =>
    reasonKey(textOf(code), textOf(params), String(reason)),
  )
  const reasonOf = 'reject_reason(code, params, reason)'
  const rejectById = sqlite.prepare<[number, number], { step: string; reason_key: string }>(
    `SELECT step, ${reasonOf} AS reason_key FROM run_rejects WHERE id = ? AND run_id = ?`,
  )
  const rejectReasons = sqlite.prepare<[number], RejectReason>(
    `SELECT id, step, code, params, reason, ${reasonOf} AS reason_key FROM run_rejects WHERE run_id = ? ORDER BY id`,
  )
  const dropRejects = sqlite.prepare<[number]>('DELETE FROM run_rejects WHERE run_id = ?')

  return {
    saveSteps(runId: number, attempt: number, steps: readonly RunStep[]): void {
      for (const { index, columns, changes, drift, rows_inserted, rows_updated, ...step } of steps) {
        saveStep.run({
          run_id: runId,
          attempt,
          step_index: index,
          ...step,
          columns: JSON.stringify(columns),
          changes: changes ? JSON.stringify(changes) : null,
          drift: drift === undefined ? null : JSON.stringify(drift),
          rows_inserted: rows_inserted ?? null,
          rows_updated: rows_updated ?? null,
        })
      }
    },
    /** The steps of the newest attempt that told any, in order. */
    steps: (runId: number): RunStep[] =>
      newestSteps.all(runId, runId).map((row) => ({
        index: row.step_index,
        key: row.key,
        label: row.label,
        // This, the columns, the changes and the drift were written by saveSteps.
        status: row.status as RunStep['status'],
        rows_in: row.rows_in,
        rows_out: row.rows_out,
        rows_rejected: row.rows_rejected,
        ...(row.rows_inserted === null ? {} : { rows_inserted: row.rows_inserted }),
        ...(row.rows_updated === null ? {} : { rows_updated: row.rows_updated }),
        bytes: row.bytes,
        started_at: row.started_at,
        duration_ms: row.duration_ms,
        columns: JSON.parse(row.columns) as RunStep['columns'],
        ...(row.changes === null ? {} : { changes: JSON.parse(row.changes) as NonNullable<RunStep['changes']> }),
        ...(row.drift === null ? {} : { drift: JSON.parse(row.drift) as ColumnDrift[] }),
      })),
    /** What the runs of a job run found to differ between rows and tables, in their last attempts. */
    driftOf: (jobRunId: number): { task_key: string; drift: ColumnDrift[] }[] =>
      driftOfJobRun
        .all(jobRunId)
        .map(({ task_key, drift }) => ({ task_key, drift: JSON.parse(drift) as ColumnDrift[] })), // as above

    saveRejects(runId: number, attempt: number, rejects: readonly RejectEntry[], at: string): void {
      for (const { step, reason, code = null, params, row, form = null } of rejects)
        saveReject.run(
          runId,
          attempt,
          step,
          reason,
          code,
          params ? JSON.stringify(params) : null,
          JSON.stringify(row),
          at,
          form,
        )
    },
    dropRejects: (runId: number) => void dropRejects.run(runId),
    /** Grouped by step and reason. At most 10,000 rows of a run are kept. */
    rejectGroups: (runId: number): RunRejectGroup[] => groupRejects(rejectReasons.iterate(runId)),
    hasReject: (runId: number, id: number) => rejectById.get(id, runId) !== undefined,
    rejects(runId: number, query: RejectFilters & { cursor?: string; limit?: number }) {
      const alike = query.like === undefined ? undefined : rejectById.get(query.like, runId)
      const where: SQL | undefined = and(
        eq(runRejects.run_id, runId),
        query.step === undefined ? undefined : eq(runRejects.step, query.step),
        query.start === undefined ? undefined : startsAt(query.start),
        query.open === true ? sql`(rerun_by IS NULL OR ${sql.raw(isFreeAgain)})` : undefined,
        alike && eq(runRejects.step, alike.step),
        alike && sql`reject_reason(code, params, reason) = ${alike.reason_key}`,
      )
      return keysetPage<RunReject>({
        store,
        table: runRejects,
        where,
        sort: [{ column: runRejects.id, direction: 'asc' }],
        cursor: query.cursor,
        limit: query.limit,
        select: {
          id: runRejects.id,
          step: runRejects.step,
          reason: runRejects.reason,
          code: runRejects.code,
          params: runRejects.params,
          row: runRejects.row,
          form: runRejects.form,
          rerun_by: runRejects.rerun_by,
          attempt: runRejects.attempt,
          created_at: runRejects.created_at,
        },
      })
    },
  }
}
export type RunDetailsStore = ReturnType<typeof createRunDetailsStore>
