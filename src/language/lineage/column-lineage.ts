import { scanSql } from '../sql/scan-sql.ts'
import { sameColumn } from '../task/column-types.ts'
import type { KnownColumns } from '../task/definitions.ts'
import type { PipelineTask } from '../task/kinds/task-document.types.ts'
import type { TaskStep } from '../task/steps/step.types.ts'

/** A column of a source that a column of the target comes from. */
export interface ColumnOrigin {
  /** `source`, or the name of one of the task's inputs. */
  from: string
  column: string
  /** false: computed from it. */
  unchanged: boolean
}

export interface ColumnLineage {
  /** By column of the target, as far as their names are known. */
  columns: { name: string; origins: ColumnOrigin[] }[]
  /** Further columns of the source arrive under their own names: which ones is known when it is read. */
  others: boolean
}

type Known = Readonly<Record<string, KnownColumns>>

/**
 * Where the columns of the target come from; null behind a step that makes rows by code (`sql`, `map`, `flatten`, `explode`). `columns`
 * are those of the source and of each input, as far as they are known.
 */
export function columnLineage(task: PipelineTask, source: KnownColumns, inputs: Known = {}): ColumnLineage | null {
  let flow = ofSource(source)
  for (const step of task.steps) {
    const next = after(step, flow, inputs)
    if (next === null) return null
    flow = next
  }
  return flow
}

/** Before the first step. */
export function ofSource(source: KnownColumns): ColumnLineage {
  return {
    columns: (source ?? []).map((name) => ({ name, origins: [{ from: 'source', column: name, unchanged: true }] })),
    others: source === null,
  }
}

export function originsIn(flow: ColumnLineage, name: string): ColumnOrigin[] {
  return (
    flow.columns.find((column) => sameColumn(column.name, name))?.origins ??
    (flow.others ? [{ from: 'source', column: name, unchanged: true }] : [])
  )
}

/** null: the step makes rows by code. */
export function after(step: TaskStep, flow: ColumnLineage, inputs: Known): ColumnLineage | null {
  const originsOf = (name: string): ColumnOrigin[] => originsIn(flow, name)
  const without = (names: readonly string[]) =>
    flow.columns.filter(({ name }) => !names.some((other) => sameColumn(other, name)))
  switch (step.kind) {
    case 'filter':
    case 'dedupe':
    case 'expect':
      return flow
    case 'select':
      return { columns: step.columns.map((name) => ({ name, origins: originsOf(name) })), others: false }
    case 'drop':
      return { ...flow, columns: without(step.columns) }
    case 'rename': {
      const renamed = Object.entries(step.columns).map(([from, name]) => ({ name, origins: originsOf(from) }))
      return { ...flow, columns: [...without(Object.keys(step.columns)), ...renamed] }
    }
    case 'cast': {
      const names = Object.keys(step.columns)
      const cast = names.map((name) => ({ name, origins: computed(originsOf(name)) }))
      return replaced(flow, cast)
    }
    case 'derive': {
      const made = Object.entries(step.columns).map(([name, sql]) => ({
        name,
        origins: computed(namesIn(sql, flow).flatMap(originsOf)),
      }))
      return replaced(flow, made)
    }
    case 'lookup': {
      const columns = step.columns ?? othersOf(inputs[step.input] ?? null, Object.values(step.on))
      if (columns === null) return null
      const found = Object.entries(columns).map(([name, column]) => ({
        name,
        origins: [{ from: step.input, column, unchanged: true }],
      }))
      return replaced(flow, found)
    }
    case 'sql':
    case 'map':
    case 'flatten':
    case 'explode':
      return null
  }
}

/** Columns of the same name are replaced where they stand. */
function replaced(flow: ColumnLineage, made: ColumnLineage['columns']): ColumnLineage {
  const kept = flow.columns.map((column) => made.find(({ name }) => sameColumn(name, column.name)) ?? column)
  return { ...flow, columns: [...kept, ...made.filter((column) => !kept.includes(column))] }
}

function othersOf(columns: KnownColumns, keys: readonly string[]): Record<string, string> | null {
  if (columns === null) return null
  const names = columns.filter((name) => !keys.some((key) => sameColumn(key, name)))
  return Object.fromEntries(names.map((name) => [name, name]))
}

/** Each column once. */
function computed(origins: readonly ColumnOrigin[]): ColumnOrigin[] {
  const byName = new Map(
    origins.map(({ from, column }) => [JSON.stringify([from, column]), { from, column, unchanged: false }]),
  )
  return [...byName.values()]
}

/** Words of expressions that are no columns. */
const expressionWords = new Set(
  'and or not null true false case when then else end is in like ilike between as cast try_cast interval distinct from escape similar to at zone current_date current_time current_timestamp over partition by order asc desc rows range unbounded preceding following lambda collate nocase exists any all some select where'.split(
    ' ',
  ),
)

/** Columns that a scalar expression reads. Where not all columns are known, every name that can be one counts. */
export function namesIn(sql: string, { columns, others }: ColumnLineage): string[] {
  const code = scanSql(sql, 'duckdb').filter(({ kind }) => kind !== 'comment')
  return code.flatMap(({ kind, start, end }, at) => {
    const [text, next] = [sql.slice(start, end), code[at + 1]]
    const after = next ? sql.slice(next.start, next.end) : ''
    const before = code[at - 1]
    // A field of a structure, or a type: `a.b`, `CAST(a AS date)`, `a::date`, `DATE '2026-01-01'`.
    if (before && /^(\.|::|as)$/i.test(sql.slice(before.start, before.end))) return []
    if (after.startsWith("'")) return []
    const quoted = kind === 'quoted' && text.startsWith('"')
    if (kind !== 'word' && !quoted) return []
    const name = quoted ? text.slice(1, -1).replaceAll('""', '"') : text
    const known = columns.find((column) => sameColumn(column.name, name))
    if (after === '(' && !quoted) return []
    if (known) return [known.name]
    return others && (quoted || !expressionWords.has(name.toLowerCase())) ? [name] : []
  })
}
