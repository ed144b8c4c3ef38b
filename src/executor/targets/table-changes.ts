import type { Column } from '../../contract/common.ts'
import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { TableTarget } from '../../language/task/targets/target.types.ts'
import { withMysql } from '../connectors/mysql-client.ts'
import { mysqlColumns, mysqlTable } from '../connectors/mysql-table.ts'
import { withPostgres } from '../connectors/postgres-client.ts'
import { openSqlite } from '../connectors/sqlite-database.ts'
import type { ChangeTest } from '../engine/changes.ts'
import { codeOf } from '../engine/errors.ts'
import type { StageContext } from '../engine/lane.types.ts'
import type { ColumnPlan } from './column-plan.ts'
import { duckDbChanges } from './duckdb-values.ts'
import { mysqlChanges } from './mysql-literals.ts'
import { postgresChanges } from './postgres-exact.ts'
import * as postgres from './postgres-table.ts'
import { sqliteChanges } from './sqlite-values.ts'
import * as sqlite from './sqlite-table.ts'
import { databaseTypeOf, type DatabaseType } from './type-map.ts'

/** A column of a table, as declared. */
interface Declared {
  name: string
  type: string
}

const testsOf: Record<DatabaseType, (writes: ColumnPlan['writes'], columns: readonly Declared[]) => ChangeTest[]> = {
  sqlite: sqliteChanges,
  postgres: postgresChanges,
  mysql: mysqlChanges,
  duckdb: duckDbChanges,
}

/** Values that a table changes. `existing`: its columns; others become what a new column would. */
export function changesInto(
  database: DatabaseType,
  columns: readonly Column[],
  existing: readonly Declared[],
): ChangeTest[] {
  const into = columns.map((from) => {
    const found = existing.find((column) => column.name.toLowerCase() === from.name.toLowerCase())
    return { from, to: found ?? { name: from.name, type: databaseTypeOf(database, from.type) } }
  })
  return testsOf[database](
    into.map(({ from, to }) => ({ from, to: to.name })),
    into.map(({ to }) => to),
  )
}

const lookers: Record<
  Exclude<DatabaseType, 'duckdb'>,
  (target: TableTarget, connector: BoundConnector, context: StageContext) => Promise<readonly Declared[]>
> = {
  async sqlite(target, connector) {
    const database = openSqlite(connector, 'read')
    try {
      return sqlite.tableColumns(database, sqlite.tableOf(target))
    } finally {
      database.close()
    }
  },
  postgres: (target, connector, { signal }) =>
    withPostgres(connector, signal, async (client) => {
      const columns = await postgres.tableColumns(client, postgres.tableOf(target, connector))
      return columns.map(({ name, base }) => ({ name, type: base }))
    }),
  mysql: (target, connector, { signal }) =>
    withMysql(connector, signal, (session) => mysqlColumns(session, mysqlTable(target.table, connector))),
}

/** For the preview: the table is looked at, and nothing is written. */
export async function tableChanges(
  target: TableTarget,
  columns: readonly Column[],
  context: StageContext,
): Promise<readonly ChangeTest[]> {
  const connector = context.connector(target.connector)
  if (connector.type === 'duckdb') return changesInto('duckdb', columns, [])
  if (connector.type !== 'sqlite' && connector.type !== 'postgres' && connector.type !== 'mysql') return []
  try {
    return changesInto(connector.type, columns, await lookers[connector.type](target, connector, context))
  } catch (error) {
    // A database that is not there yet is made by the run.
    if (codeOf(error) === 'CANCELLED') throw error
    return changesInto(connector.type, columns, [])
  }
}
