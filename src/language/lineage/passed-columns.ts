import type { PipelineTask } from '../task/kinds/task-document.types.ts'
import type { ExpectationRule, TaskStep } from '../task/steps/step.types.ts'
import { after, namesIn, ofSource, originsIn, type ColumnLineage } from './column-lineage.ts'

/** A column of a table that the rows go into. */
interface TableColumn {
  name: string
  text: boolean
}

export interface PassedColumns {
  /** Columns of the source, in lower case, whose values only go into columns of text. */
  passed: Set<string>
  /** The same for values that a step looks at on their way. */
  looked: Set<string>
}

/**
 * What the columns of a source are read for. A value that nothing looks at, and that goes into a column of text, needs no type. Behind a
 * step that makes rows by code (`sql`, `map`, `flatten`, `explode`) nothing is known.
 */
export function passedColumns(task: PipelineTask, table: readonly TableColumn[]): PassedColumns {
  const found: PassedColumns = { passed: new Set(), looked: new Set() }
  const lookedAt = new Set<string>()
  let flow = ofSource(null)
  for (const step of task.steps) {
    const names = namesLookedAt(step, flow)
    const next = after(step, flow, {})
    if (names === null || next === null) return found
    for (const name of names) for (const one of sourcesOf(flow, name)) lookedAt.add(one.column)
    flow = next
  }
  const others = new Set<string>()
  const into = (column: string, text: boolean): void => {
    for (const one of sourcesOf(flow, column)) {
      if (!text) others.add(one.column)
      else if (one.unchanged) (lookedAt.has(one.column) ? found.looked : found.passed).add(one.column)
    }
  }
  for (const { name, text } of table) into(name, text)
  const known = new Set(table.map(({ name }) => name.toLowerCase()))
  // It becomes a column of the table, with the type of its values.
  for (const { name } of flow.columns) if (!known.has(name.toLowerCase())) into(name, false)
  for (const one of others) {
    found.passed.delete(one)
    found.looked.delete(one)
  }
  return found
}

function sourcesOf(flow: ColumnLineage, name: string): { column: string; unchanged: boolean }[] {
  return originsIn(flow, name).flatMap(({ from, column, unchanged }) =>
    from === 'source' ? [{ column: column.toLowerCase(), unchanged }] : [],
  )
}

/** null: it looks at every column. */
function namesLookedAt(step: TaskStep, flow: ColumnLineage): readonly string[] | null {
  switch (step.kind) {
    case 'select':
    case 'drop':
    case 'rename':
      return []
    case 'filter':
      return namesIn(step.where, flow)
    case 'derive':
      return Object.values(step.columns).flatMap((sql) => namesIn(sql, flow))
    case 'cast':
      return Object.keys(step.columns)
    case 'lookup':
      return Object.keys(step.on)
    case 'dedupe':
      return step.key.length === 0 ? null : [...step.key, ...(step.order_by === null ? [] : [step.order_by])]
    case 'expect':
      return step.expectations.flatMap(({ rule }) => namesOf(rule, flow))
    case 'sql':
    case 'map':
    case 'flatten':
    case 'explode':
      return null
  }
}

function namesOf(rule: ExpectationRule, flow: ColumnLineage): readonly string[] {
  if (rule.kind === 'check') return namesIn(rule.check, flow)
  return rule.kind === 'rows' ? [] : rule.columns
}
