/** What the values of one column of a query are: two statements of ours around the user's, under the checks of every query. */
import {
  type ColumnProfile,
  type ProfileValue,
  mostProfileCharacters,
  mostTopValues,
} from '../../contract/column-profile.ts'
import type { QueryField, WireValue } from '../../contract/query-values.ts'
import { runMessage } from '../../contract/run-messages.ts'
import { dialectOf } from '../../language/query/table-sql.ts'
import { type SqlDialect, scanSql } from '../../language/sql/scan-sql.ts'
import type { Binds } from '../../language/task/task.types.ts'
import { EngineError } from '../engine/errors.ts'
import type { CallIo, CallWork } from '../worker-protocol.ts'
import { mustBeginWith, outlineOf } from './read-only.ts'
import { resultSystem } from './results.ts'
import type { ResultRequest } from './results.types.ts'

export async function profileColumn(
  { connector, query, parameters, fields, field, timeout_ms }: Extract<CallWork, { kind: 'profile' }>,
  io: CallIo,
): Promise<ColumnProfile> {
  const dialect = dialectOf(connector.type)
  const profiled = fields[field]
  if (dialect === null || !profiled)
    throw new EngineError(
      'CONNECTOR_UNSUITABLE',
      runMessage('profile_unsupported', { connector: connector.name, type: connector.type }),
      { hint: runMessage('profile_unsupported_fix') },
    )
  mustBeginWith(reading[dialect], outlineOf(query, dialect))
  // JSON, as it came with the request.
  const request = { connector, parameters: parameters as Binds, timeoutMs: timeout_ms }
  const ask = (statement: string) => answerOf({ ...request, query: statement }, io)
  const { value, ordered } = formOf(profiled, dialect, `c${field}`)
  const rows = rowsNamed(query, fields.length, dialect)
  const numbers = `${rows} SELECT count(*), count(c${field}), count(DISTINCT ${value})${ordered ? `, min(c${field}), max(c${field})` : ''} FROM ${rowsName}`
  const first = await ask(numbers)
  const [all, filled, distinct, min, max] = first.rows[0] ?? []
  const profile = {
    rows: countOf(all),
    nulls: countOf(all) - countOf(filled),
    distinct: countOf(distinct),
    ordered,
    min: shown(min, first.fields[3]),
    max: shown(max, first.fields[4]),
  }
  if (profile.distinct === countOf(filled)) return { ...profile, top: [], statements: [numbers] }
  const frequent = `${rows} SELECT ${value}, count(*) FROM ${rowsName} WHERE c${field} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${mostTopValues}`
  const second = await ask(frequent)
  const top = second.rows.flatMap(([given, count]) => {
    const one = shown(given, second.fields[0])
    return one ? [{ value: one, rows: countOf(count) }] : []
  })
  return { ...profile, top, statements: [numbers, frequent] }
}

/** No table is called that: SQLite would take a common table of the same name for the table that the query reads. */
const rowsName = 'headgate_profiled_rows'

const reading: Record<SqlDialect, readonly string[]> = {
  postgres: ['select', 'with', 'values', 'table'],
  mysql: ['select', 'with', 'values', 'table'],
  sqlite: ['select', 'with', 'values'],
  duckdb: ['select', 'with', 'values', 'table', 'from'],
}

/** The query as a common table whose columns go by number: its own names can occur twice. */
function rowsNamed(query: string, columns: number, dialect: SqlDialect): string {
  const code = scanSql(query, dialect).filter(({ kind }) => kind !== 'comment')
  const last = code.at(-1)
  const body = last?.kind === 'semicolon' ? query.slice(0, last.start) : query
  const names = Array.from({ length: columns }, (_, at) => `c${at}`).join(', ')
  // A comment at the end of the query ends with its line.
  return `WITH ${rowsName} (${names}) AS (\n${body}\n)`
}

const orderedInPostgres: ReadonlySet<string> = new Set(
  'integer bigint decimal double date time datetime datetime_tz'.split(' '),
)
const equalInPostgres: ReadonlySet<string> = new Set('boolean uuid bytes'.split(' '))

/** How the values of a column are told apart, and whether the system has a smallest one. */
function formOf(
  { type, native }: QueryField,
  dialect: SqlDialect,
  column: string,
): { value: string; ordered: boolean } {
  if (dialect === 'postgres') {
    // Other types, such as points and enumerations, come as text without a name.
    const ordered = orderedInPostgres.has(type) || (type === 'text' && native !== '')
    return { value: ordered || equalInPostgres.has(type) ? column : `${column}::text`, ordered }
  }
  if (dialect === 'mysql' && type === 'json') return { value: `CAST(${column} AS CHAR)`, ordered: false }
  return { value: column, ordered: native !== 'geometry' }
}

async function answerOf(request: ResultRequest, io: CallIo): Promise<{ fields: QueryField[]; rows: WireValue[][] }> {
  let fields: QueryField[] = []
  const rows: WireValue[][] = []
  const sink = {
    start: (described: QueryField[]) => void (fields = described),
    row: (values: readonly WireValue[]) => (rows.push([...values]), null),
  }
  await resultSystem(request).stream(request, sink, io)
  return { fields, rows }
}

/** A value of a column without a type says itself what it is. */
const plainOf = (value: WireValue | undefined): unknown =>
  typeof value === 'object' && value !== null ? Object.values(value)[0] : value

const countOf = (value: WireValue | undefined): number => Number(plainOf(value) ?? 0)

function shown(value: WireValue | undefined, field: QueryField | undefined): ProfileValue | null {
  if (value === null || value === undefined || !field) return null
  if (typeof value === 'string') return { type: field.type, value: shortened(value), cut: isLong(value) }
  if (typeof value !== 'object') return { type: field.type, value, cut: false }
  const [[own, inner] = []] = Object.entries(value)
  if (own === undefined || !isLong(inner)) return { type: field.type, value, cut: false }
  return { type: field.type, value: { [own]: shortened(inner) }, cut: true }
}

const isLong = (value: unknown): value is string => typeof value === 'string' && value.length > mostProfileCharacters
const shortened = (value: string): string => value.slice(0, mostProfileCharacters).toWellFormed()
