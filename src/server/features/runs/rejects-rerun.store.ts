import type { RunStatus } from '../../../contract/runs.ts'
import type { RejectForm } from '../../../contract/run-rejects.ts'
import type { Store } from '../../platform/store.ts'
import type { CommitPermit } from './runs.table.ts'

/**
 * Of a rejected row: the run that was to read it has written nothing. Asked run by run: a list of all such runs would be made for each
 * of thousands of rows.
 */
export const isFreeAgain = `EXISTS (SELECT 1 FROM runs WHERE id = run_rejects.rerun_by AND status IN ('failed', 'cancelled')
  AND committed_at IS NULL AND commit_permit IS NULL)`

export interface KeptReject {
  id: number
  step: string
  form: RejectForm | null
  row: Record<string, unknown>
  /** The run that reads it or has read it; null: it can be rerun. */
  taken_by: number | null
}

interface StartCount {
  step: string
  form: RejectForm | null
  rows: number
  open: number
}

interface RerunOf {
  id: number
  status: RunStatus
  reject_count: number | null
  rows: number
  committed_at: string | null
  commit_permit: CommitPermit | null
}

const takenBy = `CASE WHEN NOT ${isFreeAgain} THEN rerun_by END`

/** Rejected rows that other runs read. */
export function createRejectsRerunStore({ sqlite }: Store) {
  const counts = sqlite.prepare<[number], StartCount>(`
    SELECT CASE form WHEN 'line' THEN 'source' ELSE step END AS step, form, count(*) AS rows,
      count(*) FILTER (WHERE ${takenBy} IS NULL) AS open
    FROM run_rejects WHERE run_id = ? GROUP BY 1, 2 ORDER BY min(id)`)
  const reject = sqlite.prepare<[number, number], Omit<KeptReject, 'row'> & { row: string }>(
    `SELECT id, step, form, row, ${takenBy} AS taken_by FROM run_rejects WHERE id = ? AND run_id = ?`,
  )
  const take = sqlite.prepare<[number, number]>('UPDATE run_rejects SET rerun_by = ? WHERE id = ?')
  const keep = sqlite.prepare<[number, number, string]>(
    'INSERT INTO run_rerun_rows (run_id, reject_id, row) VALUES (?, ?, ?)',
  )
  const rowsOf = sqlite.prepare<[number], { reject_id: number; row: string }>(
    'SELECT reject_id, row FROM run_rerun_rows WHERE run_id = ? ORDER BY reject_id',
  )
  const reruns = sqlite.prepare<[number], RerunOf>(`
    SELECT id, status, reject_count, committed_at, commit_permit,
      coalesce(json_extract(rejects_start, '$.rows'), 0) AS rows
    FROM runs WHERE rejects_of = ? ORDER BY id DESC LIMIT 100`)

  return {
    counts: (runId: number): StartCount[] => counts.all(runId),
    get(runId: number, id: number): KeptReject | undefined {
      const found = reject.get(id, runId)
      // Written by saveRejects.
      return found && { ...found, row: JSON.parse(found.row) as Record<string, unknown> }
    },
    /** From now on the run has these rows, and no other one. */
    take(runId: number, rows: readonly { id: number; row: string }[]): void {
      for (const { id, row } of rows) {
        take.run(runId, id)
        keep.run(runId, id, row)
      }
    },
    rowsOf: (runId: number) => rowsOf.all(runId),
    reruns: (runId: number): RerunOf[] => reruns.all(runId),
  }
}
