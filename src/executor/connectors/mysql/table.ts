import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import { mysqlName, type MysqlSession } from './client.ts'
import { numberOf } from './errors.ts'
import { mysqlColumns, mysqlTable, type MysqlColumn, type MysqlTable } from './catalog.ts'
import { takesDeclared } from './origins.ts'
import { originOf, type StreamColumn } from '../../engine/column-origin.ts'
import { EngineError, listNames } from '../../engine/errors.ts'
import { planColumns, type ColumnPlan, type Shaping, type TableColumn } from '../../targets/column-plan.ts'
import { keptConstraints, type KeptConstraints } from '../../targets/kept-constraints.ts'
import { requireKeepable } from './long-names.ts'
import { keysOf, type MysqlKeys } from './keys.ts'
import { makeBeside, type TableBeside } from './recreate.ts'
import { databaseTypeOf, logicalTypeOf, valueKindOf, type ValueKind } from '../../targets/type-map.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export interface ShapedTable extends MysqlTable {
  plan: ColumnPlan
  /** It was not there before. */
  made: boolean
  /** It is to take the place of the one that there is; null: it is that. */
  beside: TableBeside | null
  columns: readonly MysqlColumn[]
  /** Declared types, by name in lower case. */
  types: ReadonlyMap<string, string>
  /** A row may meet another one by more than the key of an upsert. */
  otherKeys: boolean
  keys: MysqlKeys
}

/**
 * Makes the table, or fits it to the columns as far as the task allows. Every change of a table commits by itself in MySQL: they are made
 * before the rows are, and what a run that fails leaves is at most a new column without values.
 */
export async function shapeTable(
  session: MysqlSession,
  target: TableTarget,
  connector: BoundConnector,
  columns: readonly StreamColumn[],
  shaping: Shaping & { warn(message: string): void },
): Promise<ShapedTable> {
  const { log, drift, warn, outgrown } = shaping
  const table = mysqlTable(target.table, connector)
  const existing = await mysqlColumns(session, table)
  const making = existing.length === 0
  const types = await keptTypes(session, columns, making ? log : () => undefined)
  if (making) {
    requireKeepable(
      columns.map((column) => column.name),
      'SCHEMA_MISMATCH',
    )
    const kept = keptConstraints(target, columns, types, log)
    if (!(await create(session, createSql(target, table, columns, { types, ...kept }, await keyCollation(session)))))
      return shapeTable(session, target, connector, columns, shaping)
    log(`Made table ${target.table}`)
    const made = await mysqlColumns(session, table)
    const plan = planColumns(target, columns, made.map(described), 'mysql')
    return shaped(target, table, { plan, made: true, beside: null }, made, false)
  }
  const there = existing.map(described)
  const narrow = (await outgrown?.(there)) ?? new Map<string, null>()
  const plan = planColumns(target, columns, there, 'mysql', { types, narrow, drift })
  await requireTransactions(session, target.table, table)
  const otherKeys = target.mode === 'upsert' && (await requireUniqueKey(session, target, table, existing))
  requireKeepable(
    plan.add.map((column) => column.name),
    'SCHEMA_MISMATCH',
  )
  for (const column of plan.add) {
    await session.run(`ALTER TABLE ${table.sql} ADD COLUMN ${mysqlName(column.name)} ${column.type} NULL`)
    log(`Added column ${column.name} (${column.type}) to ${target.table}`)
  }
  for (const column of plan.widen) {
    await session.run(`ALTER TABLE ${table.sql} MODIFY COLUMN ${widened(target, existing, column)}`)
    log(`Widened column ${column.name} of ${target.table} from ${column.from} to ${column.type}`)
  }
  if (plan.discarded.length > 0) log(`Left out ${listNames(plan.discarded)}: ${target.table} has no such columns`)
  if (plan.recreate.length > 0) {
    const beside = await makeBeside(session, table, plan.recreate, { log, warn })
    const columns = await mysqlColumns(session, beside.table)
    return shaped(target, beside.table, { plan, made: false, beside }, columns, otherKeys)
  }
  const changed = plan.add.length + plan.widen.length > 0
  return shaped(
    target,
    table,
    { plan, made: false, beside: null },
    changed ? await mysqlColumns(session, table) : existing,
    otherKeys,
  )
}

function shaped(
  target: TableTarget,
  table: MysqlTable,
  how: Pick<ShapedTable, 'plan' | 'made' | 'beside'>,
  columns: readonly MysqlColumn[],
  otherKeys: boolean,
): ShapedTable {
  const types = new Map(columns.map(({ name, type }) => [name.toLowerCase(), type]))
  const keys = keysOf(target, { table: table.sql, types }, how.plan, columns)
  return { ...table, ...how, columns, otherKeys, types, keys }
}

/** “Table already exists” */
const exists = 1050

/** false: another run has been faster. */
async function create(session: MysqlSession, sql: string): Promise<boolean> {
  try {
    await session.run(sql)
    return true
  } catch (error) {
    if (error instanceof EngineError && numberOf(error.cause) === exists) return false
    throw error
  }
}

/** A collation by which keys differ whenever their bytes do, also in blanks at the end: MariaDB’s, that of MySQL 8, or what comes closest. */
async function keyCollation(session: MysqlSession): Promise<string> {
  const [[found] = []] = await session.rows(
    `SELECT min(collation_name) FROM information_schema.collations WHERE collation_name IN ('utf8mb4_nopad_bin', 'utf8mb4_0900_bin')`,
  )
  return found === null || found === undefined ? 'utf8mb4_bin' : String(found)
}

/** Columns of a MySQL source that this server can keep as they are declared there. What cannot be kept is told. */
export async function keptTypes(
  session: MysqlSession,
  columns: readonly StreamColumn[],
  log: (message: string) => void,
): Promise<Map<string, string>> {
  const from = columns.flatMap((column) => {
    const origin = originOf(column, 'mysql')
    return origin ? [{ column, origin }] : []
  })
  const takes = await takesDeclared(
    session,
    from.map(({ origin }) => origin),
  )
  const kept = from.filter(({ origin }) => takes(origin))
  for (const { column, origin } of from)
    if (!takes(origin))
      log(
        `Column \`${column.name}\` is ${origin.declared} in the source and becomes ${databaseTypeOf('mysql', column.type)}: not every server has that type`,
      )
  return new Map(kept.map(({ column, origin }) => [column.name, origin.declared]))
}

function createSql(
  target: TableTarget,
  table: MysqlTable,
  columns: readonly StreamColumn[],
  { types, notNull, primaryKey }: KeptConstraints & { types: ReadonlyMap<string, string> },
  collation: string,
): string {
  const keyed = target.key.length > 0 ? target.key : primaryKey
  const keys = new Set(target.key.map((key) => key.toLowerCase()))
  const unique = keyed.length > 0 && target.mode !== 'delete_insert'
  const fields = columns.map((column) => {
    const key = keys.has(column.name.toLowerCase())
    const type = databaseTypeOf('mysql', column.type)
    const fitting = key ? keyType(type, keys.size, collation) : (types.get(column.name) ?? type)
    const required = (key && unique) || notNull.has(column.name)
    return `${mysqlName(column.name)} ${fitting} ${required ? 'NOT NULL' : 'NULL'}`
  })
  const list = keyed.map(mysqlName).join(', ')
  const index = keyed.length === 0 ? '' : unique ? `, PRIMARY KEY (${list})` : `, INDEX headgate_by_key (${list})`
  return `CREATE TABLE ${table.sql} (${fields.join(', ')}${index}) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4`
}

/** Bytes that an index holds of a row: 3,072. Texts that differ are different keys, as everywhere else. */
function keyType(type: string, keys: number, collation: string): string {
  const length = Math.min(255, Math.floor(760 / keys))
  if (type === 'longtext' || type === 'json') return `varchar(${length}) COLLATE ${collation}`
  if (type.startsWith('char')) return `${type} COLLATE ${collation}`
  return type === 'longblob' ? `varbinary(${length})` : type
}

export function described(column: MysqlColumn): TableColumn {
  return {
    name: column.name,
    type: column.type,
    kind: column.json ? 'json' : kindOf(column.type),
    generated: /GENERATED/i.test(column.extra) && !/DEFAULT_GENERATED/i.test(column.extra),
  }
}

function kindOf(type: string): ValueKind | null {
  if (/^(char|varchar|tinytext|text|mediumtext|longtext)/.test(type)) return 'text'
  const logical = logicalTypeOf('mysql', type)
  // Types that we know nothing of (enums, sets, shapes, networks) take what their own input takes.
  return logical === null ? null : valueKindOf(logical)
}

/** MODIFY says a column anew: what else it has, but for NOT NULL, would be lost. */
function widened(
  target: TableTarget,
  existing: readonly MysqlColumn[],
  { name, type }: { name: string; type: string },
): string {
  const column = existing.find((one) => one.name === name)
  if (column && (column.default !== null || column.extra !== '')) {
    throw new EngineError(
      'SCHEMA_MISMATCH',
      runMessage('column_not_widened', { name, table: target.table, type: column.type }),
      { hint: runMessage('column_not_widened_fix', { name: mysqlName(name), type }) },
    )
  }
  return `${mysqlName(name)} ${type} ${column?.nullable === false ? 'NOT NULL' : 'NULL'}`
}

/** What is written to a table without transactions cannot be taken back, nor can be said how much of it was. */
export async function requireTransactions(
  session: MysqlSession,
  wanted: string,
  { schema, table }: MysqlTable,
): Promise<void> {
  const [[engine, transactions] = []] = await session.rows(
    `SELECT t.engine, e.transactions FROM information_schema.tables t JOIN information_schema.engines e ON e.engine = t.engine
     WHERE t.table_schema = ? AND t.table_name = ?`,
    [schema, table],
  )
  if (engine === undefined || transactions === 'YES') return
  throw new EngineError(
    'CONNECTOR_UNSUITABLE',
    runMessage('engine_without_transactions', { table: wanted, engine: String(engine) }),
    { hint: runMessage('engine_without_transactions_fix', { table: mysqlName(table) }) },
  )
}

/** Whether there are further unique keys beside the one of the upsert, which must be there. */
async function requireUniqueKey(
  session: MysqlSession,
  target: TableTarget,
  { schema, table, sql }: MysqlTable,
  columns: readonly MysqlColumn[],
): Promise<boolean> {
  const rows = await session.rows(
    `SELECT index_name, column_name, sub_part FROM information_schema.statistics
     WHERE table_schema = ? AND table_name = ? AND non_unique = 0 ORDER BY index_name, seq_in_index`,
    [schema, table],
  )
  const indexes = new Map<string, { columns: string[]; whole: boolean }>()
  for (const [index, column, part] of rows) {
    const found = indexes.get(String(index)) ?? { columns: [], whole: true }
    found.columns.push(String(column).toLowerCase())
    // A key over the beginning of a text does not tell texts apart.
    if (part !== null || column === null) found.whole = false
    indexes.set(String(index), found)
  }
  const fold = (names: readonly string[]): string =>
    names
      .map((one) => one.toLowerCase())
      .toSorted()
      .join('\n')
  const all = [...indexes.values()]
  const matching = all.filter((index) => index.whole && fold(index.columns) === fold(target.key))
  if (matching.length === 0) {
    throw new EngineError('KEY_NOT_UNIQUE', runMessage('no_unique_index', { table: target.table, key: target.key }), {
      hint: runMessage('no_unique_index_fix_mysql', {
        value: mysqlName(`${table}_key`),
        sql,
        key: target.key.map(mysqlName),
      }),
    })
  }
  // A key that the database fills itself (auto_increment) is met by no row that does not name it.
  const written = new Set(
    columns.filter((column) => !/auto_increment/i.test(column.extra)).map((column) => column.name.toLowerCase()),
  )
  return all.some((index) => !matching.includes(index) && index.columns.some((column) => written.has(column)))
}
