import type { Column } from '../../contract/common.ts'
import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { TableTarget } from '../../language/task/targets/target.types.ts'
import { mysqlName, type MysqlSession } from '../connectors/mysql-client.ts'
import { numberOf } from '../connectors/mysql-errors.ts'
import { mysqlColumns, mysqlTable, type MysqlColumn, type MysqlTable } from '../connectors/mysql-table.ts'
import { EngineError, listNames } from '../engine/errors.ts'
import { planColumns, type ColumnPlan, type TableColumn } from './column-plan.ts'
import { keysOf, type MysqlKeys } from './mysql-keys.ts'
import { databaseTypeOf, logicalTypeOf, valueKindOf, type ValueKind } from './type-map.ts'

export interface ShapedTable extends MysqlTable {
  plan: ColumnPlan
  /** It was not there before. */
  made: boolean
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
  columns: readonly Column[],
  log: (message: string) => void,
): Promise<ShapedTable> {
  const table = mysqlTable(target.table, connector)
  const existing = await mysqlColumns(session, table)
  if (existing.length === 0) {
    if (!(await create(session, createSql(target, table, columns, await keyCollation(session)))))
      return shapeTable(session, target, connector, columns, log)
    log(`Made table ${target.table}`)
    const made = await mysqlColumns(session, table)
    const plan = planColumns(target, columns, made.map(described), 'mysql')
    return shaped(target, table, { plan, made: true }, made, false)
  }
  const plan = planColumns(target, columns, existing.map(described), 'mysql')
  await requireTransactions(session, target, table)
  const otherKeys = target.mode === 'upsert' && (await requireUniqueKey(session, target, table, existing))
  for (const column of plan.add) {
    await session.run(`ALTER TABLE ${table.sql} ADD COLUMN ${mysqlName(column.name)} ${column.type} NULL`)
    log(`Added column ${column.name} (${column.type}) to ${target.table}`)
  }
  for (const column of plan.widen) {
    await session.run(`ALTER TABLE ${table.sql} MODIFY COLUMN ${widened(target, existing, column)}`)
    log(`Widened column ${column.name} of ${target.table} from ${column.from} to ${column.type}`)
  }
  if (plan.discarded.length > 0) log(`Left out ${listNames(plan.discarded)}: ${target.table} has no such columns`)
  const changed = plan.add.length + plan.widen.length > 0
  return shaped(
    target,
    table,
    { plan, made: false },
    changed ? await mysqlColumns(session, table) : existing,
    otherKeys,
  )
}

function shaped(
  target: TableTarget,
  table: MysqlTable,
  { plan, made }: { plan: ColumnPlan; made: boolean },
  columns: readonly MysqlColumn[],
  otherKeys: boolean,
): ShapedTable {
  const types = new Map(columns.map(({ name, type }) => [name.toLowerCase(), type]))
  const keys = keysOf(target, { table: table.sql, types }, plan, columns)
  return { ...table, plan, columns, made, otherKeys, types, keys }
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

function createSql(target: TableTarget, table: MysqlTable, columns: readonly Column[], collation: string): string {
  const keys = new Set(target.key.map((key) => key.toLowerCase()))
  const unique = keys.size > 0 && target.mode !== 'delete_insert'
  const fields = columns.map((column) => {
    const key = keys.has(column.name.toLowerCase())
    const type = databaseTypeOf('mysql', column.type)
    const fitting = key ? keyType(type, keys.size, collation) : type
    return `${mysqlName(column.name)} ${fitting} ${key && unique ? 'NOT NULL' : 'NULL'}`
  })
  const list = target.key.map(mysqlName).join(', ')
  const index = keys.size === 0 ? '' : unique ? `, PRIMARY KEY (${list})` : `, INDEX headgate_by_key (${list})`
  return `CREATE TABLE ${table.sql} (${fields.join(', ')}${index}) ENGINE = InnoDB DEFAULT CHARACTER SET utf8mb4`
}

/** Bytes that an index holds of a row: 3,072. Texts that differ are different keys, as everywhere else. */
function keyType(type: string, keys: number, collation: string): string {
  const length = Math.min(255, Math.floor(760 / keys))
  if (type === 'longtext' || type === 'json') return `varchar(${length}) COLLATE ${collation}`
  if (type.startsWith('char')) return `${type} COLLATE ${collation}`
  return type === 'longblob' ? `varbinary(${length})` : type
}

function described(column: MysqlColumn): TableColumn {
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
      `Column \`${name}\` of ${target.table} is ${column.type} and has a default or more: it is not widened by itself`,
      { hint: `Widen it by hand: ALTER TABLE … MODIFY COLUMN ${mysqlName(name)} ${type} …, or add a \`cast\` step.` },
    )
  }
  return `${mysqlName(name)} ${type} ${column?.nullable === false ? 'NOT NULL' : 'NULL'}`
}

/** What is written to a table without transactions cannot be taken back, nor can be said how much of it was. */
async function requireTransactions(
  session: MysqlSession,
  target: TableTarget,
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
    `Table ${target.table} uses the storage engine ${String(engine)}, which has no transactions: a run that fails would leave part of its rows there`,
    { hint: `Convert the table: ALTER TABLE ${mysqlName(table)} ENGINE = InnoDB` },
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
    throw new EngineError('KEY_NOT_UNIQUE', `Table ${target.table} has no unique index on (${target.key.join(', ')})`, {
      hint: `An upsert finds its rows by it: CREATE UNIQUE INDEX ${mysqlName(`${table}_key`)} ON ${sql} (${target.key.map(mysqlName).join(', ')})`,
    })
  }
  // A key that the database fills itself (auto_increment) is met by no row that does not name it.
  const written = new Set(
    columns.filter((column) => !/auto_increment/i.test(column.extra)).map((column) => column.name.toLowerCase()),
  )
  return all.some((index) => !matching.includes(index) && index.columns.some((column) => written.has(column)))
}
