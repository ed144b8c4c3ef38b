import type { Message } from '../message.ts'
import { msg } from '../messages.ts'
import { shortened } from '../shortened.ts'
import type { TaskDocument } from './kinds/task-document.types.ts'
import type { TaskSource } from './sources/source.types.ts'
import type { Stage } from './stage.types.ts'
import { stepKeys } from './step-keys.ts'
import type { TaskStep } from './steps/step.types.ts'
import type { TaskTarget } from './targets/target.types.ts'

/** A pipeline's source, steps and target; other kinds are one stage. */
export function stagesOf(task: TaskDocument): Stage[] {
  if (task.kind !== 'pipeline') return [{ key: task.kind, label: workLabel(task) }]
  const keys = stepKeys(task.steps)
  return [
    { key: 'source', label: sourceLabel(task.source) },
    ...task.steps.map((step, index) => ({ key: keys[index] ?? step.kind, label: stepLabel(step) })),
    { key: 'target', label: targetLabel(task.target) },
  ]
}

const longest = 180

const oneLine = (sql: string): string => shortened(sql.replaceAll(/\s+/g, ' ').trim(), longest)
const listed = (names: readonly string[]): string => shortened(names.join(', '), longest)
const request = (method: string, path: string): Message =>
  msg('label_request', { method, path: shortened(path, longest) })

function sourceLabel(source: TaskSource): Message {
  switch (source.kind) {
    case 'files':
      return msg('label_files', { file_format: source.format, glob: shortened(source.glob, longest) })
    case 'inline':
      return source.rows.length === 1 ? msg('label_one_row') : msg('label_rows', { count: source.rows.length })
    case 'sql':
      return source.read.kind === 'table'
        ? msg('label_table', { table: source.read.table })
        : msg('label_query', { sql: oneLine(source.read.query) })
    case 'http':
      return request(source.request.method, source.request.path)
    case 'odata':
      return msg('label_entity_set', { entity: source.entity })
    case 'mongo':
      return msg('label_read_collection', { kind: source.read.kind, collection: source.collection })
  }
}

function stepLabel(step: TaskStep): Message {
  const { kind } = step
  const of = (detail: string): Message => msg('label_step', { kind, detail })
  switch (step.kind) {
    case 'select':
    case 'drop':
      return of(listed(step.columns))
    case 'rename':
      return of(listed(Object.entries(step.columns).map(([from, to]) => `${from} → ${to}`)))
    case 'cast':
      return of(listed(Object.entries(step.columns).map(([column, type]) => `${column} as ${type}`)))
    case 'filter':
      return of(oneLine(step.where))
    case 'derive':
      return of(listed(Object.keys(step.columns)))
    case 'sql':
      return of(oneLine(step.query))
    case 'expect':
      return of(listed(step.expectations.map((expectation) => expectation.name)))
    case 'map':
      return of(oneLine(step.expression))
    case 'flatten':
      return step.columns === null ? msg('label_step_alone', { kind }) : of(listed(step.columns))
    case 'explode':
      return of(step.column)
    case 'lookup':
      return msg('label_lookup', { input: step.input, columns: listed(Object.keys(step.on)) })
    case 'dedupe':
      return step.key.length === 0
        ? msg('label_step_alone', { kind })
        : msg('label_dedupe', { columns: listed(step.key) })
  }
}

function workLabel(task: Exclude<TaskDocument, { kind: 'pipeline' }>): Message {
  switch (task.kind) {
    case 'sql': {
      const { work } = task.sql
      if (work.kind === 'create_as') return msg('label_create_table', { table: work.table })
      return work.statements.length === 1
        ? msg('label_statement', { sql: oneLine(work.statements[0] ?? '') })
        : msg('label_statements', { count: work.statements.length })
    }
    case 'http':
      return request(task.http.request.method, task.http.request.path)
    case 'script':
      return msg('label_script')
    case 'command':
      return msg('label_command', { program: shortened(task.command.argv[0] ?? '', longest) })
  }
}

function targetLabel(target: TaskTarget): Message {
  switch (target.kind) {
    case 'table':
      return msg('label_write_table', { mode: target.mode, table: target.table })
    case 'collection':
      return msg('label_write_collection', { mode: target.mode, collection: target.collection })
    case 'file':
      return msg('label_write_file', { file_format: target.format, path: shortened(target.path, longest) })
    case 'http':
      return request(target.method, target.path)
  }
}
