import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { ConnectorType } from '../../contract/connector-types.ts'
import { EngineError } from '../engine/errors.ts'
import type { ConnectorRunner } from './connector.types.ts'
import { duckdbConnector } from './duckdb/connector.ts'
import { fileConnector } from './file/connector.ts'
import { httpConnector } from './http/connector.ts'
import { mongodbConnector } from './mongodb/connector.ts'
import { mysqlConnector } from './mysql/connector.ts'
import { odataConnector } from './odata/connector.ts'
import { postgresConnector } from './postgres/connector.ts'
import { s3Connector } from './s3/connector.ts'
import { sftpConnector } from './sftp/connector.ts'
import { sqliteConnector } from './sqlite/connector.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** Every connector type that this executor works with: one file each. */
const runners: Record<ConnectorType, ConnectorRunner> = {
  file: fileConnector,
  s3: s3Connector,
  sftp: sftpConnector,
  sqlite: sqliteConnector,
  postgres: postgresConnector,
  mysql: mysqlConnector,
  duckdb: duckdbConnector,
  mongodb: mongodbConnector,
  http: httpConnector,
  odata: odataConnector,
}

/** For the executor's registration: what it can work with. */
export const connectorCapabilities = Object.keys(runners)

export function connectorRunner(connector: BoundConnector): ConnectorRunner {
  const runner = Object.hasOwn(runners, connector.type) ? runners[connector.type as ConnectorType] : undefined // an own key of the table
  if (runner) return runner
  throw new EngineError('CONNECTOR_UNSUITABLE', runMessage('type_not_on_executor', { type: connector.type }), {
    hint: runMessage('type_not_on_executor_fix', { types: connectorCapabilities }),
  })
}
