import { existsSync } from 'node:fs'
import type { ForeignKey, ResourceDetail, ResourceList, ResourceSummary } from '../../../contract/connectors.ts'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { parseTableName } from '../../../language/task/table-name.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { EngineError } from '../../engine/errors.ts'
import { shownRow } from '../../engine/json-values.ts'
import { indexColumns, name, text } from '../../engine/sql-text.ts'
import type { CallIo } from '../../worker-protocol.ts'
import { runChecks } from '../checks.ts'
import { configOf } from '../config.ts'
import { mostResources, sampleRows, type ConnectorRunner } from '../connector.types.ts'
import { duckDbError, openDuckDb } from './file.ts'
import { folderWritable } from '../folder-writable.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** A test is waited for: a lock that lasts longer than this is told rather than sat out. */
const probeTimeoutMs = 2000

type Ask = (sql: string) => Promise<unknown[][]>

export const duckdbConnector: ConnectorRunner = {
  type: 'duckdb',
  async test(connector, io) {
    const { path, read_only: readOnly } = configOf(connector, 'duckdb')
    // A database that does not exist yet is made by the first task that writes to it.
    const missing = !existsSync(path)
    const read = {
      name: 'read_probe',
      run: () => probe(connector, 'read', io, (ask) => ask('SELECT count(*) FROM duckdb_tables()')),
    }
    const write = {
      name: 'write_probe',
      run: () =>
        probe(connector, 'write', io, async (ask) => {
          await ask('BEGIN TRANSACTION')
          await ask('CREATE TABLE headgate_probe (id INTEGER)')
          await ask('ROLLBACK')
        }),
    }
    return runChecks([
      {
        name: 'open',
        run: () =>
          missing
            ? folderWritable(path, readOnly === true, connector.name)
            : probe(connector, 'read', io, async () => undefined),
      },
      ...(missing ? [] : [read]),
      ...(missing || readOnly === true ? [] : [write]),
    ])
  },
  listResources: (connector, q, io) => probe(connector, 'read', io, (ask, alias) => list(ask, alias, q)),
  getResource: (connector, wanted, io) =>
    probe(connector, 'read', io, (ask, alias) => describe(ask, alias, wanted, connector)),
}

async function probe<T>(
  connector: BoundConnector,
  mode: 'read' | 'write',
  io: CallIo,
  work: (ask: Ask, alias: string) => Promise<T>,
): Promise<T> {
  const { connection, alias, close } = await openDuckDb(connector, mode, {
    signal: io.signal,
    tempDir: io.tempDir,
    timeoutMs: probeTimeoutMs,
  })
  try {
    return await work(async (sql) => (await connection.runAndReadAll(sql)).getRows().map(shownRow), alias)
  } catch (error) {
    throw io.signal.aborted ? cancelled() : duckDbError(error, connector, alias)
  } finally {
    close()
  }
}

/** Tables of the default schema by their bare name, as tasks write them. */
const shownName = `CASE WHEN schema_name = 'main' THEN '' ELSE schema_name || '.' END`

function everything(alias: string): string {
  return `(SELECT schema_name, table_name AS item, 'table' AS kind, estimated_size AS size FROM duckdb_tables() WHERE database_name = ${text(alias)}
    UNION ALL SELECT schema_name, view_name, 'view', NULL FROM duckdb_views() WHERE database_name = ${text(alias)} AND NOT internal)`
}

async function list(ask: Ask, alias: string, q: string | null): Promise<ResourceList> {
  const rows = await ask(
    `SELECT ${shownName} || item AS shown, kind, size FROM ${everything(alias)}
     WHERE contains(lower(shown), lower(${text(q ?? '')})) ORDER BY shown LIMIT ${mostResources + 1}`,
  )
  const resources = rows.slice(0, mostResources).map(([shown, kind, size]): ResourceSummary => ({
    name: String(shown),
    kind: kind === 'view' ? 'view' : 'table',
    row_estimate: size === null ? null : Number(size),
    bytes: null,
  }))
  return { resources, truncated: rows.length > mostResources }
}

async function describe(ask: Ask, alias: string, wanted: string, connector: BoundConnector): Promise<ResourceDetail> {
  const parsed = parseTableName(wanted)
  const [schema, table] = [parsed?.schema ?? 'main', parsed?.name ?? wanted]
  const same = (column: string): string =>
    `lower(schema_name) = lower(${text(schema)}) AND lower(${column}) = lower(${text(table)})`
  const [found] = await ask(
    `SELECT ${shownName} || item, kind, size, schema_name, item FROM ${everything(alias)} WHERE ${same('item')}`,
  )
  if (!found) {
    throw new EngineError(
      'TABLE_NOT_FOUND',
      runMessage('table_unknown', { table: wanted, connector: connector.name }),
      { hint: runMessage('table_unknown_fix') },
    )
  }
  const here = `database_name = ${text(alias)} AND ${same('table_name')}`
  const columns = await ask(
    `SELECT column_name, data_type, is_nullable, column_default FROM duckdb_columns() WHERE ${here} ORDER BY column_index`,
  )
  const keys = await ask(
    `SELECT constraint_type, constraint_column_names FROM duckdb_constraints() WHERE ${here} AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')`,
  )
  const indexes = await ask(
    `SELECT index_name, is_unique, ${indexColumns} FROM duckdb_indexes() WHERE ${here} ORDER BY index_name`,
  )
  // Both ends are in one schema.
  const referring = await ask(
    `SELECT constraint_name, ${shownName} || table_name, constraint_column_names, referenced_column_names FROM duckdb_constraints()
     WHERE database_name = ${text(alias)} AND ${same('referenced_table')} AND constraint_type = 'FOREIGN KEY' ORDER BY table_name, constraint_index`,
  )
  const references = await ask(
    `SELECT constraint_name, ${shownName} || referenced_table, constraint_column_names, referenced_column_names FROM duckdb_constraints()
     WHERE ${here} AND constraint_type = 'FOREIGN KEY' ORDER BY constraint_index`,
  )
  const primary = new Set(keys.filter(([type]) => type === 'PRIMARY KEY').flatMap(([, names]) => listed(names)))
  const sample = await ask(
    `SELECT * FROM ${name(alias)}.${name(String(found[3]))}.${name(String(found[4]))} LIMIT ${sampleRows}`,
  )
  return {
    name: String(found[0]),
    kind: found[1] === 'view' ? 'view' : 'table',
    row_estimate: found[2] === null ? null : Number(found[2]),
    bytes: null,
    columns: columns.map(([column, type, nullable, standard]) => ({
      name: String(column),
      type: String(type),
      nullable: nullable === true,
      primary_key: primary.has(String(column)),
      default: typeof standard === 'string' ? standard : null,
    })),
    indexes: [
      ...keys.map(([type, names]) => ({
        name: String(type).toLowerCase(),
        columns: listed(names),
        unique: true,
      })),
      ...indexes.map(([index, unique, names]) => ({
        name: String(index),
        columns: listed(names),
        unique: unique === true,
      })),
    ],
    foreign_keys: references.map(foreignKey),
    referenced_by: referring.map(foreignKey),
    sample: {
      columns: columns.map(([column, type]) => ({ name: String(column), type: String(type) })),
      rows: sample,
    },
  }
}

function foreignKey([constraint, table, columns, references]: unknown[]): ForeignKey {
  return { name: String(constraint), table: String(table), columns: listed(columns), references: listed(references) }
}

function listed(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
