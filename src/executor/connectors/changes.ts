import type { ChangesReport } from '../../contract/changes.ts'
import { runMessage } from '../../contract/run-messages.ts'
import { EngineError } from '../engine/errors.ts'
import { changeSql } from './changes/sql-changes.ts'
import type { ChangesIo, ChangesRequest, RunChanges } from './changes.types.ts'
import { refuseReadOnly } from './config.ts'
import { openDuckDbChanges } from './duckdb/changes.ts'
import { changeMongo } from './mongodb/changes.ts'
import { openMysqlChanges } from './mysql/changes.ts'
import { openPostgresChanges } from './postgres/changes.ts'
import { openSqliteChanges } from './sqlite/changes.ts'

/** Systems whose data can be changed by hand: one file each. */
const systems: Record<string, RunChanges> = {
  postgres: changeSql(openPostgresChanges),
  mysql: changeSql(openMysqlChanges),
  sqlite: changeSql(openSqliteChanges),
  duckdb: changeSql(openDuckDbChanges),
  mongodb: changeMongo,
}

export async function runChanges(request: ChangesRequest, io: ChangesIo): Promise<ChangesReport> {
  const { connector } = request
  refuseReadOnly(connector)
  const run = Object.hasOwn(systems, connector.type) ? systems[connector.type] : undefined
  if (run) return run(request, io)
  throw new EngineError(
    'CONNECTOR_UNSUITABLE',
    runMessage('connector_not_changeable', { connector: connector.name, type: connector.type }),
    { hint: runMessage('connector_not_queryable_fix', { types: Object.keys(systems) }) },
  )
}
