import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { TaskPreview } from '../../contract/task-preview.ts'
import type { TableTarget, TaskTarget } from '../../language/task/targets/target.types.ts'
import { duckDbFile } from '../connectors/duckdb/file.ts'
import { withMysql } from '../connectors/mysql/client.ts'
import { mysqlColumns, mysqlTable } from '../connectors/mysql/catalog.ts'
import { withPostgres } from '../connectors/postgres/client.ts'
import { openSqlite, whenUnlocked } from '../connectors/sqlite/database.ts'
import type { DuckDbFile } from '../engine/attached-files.ts'
import type { StreamColumn } from '../engine/column-origin.ts'
import { EngineError, asEngineError } from '../engine/errors.ts'
import type { StageContext } from '../engine/lane.types.ts'
import type { RowStream } from '../engine/stream.ts'
import { findDrift, type TableColumn } from './column-plan.ts'
import { findOutgrown } from './outgrown.ts'
import * as duckdb from '../connectors/duckdb/table.ts'
import * as mysql from '../connectors/mysql/table.ts'
import { keptTypes } from '../connectors/postgres/kept.ts'
import * as postgres from '../connectors/postgres/table.ts'
import * as sqlite from '../connectors/sqlite/table.ts'
import type { DatabaseType } from './type-map.ts'

/** A table that is there, as far as it decides what differs. No columns: there is none. */
interface Look {
  /** `base`: of PostgreSQL, without what a domain adds. */
  columns: readonly (TableColumn & { base?: string })[]
  types?: ReadonlyMap<string, string>
  narrow?: ReadonlyMap<string, string | null>
}

type Looker = (
  target: TableTarget,
  connector: BoundConnector,
  rows: readonly StreamColumn[],
  context: StageContext,
) => Promise<Look>

const quiet = (): void => undefined

export const lookers: Record<DatabaseType, Looker> = {
  postgres: (target, connector, rows, { signal }) =>
    withPostgres(connector, signal, async (client) => ({
      columns: await postgres.tableColumns(client, postgres.tableOf(target, connector)),
      types: await keptTypes(client, rows, quiet),
    })),
  mysql: (target, connector, rows, { signal }) =>
    withMysql(connector, signal, async (session) => ({
      columns: (await mysqlColumns(session, mysqlTable(target.table, connector))).map(mysql.described),
      types: await mysql.keptTypes(session, rows, quiet),
    })),
  async sqlite(target, connector, rows, { signal }) {
    const database = openSqlite(connector, 'read')
    try {
      const table = sqlite.tableOf(target)
      const columns = await whenUnlocked(connector, signal, () => sqlite.tableColumns(database, table))
      return { columns, types: sqlite.keptTypes(rows) }
    } finally {
      database.close()
    }
  },
  async duckdb(target, connector, rows, { session }) {
    const table = duckdb.tableOf(target, await session.attach((await duckDbFile(connector, 'read')).path))
    const columns = await duckdb.tableColumns(session, table)
    return { columns, narrow: await duckdb.narrowColumns(session, rows, columns) }
  },
}

export function isDatabase(type: string): type is DatabaseType {
  return Object.hasOwn(lookers, type)
}

/** Files that a session must be able to attach to look at the target. */
export async function lookFiles(target: TaskTarget, connector: BoundConnector | undefined): Promise<DuckDbFile[]> {
  if (target.kind !== 'table' || connector?.type !== 'duckdb') return []
  // What is wrong with it is told by the look itself.
  return duckDbFile(connector, 'read').then(
    (file) => [file],
    () => [],
  )
}

/** Where these rows differ from the table that they would go into, which is only looked at; undefined: the target is no table. */
export async function lookAtTarget(
  target: TaskTarget,
  connector: BoundConnector | undefined,
  rows: RowStream,
  context: StageContext,
): Promise<TaskPreview['target']> {
  if (target.kind !== 'table' || !connector || !isDatabase(connector.type)) return undefined
  const { table } = target
  try {
    const { columns, types, narrow } = await lookers[connector.type](target, connector, rows.columns, context)
    const outgrown = await findOutgrown(target, rows, columns, connector.type, context)
    const options = { ...(types ? { types } : {}), narrow: new Map([...outgrown.narrow, ...(narrow ?? [])]) }
    const drift = columns.length === 0 ? [] : findDrift(target, rows.columns, columns, connector.type, options)
    return {
      table,
      exists: columns.length > 0,
      drift: drift.map(({ column, there, coming, outcome }) => ({ column, there, coming, outcome })),
    }
  } catch (thrown) {
    const error = asEngineError(thrown)
    if (error.code === 'CANCELLED') throw error
    // Its file is made by the first run.
    if (error instanceof EngineError && error.code === 'DATABASE_NOT_FOUND') return { table, exists: false, drift: [] }
    const { code, message, hint } = error
    return { table, exists: false, drift: [], error: { code, message, ...(hint === undefined ? {} : { hint }) } }
  }
}
