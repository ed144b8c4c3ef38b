import type { RunStep } from '../../contract/runs.ts'
import type { TaskStep } from '../../language/task/steps/step.types.ts'
import type { TaskTarget } from '../../language/task/targets/target.types.ts'
import { EngineError } from './errors.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

/** Counts that must agree do not: rows are missing, or there are too many, and nothing may be committed. */
export function rowsUnaccounted(reason: Message): EngineError {
  return new EngineError('ROWS_UNACCOUNTED', reason, {
    hint: runMessage('report_uncommitted'),
  })
}

/** Two counts of the same rows. Where they differ, rows were lost or doubled on the way. */
export function requireSameRows(given: number, found: number, where: string): void {
  if (given !== found) throw rowsUnaccounted(runMessage('rows_differ', { where, given, found }))
}

/** What a stage may do to the number of rows: pass on each one that it does not reject, also leave some out, or anything. */
type Effect = 'keeps' | 'narrows' | 'changes'

function effectOf(step: TaskStep): Effect {
  switch (step.kind) {
    case 'select':
    case 'rename':
    case 'drop':
    case 'cast':
    case 'derive':
    case 'flatten':
    case 'expect':
      return 'keeps'
    case 'filter':
    case 'dedupe':
      return 'narrows'
    case 'lookup':
      return step.on_missing === 'drop' ? 'narrows' : 'keeps'
    case 'sql':
    case 'map':
    case 'explode':
      return 'changes'
  }
}

interface Accounts {
  steps: readonly TaskStep[]
  target: TaskTarget
  /** The stages with the counts that were measured at each, independently of what was sent. */
  stages: readonly RunStep[]
  /** Stages whose counts are not those of the rows that were sent: they say nothing. */
  unsure: ReadonlySet<number>
  /** Rows that went to the target. */
  sent: number
}

/** Read = passed on + rejected + filtered, from the source to the target. A stage that was not measured by itself takes the count before it. */
export function requireAccounts({ steps, target, stages, unsure, sent }: Accounts): void {
  const sure = ({ index, rows_out: rows }: RunStep): number | null => (unsure.has(index) ? null : rows)
  const [source] = stages
  let rows = source ? sure(source) : null
  steps.forEach((step, index) => {
    const stage = stages[index + 1]
    if (!stage) throw new Error(`There is no stage ${index + 1}`)
    rows = passed(stage, effectOf(step), rows, sure(stage))
  })
  const last = stages.at(-1)
  // Of rows with the same key an upsert takes the last one.
  const effect = 'mode' in target && target.mode === 'upsert' ? 'narrows' : 'keeps'
  if (last) passed(last, effect, rows, sent)
}

function passed(stage: RunStep, effect: Effect, before: number | null, after: number | null): number | null {
  if (effect === 'changes' || before === null) return after
  const most = before - (stage.rows_rejected ?? 0)
  if (after === null) return effect === 'keeps' ? most : null
  if (after > most || (effect === 'keeps' && after < most)) throw misses(stage, before, after)
  return after
}

function misses(stage: RunStep, before: number, after: number): EngineError {
  const error = rowsUnaccounted(
    stage.rows_rejected
      ? runMessage('stage_lost_rows_rejecting', { before, stage: stage.key, rejected: stage.rows_rejected, after })
      : runMessage('stage_lost_rows', { before, stage: stage.key, after }),
  )
  error.stage = stage.index
  return error
}
