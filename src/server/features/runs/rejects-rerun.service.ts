import type { RejectedInput } from '../../../contract/executor-protocol.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'
import { type Message, msg } from '../../../contract/messages.ts'
import type { RejectsRerun, RejectsStart, RerunRow } from '../../../contract/rejects-rerun.ts'
import type { RunStep } from '../../../contract/runs.ts'
import type { PipelineTask } from '../../../language/task/kinds/task-document.types.ts'
import { conflict, invalid, invalidState } from '../../platform/refusal.ts'
import type { Store } from '../../platform/store.ts'
import { fixedLine, fixedValues } from './rejected-rows.rules.ts'
import { type RejectsPlace, placeOf, runRefusal, startRefusal } from './rejects-rerun.rules.ts'
import { type KeptReject, createRejectsRerunStore } from './rejects-rerun.store.ts'
import type { Definition } from './run-definitions.ts'
import type { RunRow } from './runs.table.ts'

/** They go to an executor in one piece. */
const mostBytes = 16 * 1_048_576
const mostDetails = 100

interface TakenRow {
  id: number
  row: string
}

const asReason = ({ message, ...coded }: Message) => ({ reason: message, ...coded })
const startOf = ({ form, step }: Pick<KeptReject, 'form' | 'step'>) => (form === 'line' ? 'source' : step)

/** Runs that read what another one has rejected. In transactions of the caller's. */
export function createRejectsRerun(store: Store) {
  const rejects = createRejectsRerunStore(store)

  function taskOf({ document }: Definition): PipelineTask {
    if (!document) invalidState(msg('task_version_has_errors'))
    // Only pipelines reject rows.
    return document as PipelineTask
  }

  function needFree(taken: readonly number[]): void {
    const [run] = taken
    if (run !== undefined) conflict(msg('rejects_rerun_already', { count: taken.length, run }))
  }

  function needSmall(rows: readonly TakenRow[]): void {
    const bytes = rows.reduce((sum, { row }) => sum + row.length, 0)
    if (bytes > mostBytes) invalid([{ path: 'body.rows', ...msg('rerun_too_large', { bytes, most: mostBytes }) }])
  }

  return {
    /** What can be rerun of a run, from where, and what was. */
    describe(run: RunRow, definition: Definition | undefined, steps: readonly RunStep[]): RejectsRerun {
      const counts = rejects.counts(run.id)
      const task = definition?.document?.kind === 'pipeline' ? definition.document : null
      const refused = task ? runRefusal(task, run) : msg('task_version_has_errors')
      const starts = counts.flatMap(({ form, step, rows, open }): RejectsStart[] => {
        if (form === null) return []
        const place = placeOf(steps, step)
        const reason = task && startRefusal(task, place, step)
        const csv = form === 'line' && task?.source.kind === 'files' ? task.source.csv : null
        return [
          {
            step,
            form,
            columns: place.columns[Math.max(0, place.stage - 1)] ?? [],
            ...(csv && { csv: dialectOf(csv) }),
            rows,
            open,
            ...(reason && { refused: asReason(reason) }),
          },
        ]
      })
      return {
        starts,
        unreadable: counts.reduce((sum, { form, rows }) => sum + (form === null ? rows : 0), 0),
        ...(refused && counts.length > 0 && { refused: asReason(refused) }),
        reruns: rejects.reruns(run.id).map(({ id, status, rows, reject_count, committed_at, commit_permit }) => ({
          run_id: id,
          status,
          rows,
          rejected: reject_count ?? 0,
          counts: !['failed', 'cancelled'].includes(status) || committed_at !== null || commit_permit !== null,
        })),
      }
    },

    /** The rows that are asked for, as they are read once more. Refuses what can't be, and what another run has. */
    choose(
      run: RunRow,
      definition: Definition,
      steps: readonly RunStep[],
      asked: readonly RerunRow[],
    ): { place: RejectsPlace; rows: TakenRow[] } {
      const task = taskOf(definition)
      const refused = runRefusal(task, run)
      if (refused) invalidState(refused)
      const details: ErrorDetail[] = []
      const taken: number[] = []
      const seen = new Set<number>()
      const rows: TakenRow[] = []
      let first: string | undefined
      let place: RejectsPlace | undefined
      for (const [at, one] of asked.entries()) {
        const path = `body.rows[${at}]`
        const kept = rejects.get(run.id, one.id)
        const fault = seen.has(one.id) ? msg('reject_twice', { id: one.id }) : keptFault(run, kept, one, first)
        seen.add(one.id)
        if (fault || !kept) {
          if (fault) details.push({ path: `${path}.${partOf(fault)}`, ...fault })
          continue
        }
        if (place === undefined) {
          first = startOf(kept)
          place = placeOf(steps, first)
          const refusal = startRefusal(task, place, first)
          if (refusal) invalidState(refusal)
        }
        if (kept.taken_by !== null) taken.push(kept.taken_by)
        const columns = place.columns[Math.max(0, place.stage - 1)] ?? []
        const known = new Set(columns.map(({ name }) => name))
        if (kept.form === 'values' && Object.keys(kept.row).some((column) => !known.has(column))) {
          details.push({ path: `${path}.id`, ...msg('reject_unreadable', { id: one.id }) })
          continue
        }
        const fixed =
          kept.form === 'line' ? fixedLine(kept, one, task.source, columns) : fixedValues(kept, one, columns)
        details.push(...fixed.faults.map(({ path: below, message }) => ({ path: `${path}${below}`, ...message })))
        rows.push({ id: one.id, row: JSON.stringify(fixed.row) })
      }
      if (details.length > 0) invalid(details.slice(0, mostDetails))
      needFree(taken)
      needSmall(rows)
      if (!place) throw new Error('A request of at least one row has none')
      return { place, rows }
    },

    /** The rows of a run that was to rerun them, for another one. */
    again(run: RunRow): TakenRow[] {
      const rows = rejects.rowsOf(run.id)
      if (rows.length === 0) invalidState(msg('rerun_of_removed', { id: run.id }))
      const from = run.rejects_of ?? run.id
      needFree(rows.flatMap(({ reject_id }) => rejects.get(from, reject_id)?.taken_by ?? []))
      return rows.map(({ reject_id, row }) => ({ id: reject_id, row }))
    },

    take: rejects.take,

    input(run: RunRow): RejectedInput {
      // Both were written when the run was started.
      const { stage, columns } = JSON.parse(run.rejects_start ?? '{}') as RejectsPlace
      const rows = rejects.rowsOf(run.id).map(({ row }) => JSON.parse(row) as Record<string, unknown>)
      return { run_id: run.rejects_of ?? run.id, stage, columns, rows }
    },
  }
}

/** The part of the row that a fault is about. */
const partOf = ({ code }: Message): string =>
  code === 'reject_has_line' ? 'values' : code === 'reject_has_values' ? 'text' : 'id'

/** Why a row is none that the request can have; null: it is. */
function keptFault(
  run: RunRow,
  kept: KeptReject | undefined,
  one: RerunRow,
  first: string | undefined,
): Message | null {
  const { id } = one
  if (!kept) return msg('not_a_reject_of_run', { run: run.id })
  if (kept.form === null) return msg('reject_unreadable', { id })
  const step = startOf(kept)
  if (first !== undefined && step !== first) return msg('reject_starts_elsewhere', { id, other: step, step: first })
  if (kept.form === 'line' && one.values !== undefined) return msg('reject_has_line', { id })
  return kept.form === 'values' && one.text !== undefined ? msg('reject_has_values', { id }) : null
}

const dialectOf = ({ delimiter, quote, escape, null_values, quoted_nulls }: NonNullable<RejectsStart['csv']>) => ({
  delimiter,
  quote,
  escape,
  null_values,
  quoted_nulls,
})
