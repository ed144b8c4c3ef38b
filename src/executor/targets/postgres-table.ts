import type pg from 'pg'
import type { Column } from '../../contract/common.ts'
import type { BoundConnector } from '../../contract/executor-protocol.ts'
import { parseTableName } from '../../language/task/table-name.ts'
import type { TableTarget } from '../../language/task/targets/target.types.ts'
import { schemaOf } from '../connectors/postgres-client.ts'
import { EngineError, listNames } from '../engine/errors.ts'
import { name, names } from '../engine/sql-text.ts'
import { planColumns, type ColumnPlan, type TableColumn } from './column-plan.ts'
import { databaseTypeOf, logicalTypeOf, valueKindOf, type ValueKind } from './type-map.ts'

export interface PgTable {
  schema: string
  table: string
  /** Quoted, with schema. */
  sql: string
}

export function tableOf(target: TableTarget, connector: BoundConnector): PgTable {
  const parsed = parseTableName(target.table)
  if (!parsed)
    throw new EngineError('TABLE_NOT_FOUND', `\`${target.table}\` is no table name`, {
      hint: 'Write `table` or `schema.table`.',
    })
  const schema = parsed.schema ?? schemaOf(connector)
  return { schema, table: parsed.name, sql: `${name(schema)}.${name(parsed.name)}` }
}

/** What of the table itself may leave out rows on their way in: triggers before each row, also of its partitions, and rules. */
export async function leavesOut(client: pg.Client, { sql }: PgTable): Promise<string | null> {
  const { rows } = await client.query<{ what: string }>(
    `SELECT 'a trigger' AS what FROM pg_trigger
       WHERE NOT tgisinternal AND tgtype & 7 = 7
         AND tgrelid IN (SELECT $1::regclass UNION SELECT relid FROM pg_partition_tree($1::regclass))
     UNION ALL SELECT 'a rule' FROM pg_rewrite WHERE ev_class = $1::regclass AND ev_type = '3' LIMIT 1`,
    [sql],
  )
  return rows[0]?.what ?? null
}

/** Makes the table, or fits it to the columns as far as the task allows; says which columns are written. */
export async function shapeTable(
  client: pg.Client,
  target: TableTarget,
  table: PgTable,
  columns: readonly Column[],
  log: (message: string) => void,
): Promise<{ plan: ColumnPlan; made: boolean }> {
  const existing = await tableColumns(client, table)
  if (existing.length === 0) {
    const fields = columns.map((column) => `${name(column.name)} ${databaseTypeOf('postgres', column.type)}`)
    const unique = target.key.length > 0 && target.mode !== 'delete_insert'
    await client.query(
      `CREATE TABLE ${table.sql} (${fields.join(', ')}${unique ? `, PRIMARY KEY (${names(target.key)})` : ''})`,
    )
    if (target.mode === 'delete_insert') await client.query(`CREATE INDEX ON ${table.sql} (${names(target.key)})`)
    log(`Made table ${target.table}`)
    return { plan: planColumns(target, columns, await tableColumns(client, table), 'postgres'), made: true }
  }
  const plan = planColumns(target, columns, existing, 'postgres')
  for (const column of plan.add) {
    await client.query(`ALTER TABLE ${table.sql} ADD COLUMN ${name(column.name)} ${column.type}`)
    log(`Added column ${column.name} (${column.type}) to ${target.table}`)
  }
  for (const column of plan.widen) {
    await client.query(
      `ALTER TABLE ${table.sql} ALTER COLUMN ${name(column.name)} TYPE ${column.type} USING ${name(column.name)}::${column.type}`,
    )
    log(`Widened column ${column.name} of ${target.table} from ${column.from} to ${column.type}`)
  }
  if (plan.discarded.length > 0) log(`Left out ${listNames(plan.discarded)}: ${target.table} has no such columns`)
  return { plan, made: false }
}

/** Empty where there is no such table. */
export async function tableColumns(client: pg.Client, table: PgTable): Promise<TableColumn[]> {
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

export async function requireUniqueKey(client: pg.Client, target: TableTarget, table: PgTable): Promise<void> {
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
