import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { TaskPreview } from '../../contract/task-preview.ts'
import type { ValueChange } from '../../contract/value-change.ts'
import { reasonParams } from '../../language/message.ts'
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
import { findDrift, type ColumnPlan, type TableColumn } from './column-plan.ts'
import { findOutgrown } from './outgrown.ts'
import * as duckdb from '../connectors/duckdb/table.ts'
import * as mysql from '../connectors/mysql/table.ts'
import { keptTypes } from '../connectors/postgres/kept.ts'
import * as postgres from '../connectors/postgres/table.ts'
import { tryRows, type Trial } from '../connectors/postgres/trial.ts'
import * as sqlite from '../connectors/sqlite/table.ts'
import type { DatabaseType } from './type-map.ts'

/** A table that is there, as far as it decides what differs. No columns: there is none. */
interface Look {
  /** `base`: of PostgreSQL, without what a domain adds. */
  columns: readonly (TableColumn & { base?: string })[]
  types?: ReadonlyMap<string, string>
  narrow?: ReadonlyMap<string, string | null>
  /** What it makes of rows, in columns that stay as they are. */
  tries?: (writes: ColumnPlan['writes'], rows: RowStream) => Promise<Trial>
}

type Looker = (
  target: TableTarget,
  connector: BoundConnector,
  rows: readonly StreamColumn[],
  context: StageContext,
) => Promise<Look>

const quiet = (): void => undefined

export const lookers: Record<DatabaseType, Looker> = {
  postgres: (target, connector, columns, context) =>
    withPostgres(connector, context.signal, async (client) => {
      const table = await postgres.tableColumns(client, postgres.tableOf(target, connector))
      return {
        columns: table,
        types: await keptTypes(client, columns, quiet),
        tries: (writes, rows) => tryRows(target, connector, { writes, table }, rows, context),
      }
    }),
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

/** What the preview says of a target, and the values that only its server can tell to be changed. */
interface LookedAt {
  target?: NonNullable<TaskPreview['target']>
  changes: readonly ValueChange[]
}

/** Where these rows differ from the table that they would go into, which is only looked at; no target: it is no table. */
export async function lookAtTarget(
  target: TaskTarget,
  connector: BoundConnector | undefined,
  rows: RowStream,
  context: StageContext,
): Promise<LookedAt> {
  if (target.kind !== 'table' || !connector || !isDatabase(connector.type)) return { changes: [] }
  const { table } = target
  const unseen = (error?: EngineError): LookedAt => ({
    target: { table, exists: false, drift: [], ...(error && { error: shown(error) }) },
    changes: [],
  })
  try {
    const { columns, types, narrow, tries } = await lookers[connector.type](target, connector, rows.columns, context)
    const outgrown = await findOutgrown(target, rows, columns, connector.type, context)
    const options = { ...(types ? { types } : {}), narrow: new Map([...outgrown.narrow, ...(narrow ?? [])]) }
    const drift = columns.length === 0 ? [] : findDrift(target, rows.columns, columns, connector.type, options)
    const writes = rows.columns.flatMap((from) => {
      const to = columns.find((column) => column.name.toLowerCase() === from.name.toLowerCase())
      return to && !to.generated && !drift.some((one) => one.from === from) ? [{ from, to: to.name }] : []
    })
    const { refused = null, changes = [] } = (await tries?.(writes, rows)) ?? {}
    return {
      target: {
        table,
        exists: columns.length > 0,
        drift: drift.map(({ column, there, coming, outcome }) => ({ column, there, coming, outcome })),
        ...(refused && { error: shown(refused) }),
      },
      changes,
    }
  } catch (thrown) {
    const error = asEngineError(thrown)
    if (error.code === 'CANCELLED') throw error
    // Its file is made by the first run.
    return error instanceof EngineError && error.code === 'DATABASE_NOT_FOUND' ? unseen() : unseen(error)
  }
}

function shown({
  code,
  reason,
  fix,
  message,
  hint,
}: EngineError): NonNullable<NonNullable<TaskPreview['target']>['error']> {
  return { code, params: reasonParams(reason, fix), message, ...(hint === undefined ? {} : { hint }) }
}
