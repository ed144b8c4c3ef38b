import type { RunStep } from '../../../contract/runs.ts'
import { stepKeys } from '../../../language/task/step-keys.ts'
import type { TaskDocument } from '../../../language/task/kinds/task-document.types.ts'
import type { TaskSource } from '../../../language/task/sources/source.types.ts'
import type { TaskTarget } from '../../../language/task/targets/target.types.ts'

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

function sourceLabel(source: TaskSource): string {
  switch (source.kind) {
    case 'files':
      return `${source.format} files ${source.glob}`
    case 'inline':
      return `${source.rows.length.toLocaleString('en')} rows in the task`
    case 'sql':
      return source.read.kind === 'table' ? `table ${source.read.table}` : 'query'
    case 'http':
      return `${source.request.method} ${source.request.path}`
    case 'odata':
      return `entity set ${source.entity}`
    case 'mongo':
      return `collection ${source.collection}`
  }
}

function workLabel(task: Exclude<TaskDocument, { kind: 'pipeline' }>): string {
  switch (task.kind) {
    case 'sql': {
      const { work } = task.sql
      if (work.kind === 'create_as') return `create table ${work.table}`
      return work.statements.length === 1 ? 'one statement' : `${work.statements.length} statements`
    }
    case 'http':
      return `${task.http.request.method} ${task.http.request.path}`
    case 'script':
      return 'script'
    case 'command':
      return `command ${task.command.argv[0] ?? ''}`
  }
}

/** The steps that a run of this task will have, for showing before an executor has begun it. */
export function planOf(task: TaskDocument): RunStep[] {
  if (task.kind !== 'pipeline') return [planned(0, task.kind, workLabel(task))]
  const keys = stepKeys(task.steps)
  return [
    planned(0, 'source', sourceLabel(task.source)),
    ...keys.map((key, index) => planned(index + 1, key, key)),
    planned(task.steps.length + 1, 'target', targetLabel(task.target)),
  ]
}
