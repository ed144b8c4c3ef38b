import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { Column } from '../../contract/common.ts'
import { compileBinds } from '../../language/sql-binds.ts'
import { parseTableName } from '../../language/task/table-name.ts'
import type { SqlQueryRead, SqlSource } from '../../language/task/sources/source.types.ts'
import { schemaOf, withPostgres } from '../connectors/postgres-client.ts'
import { bindText } from '../connectors/postgres-values.ts'
import { EngineError } from '../engine/errors.ts'
import type { CursorFilter, StageContext } from '../engine/lane.types.ts'
import { name, names, refuseDuplicates, text } from '../engine/sql-text.ts'
import { queryStream, tableStream, type RowStream } from '../engine/stream.ts'
import { logicalTypeOf } from '../targets/type-map.ts'
import { bindsAsSettings, setBinds, type SettingBinds } from './postgres-binds.ts'
import { copyOut, nullMark } from './postgres-copy-out.ts'
import { readParts } from './postgres-parts.ts'
import type { DatabaseSource } from './sql.types.ts'

/**
 * The rows go to a file as PostgreSQL's own CSV, and DuckDB reads that when the rows are asked for: no value passes through JavaScript,
 * and memory stays flat whatever the row count.
 */
export const openPostgresSource: DatabaseSource = (read, connector, context, { limit }) =>
  withPostgres(connector, context.signal, async (client) => {
    const partition = read.kind === 'table' && limit === null ? read.partition : null
    // Several connections see the same moment only when the first one's lasts.
    await client.query(`BEGIN ${partition === null ? '' : 'ISOLATION LEVEL REPEATABLE READ '}READ ONLY`)
    try {
      const statement = statementOf(read, schemaOf(connector), context.cursor)
      const columns = await describe(client, statement)
      const { sql, binds } = await bindsAsSettings(client, statement)
      const base = join(context.tempDir, context.session.newName('postgres'))
      const copied =
        partition === null
          ? await copyWhole(client, { sql: sql + top(limit), binds }, columns.length, base, context)
          : await readParts(
              client,
              connector,
              {
                tail: sql.slice(selectOf(read).length),
                select: selectOf(read),
                binds,
                partition,
                width: columns.length,
                base,
              },
              context,
            )
      context.log('info', `Read ${copied.rows.toLocaleString('en')} rows from ${connector.name}`)
      return await streamOf(copied, columns, context)
    } finally {
      await client.query('ROLLBACK').catch(() => undefined) // the connection may be broken; it is closed next
    }
  })

/** Rows in files of PostgreSQL's CSV. */
export interface CopiedRows {
  files: string[]
  rows: number
}

/** `:name` binds as `$1`, `$2` …, with their values. */
export interface Statement {
  sql: string
  values: (string | null)[]
}

async function copyWhole(
  client: pg.Client,
  { sql, binds }: SettingBinds,
  width: number,
  base: string,
  { signal }: StageContext,
): Promise<CopiedRows> {
  await setBinds(client, binds)
  const file = `${base}.csv`
  return { files: [file], rows: await copyOut(client, sql, width, file, signal) }
}

const top = (limit: number | null): string => (limit === null ? '' : ` LIMIT ${limit}`)

export function statementOf(read: SqlSource['read'], schema: string, cursor: CursorFilter | null): Statement {
  if (read.kind === 'query') return queryStatement(read)
  const table = parseTableName(read.table)
  if (!table)
    throw new EngineError('TABLE_NOT_FOUND', `\`${read.table}\` is no table name`, {
      hint: 'Write `table` or `schema.table`.',
    })
  const from = `${selectOf(read)} FROM ${name(table.schema ?? schema)}.${name(table.name)} AS headgate_query`
  if (cursor === null) return { sql: from, values: [] }
  return { sql: `${from} WHERE ${cursorCondition(cursor)}`, values: [String(cursor.value)] }
}

function selectOf(read: SqlSource['read']): string {
  return `SELECT ${read.kind === 'query' || read.columns === null ? '*' : names(read.columns)}`
}

function queryStatement(read: SqlQueryRead): Statement {
  const { sql, names: wanted } = compileBinds(read.query, 'postgres')
  return {
    sql: `SELECT * FROM (${sql}\n) AS headgate_query`,
    values: wanted.map((bind) => bindText(read.params[bind] ?? null)),
  }
}

/** Text is compared by its bytes, as the cursor was found; numbers and moments by their value, whatever the column's precision. */
function cursorCondition({ field, type }: CursorFilter): string {
  switch (type) {
    case 'string':
      return `${name(field)}::text COLLATE "C" >= $1::text`
    case 'integer':
      return `${name(field)} >= $1::bigint`
    case 'number':
      return `${name(field)} >= $1::numeric`
    case 'date':
      return `${name(field)} >= $1::date`
    case 'datetime':
      return `${name(field)} >= $1::timestamptz`
  }
}

interface PgColumn extends Column {
  /** DuckDB's type; VARCHAR for those that need a further look. */
  duckdb: string
}

/** Columns of a query, which must be one statement. */
export async function describe(client: pg.Client, { sql, values }: Statement): Promise<PgColumn[]> {
  // The extended protocol takes one statement only: what passes here is one query, also inside COPY.
  const result = await client.query({
    text: `SELECT * FROM (${sql}) AS headgate_columns LIMIT 0`,
    values,
    rowMode: 'array',
    queryMode: 'extended',
  } as pg.QueryArrayConfig) // queryMode is not in the types
  refuseDuplicates(result.fields.map((field) => field.name))
  const types = await client.query<{ type: string }>({
    text: `SELECT format_type(t.oid::oid, t.modifier::int) AS type FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS t(oid, modifier, at) ORDER BY at`,
    values: [
      result.fields.map((field) => String(field.dataTypeID)),
      result.fields.map((field) => String(field.dataTypeModifier)),
    ],
  })
  return result.fields.map((field, index) => {
    const type = types.rows[index]?.type ?? 'text'
    return { name: field.name, type, duckdb: logicalTypeOf('postgres', type) ?? 'VARCHAR' }
  })
}

async function streamOf(copied: CopiedRows, columns: PgColumn[], context: StageContext): Promise<RowStream> {
  const sql = readBack(copied.files, columns)
  if (columns.every((column) => column.type !== 'numeric')) {
    const typed = columns.map((column) => ({ name: column.name, type: column.duckdb }))
    return { sql, columns: typed, rows: copied.rows, open: [], trail: [{ stage: context.stage, sql }] }
  }
  // Their values decide on the type: they are looked at first.
  const table = context.session.newName('source')
  const rows = await context.session.createTable(table, sql)
  await Promise.all(copied.files.map((file) => rm(file, { force: true })))
  return exactNumbers(table, rows, columns, context)
}

function readBack(files: string[], columns: PgColumn[]): string {
  const plain = columns.map(
    (column) => `${text(column.name)}: ${text(/^(BLOB|JSON)$/.test(column.duckdb) ? 'VARCHAR' : column.duckdb)}`,
  )
  const fields = columns.map((column) => {
    const value = name(column.name)
    if (column.duckdb === 'BLOB') return `unhex(substr(${value}, 3)) AS ${value}`
    return column.duckdb === 'JSON' ? `CAST(${value} AS JSON) AS ${value}` : value
  })
  return `SELECT ${fields.join(', ')} FROM read_csv([${files.map(text).join(', ')}], header = false, auto_detect = false, delim = ',', quote = '"', escape = '"', nullstr = ${text(nullMark)}, allow_quoted_nulls = false, max_line_size = 16777216, buffer_size = 33554432, columns = {${plain.join(', ')}})`
}

/** `numeric` without a precision: as many places as the values have, so that nothing is rounded. */
async function exactNumbers(
  table: string,
  rows: number,
  columns: PgColumn[],
  context: StageContext,
): Promise<RowStream> {
  const open = columns.filter((column) => column.type === 'numeric')
  const result: Column[] = columns.map((column) => ({ name: column.name, type: column.duckdb }))
  if (open.length === 0) return tableStream(table, result, rows)
  const looks = open.map(({ name: column }) => {
    const value = name(column)
    const places = `coalesce(max(length(split_part(${value}, '.', 2))), 0)`
    const whole = `coalesce(max(length(ltrim(split_part(${value}, '.', 1), '-'))), 1)`
    return `${places}, ${whole}, count(*) FILTER (NOT regexp_full_match(${value}, '-?[0-9]+(\\.[0-9]+)?'))`
  })
  const [found] = await context.session.rows(`SELECT ${looks.join(', ')} FROM ${name(table)}`)
  const casts = new Map<string, string>()
  open.forEach((column, index) => {
    const [places, whole, odd] = [0, 1, 2].map((part) => Number(found?.[index * 3 + part] ?? 0))
    if (odd === 0 && (places ?? 0) + (whole ?? 0) <= 38) casts.set(column.name, `DECIMAL(38,${places})`)
    else context.log('warn', `Column \`${column.name}\` holds numbers beyond 38 digits, or NaN: it is read as text`)
  })
  const fields = columns.map(({ name: column }) => {
    const type = casts.get(column)
    return type === undefined ? name(column) : `CAST(${name(column)} AS ${type}) AS ${name(column)}`
  })
  const typed = result.map((column) => ({ ...column, type: casts.get(column.name) ?? column.type }))
  return queryStream(`SELECT ${fields.join(', ')} FROM ${name(table)}`, typed, rows)
}
