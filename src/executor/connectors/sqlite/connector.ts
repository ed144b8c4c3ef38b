import type { Database } from 'better-sqlite3'
import { existsSync } from 'node:fs'
import type { ResourceDetail, ResourceSummary } from '../../../contract/connectors.ts'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { parseTableName } from '../../../language/task/table-name.ts'
import { EngineError } from '../../engine/errors.ts'
import { name } from '../../engine/sql-text.ts'
import type { CallIo } from '../../worker-protocol.ts'
import { runChecks } from '../checks.ts'
import { configOf } from '../config.ts'
import { mostResources, sampleRows, type ConnectorRunner } from '../connector.types.ts'
import { foreignKeysOf, type ForeignKeyPart } from '../foreign-keys.ts'
import { folderWritable } from '../folder-writable.ts'
import { openSqlite, whenUnlocked } from './database.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** A test is waited for: a lock that lasts longer than this is told rather than sat out. */
const probeTimeoutMs = 2000

export const sqliteConnector: ConnectorRunner = {
  type: 'sqlite',
  async test(connector, io) {
    const { path, read_only: readOnly } = configOf(connector, 'sqlite')
    // A database that does not exist yet is made by the first task that writes to it.
    const missing = !existsSync(path)
    const within = <T>(access: 'read' | 'write', work: (database: Database) => T): Promise<T> =>
      probe(connector, access, io, work)
    return runChecks([
      {
        name: 'open',
        run: () =>
          missing ? folderWritable(path, readOnly === true, connector.name) : within('read', () => undefined),
      },
      ...(missing
        ? []
        : [
            {
              name: 'read_probe',
              run: () => within('read', (database) => database.prepare('SELECT count(*) FROM sqlite_schema').get()),
            },
          ]),
      ...(missing || readOnly === true
        ? []
        : [
            {
              name: 'write_probe',
              run: () => within('write', (database) => database.exec('BEGIN IMMEDIATE; ROLLBACK')),
            },
          ]),
    ])
  },
  listResources: (connector, q, io) =>
    probe(connector, 'read', io, (database) => {
      const rows = database
        .prepare(
          `SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
           AND instr(lower(name), lower(?)) > 0 ORDER BY name LIMIT ?`,
        )
        .all(q ?? '', mostResources + 1) as { name: string; type: 'table' | 'view' }[] // by the query
      const resources = rows.slice(0, mostResources).map((row): ResourceSummary => ({
        name: row.name,
        kind: row.type,
        row_estimate: row.type === 'table' ? rowEstimate(database, row.name) : null,
        bytes: null,
      }))
      return { resources, truncated: rows.length > mostResources }
    }),
  getResource: (connector, wanted, io) =>
    probe(connector, 'read', io, (database) => describeTable(database, wanted, connector)),
}

async function probe<T>(
  connector: BoundConnector,
  access: 'read' | 'write',
  io: CallIo,
  work: (database: Database) => T,
): Promise<T> {
  const database = openSqlite(connector, access)
  try {
    return await whenUnlocked(connector, io.signal, () => work(database), probeTimeoutMs)
  } finally {
    database.close()
  }
}

/** Counted as far as that costs nothing. */
const mostCounted = 1000
/** A row of a table takes its header, its key and a place in its page. */
const leastRowBytes = 6

/** The count of a short table; else what ANALYZE left, or the span of its rowids, of which no more can exist than the file has room for. */
function rowEstimate(database: Database, table: string): number | null {
  const one = (sql: string, ...values: unknown[]): unknown =>
    database
      .prepare(sql)
      .pluck()
      .get(...values)
  try {
    const counted = Number(one(`SELECT count(*) FROM (SELECT 1 FROM ${name(table)} LIMIT ${mostCounted + 1})`))
    if (counted <= mostCounted) return counted
    if (one(`SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'`) !== undefined) {
      const stat = one(`SELECT stat FROM sqlite_stat1 WHERE tbl = ? LIMIT 1`, table)
      const rows = typeof stat === 'string' ? Number(stat.split(' ')[0]) : Number.NaN
      if (Number.isSafeInteger(rows)) return rows
    }
    const span = one(`SELECT max(rowid) - 1.0 * min(rowid) + 1 FROM ${name(table)}`)
    const bytes = one('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size')
    return Math.max(counted, Math.min(Number(span), Math.floor(Number(bytes) / leastRowBytes)))
  } catch {
    return null // a WITHOUT ROWID table has no rowid; a virtual one may not open
  }
}

interface ColumnRow {
  name: string
  type: string
  notnull: number
  dflt_value: string | null
  pk: number
  hidden: number
}

function describeTable(database: Database, wanted: string, connector: BoundConnector): ResourceDetail {
  const table = parseTableName(wanted)?.name ?? wanted
  const found = database
    .prepare(`SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') AND lower(name) = lower(?)`)
    .get(table) as { name: string; type: 'table' | 'view' } | undefined // by the query
  if (!found) {
    throw new EngineError(
      'TABLE_NOT_FOUND',
      runMessage('table_unknown', { table: wanted, connector: connector.name }),
      { hint: runMessage('table_unknown_fix') },
    )
  }
  const columns = (database.prepare(`SELECT * FROM pragma_table_xinfo(?)`).all(found.name) as ColumnRow[]).filter(
    (row) => row.hidden !== 1,
  ) // shape of the pragma
  const statement = database.prepare(`SELECT * FROM ${name(found.name)} LIMIT ${sampleRows}`)
  const described = statement.columns().map((column) => ({ name: column.name, type: column.type ?? '' }))
  const rows = statement.raw().safeIntegers().all() as unknown[][] // raw rows are lists
  return {
    name: found.name,
    kind: found.type,
    row_estimate: found.type === 'table' ? rowEstimate(database, found.name) : null,
    bytes: null,
    columns: columns.map((row) => ({
      name: row.name,
      type: row.type,
      nullable: row.notnull === 0 && row.pk === 0,
      primary_key: row.pk > 0,
      default: row.dflt_value,
    })),
    indexes: indexesOf(database, found.name),
    ...foreignKeysAt(database, found.name),
    sample: { columns: described, rows: rows.map((row) => row.map(jsonValue)) },
  }
}

/** A key that names no columns refers to the primary key. What it refers to may not be there. */
function foreignKeysAt(
  database: Database,
  table: string,
): Required<Pick<ResourceDetail, 'foreign_keys' | 'referenced_by'>> {
  const keys = (where: string, other: string) =>
    database
      .prepare(
        `SELECT child.name || ' ' || k.id AS key, NULL AS name, ${other} AS "table", k."from" AS "column",
           coalesce(k."to", (SELECT name FROM pragma_table_info(k."table") WHERE pk = k.seq + 1)) AS reference
         FROM sqlite_schema child JOIN pragma_foreign_key_list(child.name) k
         LEFT JOIN sqlite_schema parent ON parent.type = 'table' AND lower(parent.name) = lower(k."table")
         WHERE child.type = 'table' AND ${where} ORDER BY child.name, k.id, k.seq`,
      )
      .all(table) as (Omit<ForeignKeyPart, 'reference'> & { key: string; reference: string | null })[] // by the query
  const known = (where: string, other: string) =>
    foreignKeysOf(
      keys(where, other).flatMap(({ reference, ...key }) => (reference === null ? [] : [{ ...key, reference }])),
    )
  return {
    foreign_keys: known('child.name = ?', 'coalesce(parent.name, k."table")'),
    referenced_by: known('parent.name = ?', 'child.name'),
  }
}

function indexesOf(database: Database, table: string): ResourceDetail['indexes'] {
  const rows = database.prepare(`SELECT name, "unique" AS uniq FROM pragma_index_list(?) ORDER BY name`).all(table) as {
    name: string
    uniq: number
  }[] // by the query
  return rows.map((row) => ({
    name: row.name,
    columns: database
      .prepare(`SELECT coalesce(name, '(expression)') FROM pragma_index_info(?) ORDER BY seqno`)
      .pluck()
      .all(row.name) as string[], // text by the query
    unique: row.uniq === 1,
  }))
}

function jsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64').slice(0, 10_000)
  return typeof value === 'string' ? value.slice(0, 10_000) : value
}
