import { shortened } from '../../language/shortened.ts'
import type { Column } from '../../contract/common.ts'
import type { ValueChange } from '../../contract/value-change.ts'
import type { RunStep } from '../../contract/runs.ts'
import type { ColumnDrift } from '../../contract/schema-drift.ts'
import { stepKeys } from '../../language/task/step-keys.ts'
import type { TaskDocument } from '../../language/task/kinds/task-document.types.ts'
import type { TaskSource } from '../../language/task/sources/source.types.ts'
import type { TaskStep } from '../../language/task/steps/step.types.ts'
import type { TaskTarget } from '../../language/task/targets/target.types.ts'
import { plainColumn } from './column-origin.ts'
import type { TargetResult } from './lane.types.ts'

/** The run's stages as people see them; the lane writes into them as it learns. */
export interface StepReport {
  readonly steps: RunStep[]
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
  /** Nothing was begun, and nothing will be. */
  skip(): void
}

export function createStepReport(task: TaskDocument, now: () => number = Date.now): StepReport {
  const steps = stagesOf(task)
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
    skip() {
      for (const step of steps) step.status = 'skipped'
    },
  }
}

/** A pipeline's source, steps and target; other kinds are one step. */
function stagesOf(task: TaskDocument): RunStep[] {
  if (task.kind !== 'pipeline') return [makeStep(0, task.kind, taskLabel(task))]
  const keys = stepKeys(task.steps)
  return [
    makeStep(0, 'source', sourceLabel(task.source)),
    ...task.steps.map((step, index) => makeStep(index + 1, keys[index] ?? step.kind, stepLabel(step))),
    makeStep(task.steps.length + 1, 'target', targetLabel(task.target)),
  ]
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

function makeStep(index: number, key: string, label: string): RunStep {
  return {
    index,
    key,
    label: shortened(label, 200),
    status: 'pending',
    rows_in: null,
    rows_out: null,
    rows_rejected: null,
    bytes: null,
    started_at: null,
    duration_ms: null,
    columns: [],
  }
}

function sourceLabel(source: TaskSource): string {
  switch (source.kind) {
    case 'files':
      return `${source.format} files ${source.glob}`
    case 'inline':
      return `${source.rows.length.toLocaleString('en')} rows in the task`
    case 'sql':
      return source.read.kind === 'table' ? `table ${source.read.table}` : `query ${oneLine(source.read.query)}`
    case 'http':
      return `${source.request.method} ${source.request.path}`
    case 'odata':
      return `entity set ${source.entity}`
    case 'mongo':
      return `${source.read.kind} in collection ${source.collection}`
  }
}

export function stepLabel(step: TaskStep): string {
  switch (step.kind) {
    case 'select':
    case 'drop':
      return `${step.kind} ${step.columns.join(', ')}`
    case 'rename':
      return `rename ${Object.entries(step.columns)
        .map(([from, to]) => `${from} → ${to}`)
        .join(', ')}`
    case 'cast':
      return `cast ${Object.entries(step.columns)
        .map(([column, type]) => `${column} as ${type}`)
        .join(', ')}`
    case 'filter':
      return `filter ${oneLine(step.where)}`
    case 'derive':
      return `derive ${Object.keys(step.columns).join(', ')}`
    case 'sql':
      return `sql ${oneLine(step.query)}`
    case 'expect':
      return `expect ${step.expectations.map((expectation) => expectation.name).join(', ')}`
    case 'map':
      return `map ${oneLine(step.expression)}`
    case 'flatten':
      return step.columns === null ? 'flatten' : `flatten ${step.columns.join(', ')}`
    case 'explode':
      return `explode ${step.column}`
    case 'lookup':
      return `lookup in ${step.input} by ${Object.keys(step.on).join(', ')}`
    case 'dedupe':
      return step.key.length === 0 ? 'dedupe' : `dedupe by ${step.key.join(', ')}`
  }
}

export { sourceLabel }

export function taskLabel(task: Exclude<TaskDocument, { kind: 'pipeline' }>): string {
  switch (task.kind) {
    case 'sql': {
      const { work } = task.sql
      if (work.kind === 'create_as') return `create table ${work.table}`
      return work.statements.length === 1 ? oneLine(work.statements[0] ?? '') : `${work.statements.length} statements`
    }
    case 'http':
      return `${task.http.request.method} ${task.http.request.path}`
    case 'script':
      return 'script'
    case 'command':
      return `command ${task.command.argv[0] ?? ''}`
  }
}

function targetLabel(target: TaskTarget): string {
  switch (target.kind) {
    case 'table':
      return `${target.mode} table ${target.table}`
    case 'collection':
      return `${target.mode} collection ${target.collection}`
    case 'file':
      return `${target.format} file ${target.path}`
    case 'http':
      return `${target.method} ${target.path}`
  }
}

function oneLine(sql: string): string {
  return sql.replace(/\s+/g, ' ').trim()
}
