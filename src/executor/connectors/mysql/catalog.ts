import { shortened } from '../../../language/shortened.ts'
import type { ResourceDetail } from '../../../contract/connectors.ts'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { parseTableName } from '../../../language/task/table-name.ts'
import { EngineError } from '../../engine/errors.ts'
import { configOf } from '../config.ts'
import { sampleRows } from '../connector.types.ts'
import { foreignKeysOf } from '../foreign-keys.ts'
import { name } from '../../engine/sql-text.ts'
import { mysqlName, type MysqlField, type MysqlSession, type MysqlValue } from './client.ts'
import { requireKeepable } from './long-names.ts'
import { columnTypes, jsonOf } from './values.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export interface MysqlTable {
  schema: string
  table: string
  /** Quoted, with its database. */
  sql: string
}

/** The table that a task names. */
export function mysqlTable(wanted: string, connector: BoundConnector): MysqlTable {
  const parsed = parseTableName(wanted)
  if (!parsed)
    throw new EngineError('TABLE_NOT_FOUND', runMessage('mysql_table_name_invalid', { table: wanted }), {
      hint: runMessage('mysql_table_name_invalid_fix'),
    })
  const schema = parsed.schema ?? configOf(connector, 'mysql').database
  requireKeepable([schema, parsed.name], 'TABLE_NOT_FOUND')
  return { schema, table: parsed.name, sql: `${mysqlName(schema)}.${mysqlName(parsed.name)}` }
}

export interface MysqlColumn {
  name: string
  /** As declared: `int(10) unsigned`. */
  type: string
  nullable: boolean
  default: string | null
  primaryKey: boolean
  /** `auto_increment`, `STORED GENERATED` … */
  extra: string
  /** MariaDB keeps JSON as text with a check. */
  json: boolean
  /** Of text; null: the type has none. */
  collation: string | null
}

/** Empty where there is no such table. */
export async function mysqlColumns(session: MysqlSession, { schema, table }: MysqlTable): Promise<MysqlColumn[]> {
  const rows = await session.rows(
    `SELECT column_name, column_type, is_nullable, column_default, column_key, extra, collation_name
     FROM information_schema.columns WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position`,
    [schema, table],
  )
  const checked = rows.some(([, type]) => type === 'longtext') ? await jsonChecks(session, schema, table) : new Set()
  return rows.map(([column, type, nullable, byDefault, key, extra, collation]) => ({
    name: String(column),
    type: String(type),
    nullable: nullable === 'YES',
    // MariaDB writes the word for a column that has none.
    default: byDefault === null || byDefault === 'NULL' ? null : String(byDefault),
    primaryKey: key === 'PRI',
    extra: String(extra),
    json: type === 'json' || checked.has(String(column)),
    collation: collation === null || collation === undefined ? null : String(collation),
  }))
}

async function jsonChecks(session: MysqlSession, schema: string, table: string): Promise<ReadonlySet<string>> {
  try {
    const rows = await session.rows(
      `SELECT check_clause FROM information_schema.check_constraints WHERE constraint_schema = ? AND table_name = ?`,
      [schema, table],
    )
    return new Set(
      rows.flatMap(([clause]) => /^\(?json_valid\(`((?:[^`]|``)+)`\)\)?$/i.exec(String(clause))?.[1] ?? []),
    )
  } catch (error) {
    // MySQL's own view has no such column, and keeps JSON as JSON.
    if (error instanceof EngineError && error.code === 'COLUMN_NOT_FOUND') return new Set()
    throw error
  }
}

export async function describeTable(
  session: MysqlSession,
  wanted: string,
  connector: BoundConnector,
): Promise<ResourceDetail> {
  const place = mysqlTable(wanted, connector)
  const at = [place.schema, place.table]
  const [found] = await session.rows(
    `SELECT table_type, table_rows, data_length + index_length FROM information_schema.tables
     WHERE table_schema = ? AND table_name = ?`,
    at,
  )
  if (!found) {
    throw new EngineError(
      'TABLE_NOT_FOUND',
      runMessage('table_unknown', { table: wanted, connector: connector.name }),
      { hint: runMessage('table_unknown_fix') },
    )
  }
  const [kind, estimate, bytes] = found
  const view = kind === 'VIEW'
  const columns = await mysqlColumns(session, place)
  const indexes = await session.rows(
    `SELECT index_name, non_unique, coalesce(column_name, '(expression)') FROM information_schema.statistics
     WHERE table_schema = ? AND table_name = ? ORDER BY index_name, seq_in_index`,
    at,
  )
  return {
    name: wanted,
    kind: view ? 'view' : 'table',
    row_estimate: view || estimate === null ? null : Number(estimate),
    bytes: view || bytes === null ? null : Number(bytes),
    columns: columns.map((column) => ({
      name: column.name,
      type: column.type,
      nullable: column.nullable,
      primary_key: column.primaryKey,
      default: column.default,
    })),
    indexes: indexesOf(indexes),
    ...(await foreignKeysAt(session, place, connector)),
    sample: await sampleOf(session, place, columns),
  }
}

/** As a task writes it: without the database where it is the connector's own, quoted where it must be. */
export function displayName(schema: string, table: string, database: string): string {
  const part = (text: string): string =>
    parseTableName(text)?.name === text && !text.includes('.') ? text : name(text)
  return schema === database ? part(table) : `${part(schema)}.${part(table)}`
}

async function foreignKeysAt(
  session: MysqlSession,
  { schema, table }: MysqlTable,
  connector: BoundConnector,
): Promise<Pick<ResourceDetail, 'foreign_keys' | 'referenced_by'>> {
  const keys = async (own: string, other: string) => {
    const rows = await session.rows(
      `SELECT constraint_schema, table_name, constraint_name, ${other}table_schema, ${other}table_name, column_name, referenced_column_name
       FROM information_schema.key_column_usage
       WHERE ${own}table_schema = ? AND ${own}table_name = ? AND referenced_table_name IS NOT NULL
       ORDER BY constraint_schema, table_name, constraint_name, ordinal_position`,
      [schema, table],
    )
    return foreignKeysOf(
      rows.map(([place, from, name, otherSchema, otherTable, column, reference]) => ({
        key: JSON.stringify([place, from, name].map(String)),
        name: String(name),
        table: displayName(String(otherSchema), String(otherTable), configOf(connector, 'mysql').database),
        column: String(column),
        reference: String(reference),
      })),
    )
  }
  return { foreign_keys: await keys('', 'referenced_'), referenced_by: await keys('referenced_', '') }
}

function indexesOf(rows: MysqlValue[][]): ResourceDetail['indexes'] {
  const indexes = new Map<string, { name: string; unique: boolean; columns: string[] }>()
  for (const [index, nonUnique, column] of rows) {
    const key = String(index)
    const known = indexes.get(key) ?? { name: key, unique: Number(nonUnique) === 0, columns: [] }
    known.columns.push(String(column))
    indexes.set(key, known)
  }
  return [...indexes.values()]
}

async function sampleOf(
  session: MysqlSession,
  place: MysqlTable,
  columns: MysqlColumn[],
): Promise<ResourceDetail['sample']> {
  const sql = `SELECT ${await selectList(session, place, null)} FROM ${place.sql} LIMIT ${sampleRows}`
  let fields: MysqlField[] = []
  const rows: unknown[][] = []
  await session.each(sql, [], {
    fields(found) {
      fields = found
    },
    row: (row) => void rows.push(row.map((value, at) => shown(value, fields[at]))),
  })
  return { columns: columns.map((column) => ({ name: column.name, type: column.type })), rows }
}

function shown(value: MysqlValue, field: MysqlField | undefined): unknown {
  const json = field ? jsonOf(value, field) : null
  return typeof json === 'string' ? shortened(json, 10_000) : json
}

/** The columns of a table, as they can be read: shapes as text. `wanted`: null for all. */
export async function selectList(
  session: MysqlSession,
  { sql }: MysqlTable,
  wanted: readonly string[] | null,
): Promise<string> {
  const list = wanted === null ? '*' : wanted.map(mysqlName).join(', ')
  const fields = await session.columns(`SELECT ${list} FROM ${sql}`)
  return fields
    .map((field) =>
      field.columnType === columnTypes.geometry
        ? `ST_AsText(${mysqlName(field.name)}) AS ${mysqlName(field.name)}`
        : mysqlName(field.name),
    )
    .join(', ')
}
