import type { Column } from '../../contract/common.ts'
import type { StreamColumn } from './column-origin.ts'
import type { DuckSession } from './duckdb.ts'
import { EngineError } from './errors.ts'
import { inFirstRow, type RowsBefore } from './failed-row.ts'
import type { Places } from './places.ts'
import { chainOf, isFilter, keepsRows, rowsOf, topOf, type ProfileNode } from './profile.ts'
import { requireSameRows } from './row-accounts.ts'
import { emptyRelation, name, text } from './sql-text.ts'
import { runMessage } from '../../contract/run-messages.ts'

/**
 * Rows on their way through a columnar pipeline: a query that has not run yet. Steps wrap it; it runs once, when a target, or a step
 * that must see all rows, asks for it. Until then the counts of its stages are open, and are read from DuckDB's profile of that run.
 */
export interface RowStream {
  sql: string
  columns: StreamColumn[]
  /** How many rows it has, where that is known without running it. */
  rows: number | null
  /** Stages whose row count changes inside `sql`, from the leaf up; still open, unless `rows` is known. */
  open: OpenCount[]
  /** Stages inside `sql`, from the leaf up, with the query as it was after each: to find out which one failed. */
  trail: { stage: number; sql: string; before?: RowsBefore }[]
  /** true: of a source that reads new files only, and found none. */
  nothingNew?: true
  /** The table of the session that it is, as it stands there; absent where `sql` does more than to read it. */
  table?: string
  /** Absent: a step has moved or added rows, or nobody knows. */
  places?: Places
}

export interface OpenCount {
  /** scan: the source; filter: one FILTER operator; query: a SELECT of the user's, whatever its operators. */
  kind: 'scan' | 'filter' | 'query'
  stage: number
  /** The rows after this stage. */
  sql: string
}

/** Rows after each stage. */
export type StageCounts = Map<number, number>

export interface Settled {
  counts: StageCounts
  /** Stages that a query of their own has counted, after the run's: of SQL that is random it may have other rows. */
  recounted: ReadonlySet<number>
}

/** The rows of a table of the session. */
export function tableStream(table: string, columns: StreamColumn[], rows: number): RowStream & { table: string } {
  return { table, ...queryStream(`SELECT * FROM ${name(table)}`, columns, rows) }
}

/** Rows that a query makes of tables of the session, and whose number is known. */
export function queryStream(sql: string, columns: StreamColumn[], rows: number): RowStream {
  return { sql, columns, rows, open: [], trail: [] }
}

/** The rows that one condition leaves, whose number is known: its operator stands in the plan beside those of later stages. */
export function filteredStream(stage: number, sql: string, columns: StreamColumn[], rows: number): RowStream {
  return { ...queryStream(sql, columns, rows), open: [{ kind: 'filter', stage, sql }] }
}

/** No records of a source whose columns only show in them. Only for a run's own source; it has no columns. */
export function noRecords(): RowStream {
  return { sql: `SELECT NULL AS nothing LIMIT 0`, columns: [], rows: 0, open: [], trail: [] }
}

/** The type of a column of which no value tells the type: SQL takes it for whatever it is used as. */
const unknownType = '"NULL"'

/** No rows, and columns whose types nothing tells (`type` undefined), so that steps may use them as anything. */
export function untypedStream(columns: readonly { name: string; type: string | undefined }[]): RowStream {
  return emptyStreamOf(columns.map(({ name: column, type }) => ({ name: column, type: type ?? unknownType })))
}

function emptyStreamOf(columns: StreamColumn[]): RowStream {
  return queryStream(`SELECT * FROM ${emptyRelation(columns)}`, columns, 0)
}

/** A table has a type for every column: this has forgotten it again. */
export function stillUntyped(stream: RowStream): RowStream {
  return stream.rows === 0 && stream.columns.some(isUntyped) ? emptyStreamOf(stream.columns) : stream
}

/** Columns whose types nothing has told by the end are text. */
export function typed(stream: RowStream): RowStream {
  if (!stream.columns.some(isUntyped)) return stream
  const fields = stream.columns.map((column) =>
    isUntyped(column) ? `CAST(${name(column.name)} AS VARCHAR) AS ${name(column.name)}` : name(column.name),
  )
  const { table: _, ...rest } = stream
  const columns = stream.columns.map((column) => (isUntyped(column) ? { ...column, type: 'VARCHAR' } : column))
  return { ...rest, sql: `SELECT ${fields.join(', ')} FROM (${stream.sql})`, columns }
}

function isUntyped({ type }: Column): boolean {
  return type === unknownType
}

/** The stream after a step that gives one row for each row. */
export function mapped(stream: RowStream, stage: number, sql: string, columns: StreamColumn[]): RowStream {
  return { sql, columns, rows: stream.rows, open: stream.open, trail: after(stream, stage, sql) }
}

/** The same after one that looks at each row by itself, so that rows also keep their order: nothing in it goes over several rows. */
export function projected(stream: RowStream, stage: number, sql: string, columns: StreamColumn[]): RowStream {
  const { places } = stream
  return { ...mapped(stream, stage, sql, columns), ...(places ? { places } : {}) }
}

function after({ trail, sql: read, places }: RowStream, stage: number, sql: string): RowStream['trail'] {
  return [...trail, { stage, sql, before: { sql: read, ...(places ? { places } : {}) } }]
}

/** The stream after a step that changes the number of rows. */
export function resized(
  stream: RowStream,
  stage: number,
  kind: 'filter' | 'query',
  sql: string,
  columns: StreamColumn[],
): RowStream {
  return {
    sql,
    columns,
    rows: null,
    open: [...stream.open, { kind, stage, sql }],
    trail: after(stream, stage, sql),
  }
}

/** Settles the open counts of a stream that has just run to its end and gave `rows`, which are all that it is known to have. */
export async function settle(session: DuckSession, stream: RowStream, rows: number): Promise<Settled> {
  if (stream.rows !== null) requireSameRows(stream.rows, rows, 'The rows of a stage')
  const counts: StageCounts = new Map()
  const recounted = new Set<number>()
  if (stream.open.length === 0) return { counts, recounted }
  const last = stream.open.at(-1)
  if (stream.open.length === 1 && last) return { counts: counts.set(last.stage, rows), recounted }
  const profile = session.keepsOrder ? session.profile() : null
  const read = profile && readCounts(stream.open, profile, rows)
  if (read) return { counts: read, recounted }
  for (const open of stream.open) {
    counts.set(open.stage, open === last ? rows : await countRows(session, open.sql))
    if (open !== last) recounted.add(open.stage)
  }
  return { counts, recounted }
}

async function countRows(session: DuckSession, sql: string): Promise<number> {
  const [row] = await session.rows(`SELECT count(*) FROM (${sql})`)
  return Number(row?.[0] ?? 0)
}

/** Finds each stage's operator in the profile; null when the plan does not show them all one to one. */
export function readCounts(open: readonly OpenCount[], profile: ProfileNode, rows: number): StageCounts | null {
  const queries = open.filter((count) => count.kind === 'query').length
  if (queries > 1) return null
  const at = open.findIndex((count) => count.kind === 'query')
  const below = at === -1 ? open : open.slice(0, at)
  const above = at === -1 ? [] : open.slice(at + 1)
  const counts: StageCounts = new Map()
  if (!readFromLeaf(below, profile, at === -1, counts)) return null
  if (at !== -1 && !readFromTop(open[at], above, profile, rows, counts)) return null
  const last = open.at(-1)
  // What came out is known for certain: a plan that says otherwise was misread.
  if (last && counts.get(last.stage) !== rows) return null
  return counts
}

function readFromLeaf(
  below: readonly OpenCount[],
  profile: ProfileNode,
  exactly: boolean,
  counts: StageCounts,
): boolean {
  if (below.length === 0) return true
  const chain = chainOf(profile)
  const leaf = chain?.[0]
  if (!chain || !leaf) return false
  const filters = chain.filter(isFilter)
  const wanted = below.filter((count) => count.kind === 'filter')
  if (exactly ? filters.length !== wanted.length : filters.length < wanted.length) return false
  for (const count of below) {
    const node = count.kind === 'scan' ? leaf : filters[wanted.indexOf(count)]
    const found = node && rowsOf(node)
    if (found === undefined || found === null) return false
    counts.set(count.stage, found)
  }
  return true
}

function readFromTop(
  query: OpenCount | undefined,
  above: readonly OpenCount[],
  profile: ProfileNode,
  rows: number,
  counts: StageCounts,
): boolean {
  if (!query) return false
  const outputs: number[] = []
  let input: number | null = above.length === 0 ? rows : null
  for (const node of topOf(profile)) {
    const found = rowsOf(node)
    if (outputs.length === above.length) {
      input ??= found
      break
    }
    if (isFilter(node) && found !== null) outputs.push(found)
    else if (!keepsRows(node)) return false
  }
  if (input === null || outputs.length !== above.length) return false
  counts.set(query.stage, input)
  // From the top down the last filter comes first.
  outputs.toReversed().forEach((count, index) => {
    const stage = above[index]?.stage
    if (stage !== undefined) counts.set(stage, count)
  })
  return true
}

/**
 * Finds the stage at which a fused query failed, by running its prefixes with every column wanted. Only after a failure, when time
 * does not matter any more.
 */
export async function blame(session: DuckSession, stream: RowStream, error: EngineError): Promise<EngineError> {
  if (error.stage !== undefined || error.code === 'CANCELLED') return error
  for (const { stage, sql, before } of stream.trail) {
    try {
      await session.rows(`SELECT sum(hash(headgate_row)) FROM (${sql}) headgate_row`)
    } catch (again) {
      if (!(again instanceof EngineError)) throw again
      const culprit = before
        ? await inFirstRow(session, before, sql, await unparsed(session, before.sql, again))
        : again
      if (culprit.code !== 'CANCELLED') culprit.stage = stage
      return culprit
    }
  }
  return error
}

/** Of a text that `strptime` cannot read DuckDB says neither the column nor the row. `rows`: those that entered the step. */
async function unparsed(session: DuckSession, rows: string, error: EngineError): Promise<EngineError> {
  const [, value, format] =
    /Could not parse string "([\s\S]*?)" according to format specifier "([\s\S]*?)"/.exec(error.message) ?? []
  if (value === undefined || format === undefined) return error
  const columns = (await session.describe(rows)).filter(({ type }) => type === 'VARCHAR')
  const found = columns.map(
    (column) => `WHEN ${name(column.name)} = ${text(value)} THEN ${text(`Row %, column \`${column.name}\`: `)}`,
  )
  const place = `CASE ${found.join(' ')} END`
  const [row] =
    found.length === 0
      ? []
      : await session.rows(
          `SELECT nth, place FROM (SELECT row_number() OVER () AS nth, ${place} AS place FROM (${rows})) WHERE place IS NOT NULL LIMIT 1`,
        )
  const where = row === undefined ? '' : String(row[1]).replace('%', Number(row[0]).toLocaleString('en'))
  return new EngineError(error.code, runMessage('date_not_in_format', { where, value, format }), {
    hint: runMessage('date_not_in_format_fix'),
    cause: error,
  })
}
