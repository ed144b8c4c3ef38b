import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { TableTarget } from '../../language/task/targets/target.types.ts'
import { refuseReadOnly } from '../connectors/config.ts'
import { duckDbFile } from '../connectors/duckdb/file.ts'
import { EngineError } from '../engine/errors.ts'
import type { StageContext, TargetResult, TargetRunner } from '../engine/lane.types.ts'
import type { RowStream } from '../engine/stream.ts'
import { tableChanges } from './table-changes.ts'
import { writeDuckDbTable } from '../connectors/duckdb/write.ts'
import { writeMysqlTable } from '../connectors/mysql/write.ts'
import { writePostgresTable } from '../connectors/postgres/write.ts'
import { writeSqliteTable } from '../connectors/sqlite/write.ts'
import { prepareUpsert } from './upsert-rows.ts'
import { runMessage } from '../../contract/run-messages.ts'

type TableWriter = (
  target: TableTarget,
  connector: BoundConnector,
  stream: RowStream,
  context: StageContext,
) => Promise<TargetResult>

/** Databases that tables can be written to: one file each. */
const writers: Record<string, TableWriter> = {
  sqlite: writeSqliteTable,
  postgres: writePostgresTable,
  mysql: writeMysqlTable,
  duckdb: writeDuckDbTable,
}

export const tableTarget: TargetRunner<'table'> = {
  kind: 'table',
  directories: async () => [],
  async files(target, find) {
    const connector = find(target.connector)
    if (connector.type !== 'duckdb') return []
    refuseReadOnly(connector)
    return [await duckDbFile(connector, 'write')]
  },
  async prepare(target, stream, context) {
    return target.mode === 'upsert' || target.mode === 'delete_insert' ? prepareUpsert(target, stream, context) : stream
  },
  changes: (target, stream, context) => tableChanges(target, stream.columns, context),
  async write(target, stream, context) {
    const connector = context.connector(target.connector)
    const write = writers[connector.type]
    if (write) return write(target, connector, stream, context)
    throw new EngineError(
      'CONNECTOR_UNSUITABLE',
      runMessage('connector_has_no_tables', { connector: connector.name, type: connector.type }),
      {
        hint: runMessage('connector_has_no_tables_fix', { types: Object.keys(writers) }),
      },
    )
  },
}
