import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { BoundConnector } from '../../contract/executor-protocol.ts'
import { parseTableName } from '../../language/task/table-name.ts'
import type { TableTarget } from '../../language/task/task.types.ts'
import { refuseReadOnly } from '../connectors/config.ts'
import { postgresError, schemaOf, withPostgres } from '../connectors/postgres-client.ts'
import { cancelled } from '../engine/duckdb.ts'
import { EngineError, listNames } from '../engine/errors.ts'
import type { StageContext, TargetResult } from '../engine/lane.types.ts'
import { name, names } from '../engine/sql-text.ts'
import type { RowStream } from '../engine/stream.ts'
import { planColumns, type ColumnPlan, type TableColumn } from './column-plan.ts'
import { copyLine } from './encode.ts'
import { summarise } from './summary.ts'
import { databaseTypeOf, logicalTypeOf, valueKindOf, type ValueKind } from './type-map.ts'

const stage = name('headgate_stage')

interface PgTable {
  schema: string
  table: string
  /** Quoted, with schema. */
  sql: string
}

/** One transaction. The rows arrive by COPY, encoded by DuckDB; replace and upsert stage them first. */
export async function writePostgresTable(
  target: TableTarget,
  connector: BoundConnector,
  stream: RowStream,
  context: StageContext,
): Promise<TargetResult> {
  refuseReadOnly(connector)
  const table = tableOf(target, connector)
  return withPostgres(connector, context.signal, async (client) => {
    await client.query('BEGIN')
    try {
      const plan = await shapeTable(client, target, table, stream, context)
      if (target.mode === 'upsert') await requireUniqueKey(client, target, table)
      const result = await writeRows(client, target, table, plan, connector, stream, context)
      await client.query('COMMIT')
      return result
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined) // the connection may be broken; closing it rolls back, too
      throw error
    }
  })
}

function tableOf(target: TableTarget, connector: BoundConnector): PgTable {
  const parsed = parseTableName(target.table)
  if (!parsed)
    throw new EngineError('TABLE_NOT_FOUND', `\`${target.table}\` is no table name`, {
      hint: 'Write `table` or `schema.table`.',
    })
  const schema = parsed.schema ?? schemaOf(connector)
  return { schema, table: parsed.name, sql: `${name(schema)}.${name(parsed.name)}` }
}

async function shapeTable(
  client: pg.Client,
  target: TableTarget,
  table: PgTable,
  stream: RowStream,
  context: StageContext,
): Promise<ColumnPlan> {
  const existing = await tableColumns(client, table)
  if (existing.length === 0) {
    const fields = stream.columns.map((column) => `${name(column.name)} ${databaseTypeOf('postgres', column.type)}`)
    const key = target.key.length > 0 ? `, PRIMARY KEY (${names(target.key)})` : ''
    await client.query(`CREATE TABLE ${table.sql} (${fields.join(', ')}${key})`)
    context.log('info', `Made table ${target.table}`)
    return planColumns(target, stream.columns, await tableColumns(client, table), 'postgres')
  }
  const plan = planColumns(target, stream.columns, existing, 'postgres')
  for (const column of plan.add) {
    await client.query(`ALTER TABLE ${table.sql} ADD COLUMN ${name(column.name)} ${column.type}`)
    context.log('info', `Added column ${column.name} (${column.type}) to ${target.table}`)
  }
  for (const column of plan.widen) {
    await client.query(
      `ALTER TABLE ${table.sql} ALTER COLUMN ${name(column.name)} TYPE ${column.type} USING ${name(column.name)}::${column.type}`,
    )
    context.log('info', `Widened column ${column.name} of ${target.table} from ${column.from} to ${column.type}`)
  }
  if (plan.discarded.length > 0)
    context.log('info', `Left out ${listNames(plan.discarded)}: ${target.table} has no such columns`)
  return plan
}

async function tableColumns(client: pg.Client, table: PgTable): Promise<TableColumn[]> {
  const { rows } = await client.query<{ name: string; type: string; generated: string }>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
            (a.attgenerated <> '' OR a.attidentity = 'a')::text AS generated
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p', 'f') AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY a.attnum`,
    [table.schema, table.table],
  )
  return rows.map((row) => ({
    name: row.name,
    type: row.type,
    kind: kindOf(row.type),
    generated: row.generated === 'true',
  }))
}

function kindOf(type: string): ValueKind | null {
  if (/^(text|character|varchar|name|citext)/.test(type)) return 'text'
  if (type.startsWith('numeric')) return 'decimal'
  const logical = logicalTypeOf('postgres', type)
  // Types that we know nothing of (enums, networks, arrays) take what their own input function takes.
  return logical === null || logical === 'UUID' ? null : valueKindOf(logical)
}

async function requireUniqueKey(client: pg.Client, target: TableTarget, table: PgTable): Promise<void> {
  const { rows } = await client.query<{ columns: string }>(
    `SELECT (SELECT string_agg(a.attname, chr(10) ORDER BY a.attname) FROM pg_attribute a
             WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)) AS columns
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = $2 AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL`,
    [table.schema, table.table],
  )
  const fold = (columns: string[]): string =>
    columns
      .map((column) => column.toLowerCase())
      .toSorted()
      .join('\n')
  if (rows.some((row) => fold(row.columns.split('\n')) === fold(target.key))) return
  throw new EngineError('KEY_NOT_UNIQUE', `Table ${target.table} has no unique index on (${target.key.join(', ')})`, {
    hint: `An upsert finds its rows by it: CREATE UNIQUE INDEX ON ${table.sql} (${names(target.key)})`,
  })
}

async function writeRows(
  client: pg.Client,
  target: TableTarget,
  table: PgTable,
  plan: ColumnPlan,
  connector: BoundConnector,
  stream: RowStream,
  context: StageContext,
): Promise<TargetResult> {
  const columns = plan.writes.map(({ to }) => to)
  const list = names(columns)
  if (target.mode === 'append') {
    const rows = await copyRows(client, `${table.sql} (${list})`, plan, connector, stream, context)
    return result(target, { rows, inserted: rows, changed: rows, before: 0 })
  }
  await client.query(`CREATE TEMP TABLE ${stage} ON COMMIT DROP AS SELECT ${list} FROM ${table.sql} WITH NO DATA`)
  const rows = await copyRows(client, `${stage} (${list})`, plan, connector, stream, context)
  if (target.mode === 'replace') {
    const before = await emptyTable(client, table)
    await client.query(`INSERT INTO ${table.sql} (${list}) SELECT ${list} FROM ${stage}`)
    return result(target, { rows, inserted: rows, changed: rows, before })
  }
  const { inserted, changed } = await upsert(client, target, table, columns)
  return result(target, { rows, inserted, changed, before: 0 })
}

function result(target: TableTarget, counts: Parameters<typeof summarise>[1]): TargetResult {
  return { rows: counts.rows, changed: counts.changed, bytes: null, summary: summarise(target, counts) }
}

/** The table itself stays, with its indexes, grants and views; readers see the old rows until the commit. */
async function emptyTable(client: pg.Client, table: PgTable): Promise<number> {
  const { rowCount } = await client.query(`DELETE FROM ${table.sql}`)
  return rowCount ?? 0
}

async function upsert(
  client: pg.Client,
  target: TableTarget,
  table: PgTable,
  columns: string[],
): Promise<{ inserted: number; changed: number }> {
  const list = names(columns)
  const keys = new Set(target.key.map((key) => key.toLowerCase()))
  const keyColumns = columns.filter((column) => keys.has(column.toLowerCase()))
  const others = columns.filter((column) => !keys.has(column.toLowerCase()))
  const jsonColumns = new Set(
    (await tableColumns(client, table)).filter((column) => column.type === 'json').map((column) => column.name),
  )
  const compared = (from: string, column: string): string =>
    `${from}.${name(column)}${jsonColumns.has(column) ? '::jsonb' : ''}`
  const set = others.map((column) => `${name(column)} = excluded.${name(column)}`).join(', ')
  const differs = others
    .map((column) => `${compared('t', column)} IS DISTINCT FROM ${compared('excluded', column)}`)
    .join(' OR ')
  const action = others.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${set} WHERE ${differs}`
  // xmax is 0 in rows that were inserted, not in those that were updated.
  const { rows } = await client.query<{ inserted: string; changed: string }>(
    `WITH written AS (
       INSERT INTO ${table.sql} AS t (${list}) SELECT ${list} FROM ${stage}
       ON CONFLICT (${names(keyColumns)}) ${action} RETURNING (xmax = 0) AS fresh)
     SELECT count(*) FILTER (WHERE fresh) AS inserted, count(*) AS changed FROM written`,
  )
  return { inserted: Number(rows[0]?.inserted ?? 0), changed: Number(rows[0]?.changed ?? 0) }
}

async function copyRows(
  client: pg.Client,
  into: string,
  plan: ColumnPlan,
  connector: BoundConnector,
  stream: RowStream,
  context: StageContext,
): Promise<number> {
  const line = copyLine(plan.writes.map(({ from }) => from))
  return context.consume(stream, async () => {
    const copy = client.query(copyFrom(`COPY ${into} FROM STDIN (FORMAT csv)`))
    const done = finished(copy)
    // Heard below, by `await done`; here only so that an early failure is not called unhandled.
    done.catch(() => undefined)
    let rows = 0
    try {
      for await (const chunk of context.session.chunks(`SELECT ${line} AS line FROM (${stream.sql})`)) {
        rows += chunk.rowCount
        const lines = `${chunk.getColumnValues(0).join('\n')}\n`
        if (copy.destroyed) break
        if (!copy.write(lines)) await Promise.race([once(copy, 'drain'), done])
        context.reached(rows)
        if (context.signal.aborted) throw cancelled()
      }
      copy.end()
      await done
    } catch (error) {
      if (!copy.destroyed) copy.destroy(error instanceof Error ? error : undefined)
      throw copyError(error, plan, connector)
    }
    return { rows, value: rows }
  })
}

/** PostgreSQL names line and column of what it refused: the row, as it left the task. */
function copyError(thrown: unknown, plan: ColumnPlan, connector: BoundConnector): EngineError {
  const error = postgresError(thrown, connector)
  const where = typeof thrown === 'object' && thrown !== null && 'where' in thrown ? String(thrown.where) : ''
  const place = /line (\d+)(?:, column ([^:]+))?(?:: "([\s\S]{0,200}))?/.exec(where)
  if (!place) return error
  const column =
    place[2] === undefined ? '' : `, column \`${plan.writes.find(({ to }) => to === place[2])?.to ?? place[2]}\``
  return new EngineError(error.code, `Row ${place[1]}${column}: ${error.message}`, { hint: error.hint, cause: thrown })
}
