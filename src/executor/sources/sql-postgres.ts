import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Column } from '../../contract/common.ts'
import { compileBinds } from '../../language/sql-binds.ts'
import { parseTableName } from '../../language/task/table-name.ts'
import type { SqlSource } from '../../language/task/task.types.ts'
import { schemaOf, withPostgres } from '../connectors/postgres-client.ts'
import { bindText } from '../connectors/postgres-values.ts'
import { EngineError } from '../engine/errors.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { name, names, refuseDuplicates, text } from '../engine/sql-text.ts'
import { tableStream } from '../engine/stream.ts'
import { logicalTypeOf } from '../targets/type-map.ts'
import type { DatabaseSource } from './sql.types.ts'

/** Marks NULL in the text between the two databases; PostgreSQL quotes a value that reads so. */
const nullMark = '\\N'
const fetchRows = 5000

/**
 * The rows go to a file as PostgreSQL's own CSV, and DuckDB reads that: no value passes through JavaScript unless binds make a cursor
 * necessary, and memory stays flat whatever the row count.
 */
export const openPostgresSource: DatabaseSource = (read, connector, context, { limit }) =>
  withPostgres(connector, context.signal, async (client) => {
    const { sql, values } = statementOf(read, schemaOf(connector), limit)
    await client.query('BEGIN READ ONLY')
    const columns = await describe(client, sql, values)
    const file = join(context.tempDir, `${context.session.newName('postgres')}.csv`)
    try {
      if (values.length === 0) await copyOut(client, sql, columns.length, file, context.signal)
      else await fetchOut(client, sql, values, file, context.signal)
      const table = context.session.newName('source')
      const rows = await context.session.createTable(table, readBack(file, columns))
      context.log('info', `Read ${rows.toLocaleString('en')} rows from ${connector.name}`)
      return await exactNumbers(table, rows, columns, context)
    } finally {
      await rm(file, { force: true })
      await client.query('ROLLBACK').catch(() => undefined) // the connection may be broken; it is closed next
    }
  })

function statementOf(
  read: SqlSource['read'],
  schema: string,
  limit: number | null,
): { sql: string; values: (string | null)[] } {
  const top = limit === null ? '' : ` LIMIT ${limit}`
  if (read.kind === 'table') {
    const table = parseTableName(read.table)
    if (!table)
      throw new EngineError('TABLE_NOT_FOUND', `\`${read.table}\` is no table name`, {
        hint: 'Write `table` or `schema.table`.',
      })
    const columns = read.columns === null ? '*' : names(read.columns)
    return { sql: `SELECT ${columns} FROM ${name(table.schema ?? schema)}.${name(table.name)}${top}`, values: [] }
  }
  const { sql, names: wanted } = compileBinds(read.query, 'postgres')
  return {
    sql: `SELECT * FROM (${sql}\n) AS headgate_query${top}`,
    values: wanted.map((bind) => bindText(read.params[bind] ?? null)),
  }
}

interface PgColumn extends Column {
  /** DuckDB's type; VARCHAR for those that need a further look. */
  duckdb: string
}

async function describe(client: pg.Client, sql: string, values: (string | null)[]): Promise<PgColumn[]> {
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

async function copyOut(
  client: pg.Client,
  sql: string,
  width: number,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  // An empty text that is the only value of its row would be an empty line, and no reader of CSV sees a row in that.
  const quoted = width === 1 ? ', FORCE_QUOTE *' : ''
  const rows = client.query(copyTo(`COPY (${sql}) TO STDOUT (FORMAT csv, NULL ${text(nullMark)}${quoted})`))
  await pipeline(rows, createWriteStream(file), { signal })
}

/** COPY takes no binds; a cursor does. */
async function fetchOut(
  client: pg.Client,
  sql: string,
  values: (string | null)[],
  file: string,
  signal: AbortSignal,
): Promise<void> {
  await client.query({ text: `DECLARE headgate_cursor NO SCROLL CURSOR FOR ${sql}`, values })
  const lines = async function* (): AsyncGenerator<string> {
    for (;;) {
      const { rows } = await client.query<(string | null)[]>({
        text: `FETCH ${fetchRows} FROM headgate_cursor`,
        rowMode: 'array',
      })
      if (rows.length === 0) return
      yield rows.map((row) => `${row.map(csvField).join(',')}\n`).join('')
    }
  }
  await pipeline(Readable.from(lines()), createWriteStream(file), { signal })
}

function csvField(value: string | null): string {
  return value === null ? nullMark : `"${value.replaceAll('"', '""')}"`
}

function readBack(file: string, columns: PgColumn[]): string {
  const plain = columns.map(
    (column) => `${text(column.name)}: ${text(/^(BLOB|JSON)$/.test(column.duckdb) ? 'VARCHAR' : column.duckdb)}`,
  )
  const fields = columns.map((column) => {
    const value = name(column.name)
    if (column.duckdb === 'BLOB') return `unhex(substr(${value}, 3)) AS ${value}`
    return column.duckdb === 'JSON' ? `CAST(${value} AS JSON) AS ${value}` : value
  })
  return `SELECT ${fields.join(', ')} FROM read_csv(${text(file)}, header = false, auto_detect = false, delim = ',', quote = '"', escape = '"', nullstr = ${text(nullMark)}, allow_quoted_nulls = false, max_line_size = 16777216, buffer_size = 33554432, columns = {${plain.join(', ')}})`
}

/** `numeric` without a precision: as many places as the values have, so that nothing is rounded. */
async function exactNumbers(
  table: string,
  rows: number,
  columns: PgColumn[],
  context: StageContext,
): Promise<ReturnType<typeof tableStream>> {
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
  return { ...tableStream(table, typed, rows), sql: `SELECT ${fields.join(', ')} FROM ${name(table)}` }
}
