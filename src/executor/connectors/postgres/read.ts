import type pg from 'pg'
import { compileBinds } from '../../../language/sql-binds.ts'
import { parseTableName } from '../../../language/task/table-name.ts'
import type { SqlQueryRead, SqlSource } from '../../../language/task/sources/source.types.ts'
import { requireShort } from './long-names.ts'
import { schemaOf, withPostgres } from './client.ts'
import { tableConstraints, typeDeclared, typeMade } from './types.ts'
import { bindText } from './values.ts'
import { withOrigins, type ColumnOrigin } from '../../engine/column-origin.ts'
import { EngineError } from '../../engine/errors.ts'
import type { CursorFilter } from '../../engine/lane.types.ts'
import { name, names, refuseDuplicates } from '../../engine/sql-text.ts'
import { noRecords } from '../../engine/stream.ts'
import { logicalTypeOf } from '../../targets/type-map.ts'
import { bindsAsSettings, setBinds } from './binds.ts'
import { copyOut } from './copy-out.ts'
import { readParts } from './parts.ts'
import { refuseActs } from './results.ts'
import type { PgColumn, Statement } from './read.types.ts'
import { createBinaryRows } from './rows.ts'
import type { DatabaseSource } from '../../sources/sql.types.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** The rows go from the server's binary form right into typed columns of the session: no value becomes text that is read again. */
export const openPostgresSource: DatabaseSource = (read, connector, context, { limit }) =>
  withPostgres(connector, context.signal, async (client) => {
    const partition = read.kind === 'table' && limit === null ? read.partition : null
    // Several connections see the same moment only when the first one's lasts.
    await client.query(`BEGIN ${partition === null ? '' : 'ISOLATION LEVEL REPEATABLE READ '}READ ONLY`)
    try {
      // A preview writes nothing, also not by a function.
      if (read.kind === 'query' && limit !== null) await refuseActs(client, read.query)
      const statement = statementOf(read, schemaOf(connector), context.cursor)
      const columns = await describe(client, statement)
      if (columns.length === 0) return noRecords()
      const { sql, binds } = await bindsAsSettings(client, statement)
      const rows = await createBinaryRows(columns, context)
      if (partition === null) {
        await setBinds(client, binds)
        await copyOut(client, readable(sql + top(limit), columns), rows, context.signal)
      } else {
        const [select, tail] = [selectOf(read), sql.slice(selectOf(read).length)]
        const parted = { select, tail, binds, partition, readable: (part: string) => readable(part, columns) }
        await readParts(client, connector, parted, rows, context)
      }
      const stream = withOrigins(await rows.finish(), await originsOf(client, read, schemaOf(connector), columns))
      context.log('info', `Read ${rows.rows().toLocaleString('en')} rows from ${connector.name}`)
      return stream
    } finally {
      await client.query('ROLLBACK').catch(() => undefined) // the connection may be broken; it is closed next
    }
  })

const top = (limit: number | null): string => (limit === null ? '' : ` LIMIT ${limit}`)

export function statementOf(read: SqlSource['read'], schema: string, cursor: CursorFilter | null): Statement {
  if (read.kind === 'query') return queryStatement(read)
  const table = parseTableName(read.table)
  if (!table)
    throw new EngineError('TABLE_NOT_FOUND', runMessage('table_name_invalid', { table: read.table }), {
      hint: runMessage('table_name_invalid_fix'),
    })
  requireShort([table.schema ?? schema, table.name], 'TABLE_NOT_FOUND')
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

/** Where the columns come from; of a table also what it asks of them. */
export async function originsOf(
  client: pg.Client,
  read: SqlSource['read'],
  schema: string,
  columns: readonly PgColumn[],
): Promise<ColumnOrigin[]> {
  const table = read.kind === 'table' ? parseTableName(read.table) : null
  const asked = table ? await tableConstraints(client, table.schema ?? schema, table.name) : null
  return columns.map(({ name: column, type, declared, made }) => ({
    database: 'postgres',
    name: column,
    type,
    declared,
    made,
    ...(asked?.get(column) ?? { notNull: false, key: null }),
  }))
}

/** Types whose binary form is their text, by the function that makes it. */
const textual = /^(text|varchar|bpchar|name|json|citext|unknown|cstring_|enum_|void_)send$/

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
  const types = await client.query<{
    type: string
    send: string | null
    casts: string
    declared: string
    made: string | null
  }>({
    text: `SELECT s.type, p.proname AS send, ${typeDeclared('s.type', 'y', 'e')} AS declared, ${typeMade('e')} AS made,
        EXISTS (SELECT FROM pg_cast WHERE castsource = t.oid::oid AND casttarget = 'text'::regtype) AS casts
      FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS t(oid, modifier, at)
      CROSS JOIN format_type(t.oid::oid, t.modifier::int) AS s(type)
      LEFT JOIN pg_type y ON y.oid = t.oid::oid LEFT JOIN pg_proc p ON p.oid = y.typsend
      LEFT JOIN pg_type e ON e.oid = CASE WHEN y.typcategory = 'A' AND y.typelem <> 0 THEN y.typelem ELSE y.oid END ORDER BY at`,
    values: [
      result.fields.map((field) => String(field.dataTypeID)),
      result.fields.map((field) => String(field.dataTypeModifier)),
    ],
  })
  return result.fields.map((field, index) => {
    const found = types.rows[index] ?? { type: 'text', send: 'textsend', casts: 'f', declared: 'text', made: null }
    const { type, send, casts, declared, made } = found
    const duckdb = logicalTypeOf('postgres', type)
    const isPlain = duckdb !== null || type === 'numeric' || textual.test(send ?? '')
    return {
      name: field.name,
      type,
      duckdb: duckdb ?? 'VARCHAR',
      asText: isPlain ? null : type === 'inet' ? 'abbrev' : casts === 't' ? 'format' : 'cast',
      declared,
      made,
    }
  })
}

/**
 * The query with the server's text of what has no binary form here. A type's own cast to text may say more than its text form (that of
 * `inet` does): `format` uses the latter, as does `abbrev` for `inet`, in half the time.
 */
function readable(sql: string, columns: readonly PgColumn[]): string {
  if (columns.every((column) => column.asText === null)) return sql
  const fields = columns.map(({ name: column, asText }) => {
    const value = name(column)
    if (asText === null) return value
    return `${textOf[asText](value)} AS ${value}`
  })
  return `SELECT ${fields.join(', ')} FROM (${sql}) AS headgate_rows`
}

const textOf: Record<NonNullable<PgColumn['asText']>, (value: string) => string> = {
  abbrev: (value) => `abbrev(${value})`,
  cast: (value) => `${value}::text`,
  format: (value) => `CASE WHEN num_nonnulls(${value}) = 1 THEN format('%s', ${value}) END`,
}
