/** Where SQL stands in a task, and which words fit there. Pure but for the list of functions, which is fetched when first needed. */
import { parseDocument } from 'yaml'
import { type Cursor, findCursor } from '../../../language/editor/cursor.ts'
import { type Segment, alternatives, schemasAt } from '../../../language/editor/schema-walk.ts'
import { kindDefinitions } from '../../../language/task/kinds/kind-registry.ts'
import { schemaOfKind } from '../../../language/task/task-schema.ts'

export interface SqlFunction {
  name: string
  kind: string
  signature: string
  description: string
  example: string
}

let functions: Promise<readonly SqlFunction[]> | undefined

/** Scalar and aggregate functions of DuckDB that SQL of tasks may call. */
export function sqlFunctions(): Promise<readonly SqlFunction[]> {
  functions ??= import('./duckdb-functions.json').then((module) => module.default)
  return functions
}

/** Words of SELECTs and expressions that no list of functions has. */
export const sqlWords =
  'SELECT FROM WHERE GROUP BY ORDER HAVING LIMIT JOIN LEFT ON USING AS DISTINCT UNION ALL WITH OVER PARTITION CASE WHEN THEN ELSE END AND OR NOT IN IS NULL LIKE ILIKE BETWEEN EXISTS CAST TRY_CAST COALESCE INTERVAL DATE TIMESTAMP FILTER QUALIFY ASC DESC TRUE FALSE'.split(
    ' ',
  )

export interface Place {
  cursor: Cursor
  /** `duckdb` in steps; `other` in what a bound database reads; `jsonata` in `map`; null elsewhere. */
  sql: 'duckdb' | 'other' | 'jsonata' | null
}

/** `steps[2].map`, or its `expression`. */
export const isMap = ([first, , third, fourth]: readonly Segment[]) =>
  first === 'steps' && third === 'map' && (fourth === undefined || fourth === 'expression')

/** What kind of text stands at an offset. */
export function placeAt(text: string, offset: number): Place {
  const cursor = findCursor(text, offset)
  if (cursor.position !== 'value' && !cursor.item) return { cursor, sql: null }
  if (isMap(cursor.path)) return { cursor, sql: 'jsonata' }
  const kind = /^kind:[ \t]*["']?(\w+)/m.exec(text)?.[1]
  const known = kindDefinitions.find((one) => one.kind === kind)?.kind ?? 'pipeline'
  const forms = schemasAt(schemaOfKind(known), cursor.path, cursor.keysAt).flatMap(alternatives)
  const language = forms.find((form) => form['x-language'])?.['x-language']
  if (language === undefined) return { cursor, sql: null }
  return { cursor, sql: cursor.path[0] === 'steps' ? 'duckdb' : 'other' }
}

/** Keys whose value names something behind the connector beside it. */
const resourceKeys: ReadonlySet<Segment> = new Set(['table', 'glob', 'collection', 'entity', 'query', 'statements'])

/** The slot whose tables, files or collections can be named at a place, or null. */
export function slotAt(text: string, path: readonly Segment[]): string | null {
  if (!path.some((segment) => resourceKeys.has(segment))) return null
  const [first] = path
  const owner = first === 'inputs' ? path.slice(0, 2) : path.slice(0, 1)
  if (first !== 'source' && first !== 'inputs' && first !== 'target' && first !== 'sql') return null
  // Keys are not compared with each other: in a text of ten thousand that would take seconds.
  const slot: unknown = parseDocument(text, { uniqueKeys: false, logLevel: 'silent' }).getIn([...owner, 'connector'])
  return typeof slot === 'string' ? slot : null
}
