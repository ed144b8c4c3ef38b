import { plannedSteps } from '../../contract/planned-steps.ts'
import type { Column } from '../../contract/common.ts'
import type { ValueChange } from '../../contract/value-change.ts'
import type { RunStep } from '../../contract/runs.ts'
import type { ColumnDrift } from '../../contract/schema-drift.ts'
import type { TaskDocument } from '../../language/task/kinds/task-document.types.ts'
import { stagesOf } from '../../language/task/stages.ts'
import { plainColumn } from './column-origin.ts'
import type { TargetResult } from './lane.types.ts'

/** The run's stages as people see them; the lane writes into them as it learns. */
export interface StepReport {
  readonly steps: RunStep[]
  /** As if nothing had been begun. */
  restart(): void
  begin(stage: number): void
  columns(stage: number, columns: readonly Column[]): void
  /** Rows after a stage; what enters the next one follows from it. */
  count(stage: number, rows: number): void
  rejected(stage: number, rows: number): void
  warned(stage: number): void
  /** Where the rows and the table that they go into differ. */
  drift(stage: number, found: readonly ColumnDrift[]): void
  changed(stage: number, changes: readonly ValueChange[]): void
  /** What a target says that it did. */
  wrote(stage: number, result: TargetResult): void
  /** Everything begun and not finished up to this stage is done. */
  finish(upTo: number): void
  fail(stage: number): void
  /** Nothing up to this stage was begun, and nothing will be; without one: nothing at all. */
  skip(upTo?: number): void
}

export function createStepReport(task: TaskDocument, now: () => number = Date.now): StepReport {
  const steps = plannedSteps(stagesOf(task))
  const began = new Map<number, number>()
  const warned = new Set<number>()
  const at = (stage: number): RunStep => {
    const step = steps[stage]
    if (!step) throw new Error(`There is no stage ${stage}`)
    return step
  }
  const ended = (step: RunStep): void => {
    step.duration_ms ??= Math.round(now() - (began.get(step.index) ?? now()))
  }
  return {
    steps,
    restart() {
      steps.splice(0, steps.length, ...plannedSteps(stagesOf(task)))
      began.clear()
      warned.clear()
    },
    begin(stage) {
      const step = at(stage)
      if (step.status !== 'pending') return
      step.status = 'running'
      began.set(stage, now())
      step.started_at = new Date(now()).toISOString()
    },
    columns(stage, columns) {
      at(stage).columns = columns.map(plainColumn)
    },
    count(stage, rows) {
      at(stage).rows_out = rows
    },
    rejected(stage, rows) {
      const step = at(stage)
      step.rows_rejected = (step.rows_rejected ?? 0) + rows
    },
    warned: (stage) => void warned.add(stage),
    drift(stage, found) {
      if (found.length > 0) at(stage).drift = [...found]
    },
    changed(stage, changes) {
      const step = at(stage)
      step.changes = [...(step.changes ?? []), ...changes]
    },
    wrote(stage, { bytes, changed, inserted }) {
      const step = at(stage)
      if (bytes !== null) step.bytes = bytes
      if (inserted !== undefined) Object.assign(step, { rows_inserted: inserted, rows_updated: changed - inserted })
    },
    finish(upTo) {
      for (const step of steps.slice(0, upTo + 1)) {
        if (step.status === 'running') {
          ended(step)
          step.status = (step.rows_rejected ?? 0) > 0 || warned.has(step.index) ? 'completed' : 'success'
        }
      }
      fillCounts(steps, upTo)
    },
    fail(stage) {
      // What came before the failed stage may have run together with it: its counts stay open, but it did not fail.
      for (const step of steps) {
        if (step.index === stage) step.status = 'failed'
        else if (step.status === 'running' || step.status === 'pending')
          step.status = step.index < stage ? 'success' : 'skipped'
        if (step.index <= stage && began.has(step.index)) ended(step)
      }
    },
    skip(upTo = steps.length - 1) {
      for (const step of steps.slice(0, upTo + 1)) step.status = 'skipped'
    },
  }
}

/** Steps that keep their rows give as many as enter; each stage gets what the one before it gave. */
function fillCounts(steps: RunStep[], upTo: number): void {
  for (const step of steps.slice(0, upTo + 1)) {
    const before = steps[step.index - 1]
    if (before) step.rows_in = before.rows_out
    step.rows_rejected ??= 0
    if (step.rows_out === null && step.rows_in !== null) step.rows_out = step.rows_in - step.rows_rejected
    if (step.index === 0 && step.rows_out !== null) step.rows_in = step.rows_out + step.rows_rejected
  }
}
