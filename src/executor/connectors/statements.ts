import type { BoundConnector } from '../../contract/executor-protocol.ts'
import { EngineError } from '../engine/errors.ts'
import { refuseReadOnly } from './config.ts'
import { openDuckDbStatements } from './duckdb/statements.ts'
import { openMysqlStatements } from './mysql/statements.ts'
import { openPostgresStatements } from './postgres/statements.ts'
import { openSqliteStatements } from './sqlite/statements.ts'
import type { OpenStatements, StatementSession } from './statements.types.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** Databases that run statements: one file each. */
const databases: Record<string, OpenStatements> = {
  sqlite: openSqliteStatements,
  postgres: openPostgresStatements,
  mysql: openMysqlStatements,
  duckdb: openDuckDbStatements,
}

/** For `sql` tasks and hooks. Close it. */
export async function openStatements(
  connector: BoundConnector,
  io: { signal: AbortSignal; tempDir: string },
): Promise<StatementSession> {
  refuseReadOnly(connector)
  const open = databases[connector.type]
  if (open) return open(connector, io)
  throw new EngineError(
    'CONNECTOR_UNSUITABLE',
    runMessage('connector_runs_no_sql', { connector: connector.name, type: connector.type }),
    { hint: runMessage('connector_runs_no_sql_fix', { types: Object.keys(databases) }) },
  )
}
