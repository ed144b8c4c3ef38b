import type pg from 'pg'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { parseTableName } from '../../../language/task/table-name.ts'
import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import { lockTimeout, schemaOf } from './client.ts'
import type { StreamColumn } from '../../engine/column-origin.ts'
import { EngineError, codeOf, listNames } from '../../engine/errors.ts'
import { name, names } from '../../engine/sql-text.ts'
import { planColumns, type ColumnPlan, type Shaping, type TableColumn } from '../../targets/column-plan.ts'
import { keptConstraints } from '../../targets/kept-constraints.ts'
import { keptTypes } from './kept.ts'
import { requireShort } from './long-names.ts'
import { databaseTypeOf, logicalTypeOf, valueKindOf, type ValueKind } from '../../targets/type-map.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export interface PgTable {
  schema: string
  table: string
  /** Quoted, with schema. */
  sql: string
}

export function tableOf(target: TableTarget, connector: BoundConnector): PgTable {
  const parsed = parseTableName(target.table)
  if (!parsed)
    throw new EngineError('TABLE_NOT_FOUND', runMessage('table_name_invalid', { table: target.table }), {
      hint: runMessage('table_name_invalid_fix'),
    })
  const schema = parsed.schema ?? schemaOf(connector)
  requireShort([schema, parsed.name], 'TABLE_NOT_FOUND')
  return { schema, table: parsed.name, sql: `${name(schema)}.${name(parsed.name)}` }
}

export interface PgColumn extends TableColumn {
  /** Values that are equal to the database are so byte by byte. */
  bitwise: boolean
  /** Text, compared by a collation. */
  collated: boolean
  /** The type that a domain is made of; of any other, the type itself. */
  base: string
  /** The type of its values, in a list and below a domain: `enum`, one of PostgreSQL's own, or `extension.type` (`.type` of none). */
  element: string
}

/** Makes the table, or fits it to the columns as far as the task allows; says which columns are written. */
export async function shapeTable(
  client: pg.Client,
  target: TableTarget,
  table: PgTable,
  columns: readonly StreamColumn[],
  shaping: Shaping,
): Promise<{ plan: ColumnPlan; made: boolean }> {
  const { log, drift, outgrown } = shaping
  const existing = await tableColumns(client, table)
  if (existing.length === 0) {
    requireShort(
      columns.map((column) => column.name),
      'SCHEMA_MISMATCH',
    )
    const types = await keptTypes(client, columns, log)
    if (!(await create(client, table, createSql(target, table, columns, types, log))))
      return shapeTable(client, target, table, columns, shaping)
    if (target.mode === 'delete_insert') await client.query(`CREATE INDEX ON ${table.sql} (${names(target.key)})`)
    log(`Made table ${target.table}`)
    return { plan: planColumns(target, columns, await tableColumns(client, table), 'postgres'), made: true }
  }
  const types = await keptTypes(client, columns, () => undefined)
  const narrow = (await outgrown?.(existing)) ?? new Map<string, null>()
  const plan = planColumns(target, columns, existing, 'postgres', { types, narrow, drift })
  requireShort(
    plan.add.map((column) => column.name),
    'SCHEMA_MISMATCH',
  )
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

function createSql(
  target: TableTarget,
  table: PgTable,
  columns: readonly StreamColumn[],
  types: ReadonlyMap<string, string>,
  log: (message: string) => void,
): string {
  const { notNull, primaryKey } = keptConstraints(target, columns, types, log)
  const fields = columns.map((column) => {
    const type = types.get(column.name) ?? databaseTypeOf('postgres', column.type)
    return `${name(column.name)} ${type}${notNull.has(column.name) ? ' NOT NULL' : ''}`
  })
  const unique = target.mode === 'delete_insert' ? [] : target.key.length > 0 ? target.key : primaryKey
  const key = unique.length > 0 ? `, PRIMARY KEY (${names(unique)})` : ''
  return `CREATE TABLE ${table.sql} (${fields.join(', ')}${key})`
}

/** `hh`: locks of runs that make a table. */
const making = 0x6868
/** “Table already exists”, also before its maker has committed. */
const exists: ReadonlySet<string> = new Set(['42P07', '23505'])

/** false: another one has been faster. Who comes second waits until the first has committed, which it does with its rows. */
async function create(client: pg.Client, table: PgTable, sql: string): Promise<boolean> {
  const isThere = async (): Promise<boolean> => (await tableColumns(client, table)).length > 0
  // However long the other run takes.
  await client.query('SET LOCAL lock_timeout = 0')
  await client.query(`SELECT pg_advisory_xact_lock(${making}, hashtext($1))`, [table.sql])
  await client.query(`SET LOCAL lock_timeout = '${lockTimeout}'`)
  if (await isThere()) return false
  await client.query('SAVEPOINT headgate_making')
  try {
    await client.query(sql)
    return true
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT headgate_making')
    // Other programs know nothing of our lock. A view or an index may have the name as well.
    if (exists.has(codeOf(error) ?? '') && (await isThere())) return false
    throw error
  }
}

/** Empty where there is no such table. */
export async function tableColumns(client: pg.Client, table: PgTable): Promise<PgColumn[]> {
  const { rows } = await client.query<{
    name: string
    type: string
    base: string
    element: string
    generated: string
    exact: string | null
  }>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
            CASE y.typtype WHEN 'd' THEN format_type(y.typbasetype, y.typtypmod) ELSE format_type(a.atttypid, a.atttypmod) END AS base,
            CASE WHEN e.typtype = 'e' THEN 'enum' WHEN e.typnamespace = 'pg_catalog'::regnamespace THEN format_type(e.oid, NULL)
              ELSE concat((SELECT extname FROM pg_depend d JOIN pg_extension x ON x.oid = d.refobjid
                WHERE d.classid = 'pg_type'::regclass AND d.objid = e.oid AND d.deptype = 'e'), '.', e.typname) END AS element,
            (a.attgenerated <> '' OR a.attidentity = 'a')::text AS generated, l.collisdeterministic::text AS exact
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_type y ON y.oid = a.atttypid LEFT JOIN pg_collation l ON l.oid = a.attcollation
       JOIN pg_type b ON b.oid = CASE y.typtype WHEN 'd' THEN y.typbasetype ELSE y.oid END
       JOIN pg_type e ON e.oid = CASE WHEN b.typcategory = 'A' AND b.typelem <> 0 THEN b.typelem ELSE b.oid END
     WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p', 'f') AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY a.attnum`,
    [table.schema, table.table],
  )
  return rows.map((row) => ({
    name: row.name,
    type: row.type,
    kind: kindOf(row.type),
    generated: row.generated === 'true',
    bitwise: bitwiseTypes.test(row.type) && row.exact !== 'false',
    collated: row.exact !== null,
    base: row.base,
    element: row.element,
  }))
}

/** Types of which equal values have the same bytes; of text by its collation. */
const bitwiseTypes =
  /^(boolean|smallint|integer|bigint|oid|numeric\(.*\)|date|time(stamp)?(\(\d\))? with(out)? time zone|uuid|bytea|text|character varying(\(\d+\))?)$/

function kindOf(type: string): ValueKind | null {
  if (type.endsWith('[]')) return null
  if (/^(text|character|varchar|name|citext)/.test(type)) return 'text'
  if (type.startsWith('numeric')) return 'decimal'
  const logical = logicalTypeOf('postgres', type)
  // Types that we know nothing of (enums, networks, arrays) take what their own input function takes.
  return logical === null || logical === 'UUID' ? null : valueKindOf(logical)
}
