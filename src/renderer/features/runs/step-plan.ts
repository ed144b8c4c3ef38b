import type { RunStep } from '../../../contract/runs.ts'
import type { TaskDocument } from '../../../language/task/task.types.ts'

const planned = (index: number, key: string, label: string): RunStep => ({
  index,
  key,
  label,
  status: 'pending',
  rows_in: null,
  rows_out: null,
  rows_rejected: null,
  bytes: null,
  started_at: null,
  duration_ms: null,
  columns: [],
})

function targetLabel(target: TaskDocument['target']): string {
  return target.kind === 'table' ? `${target.mode} ${target.table}` : `${target.mode} ${target.path}`
}

function sourceLabel(source: TaskDocument['source']): string {
  if (source.kind === 'files') return source.glob
  if (source.kind === 'inline') return `${source.rows.length} rows`
  return source.read.kind === 'table' ? source.read.table : 'query'
}

/** The steps that a run of this task will have, for showing before an executor has begun it. */
export function planOf(task: TaskDocument): RunStep[] {
  return [
    planned(0, 'source', `${task.source.kind}: ${sourceLabel(task.source)}`),
    ...task.steps.map((step, index) => planned(index + 1, step.kind, step.kind)),
    planned(task.steps.length + 1, 'target', targetLabel(task.target)),
  ]
}
