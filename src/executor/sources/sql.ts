import type { SourceRunner } from '../engine/lane.types.ts'
import { EngineError } from '../engine/errors.ts'
import { duckDbFile } from '../connectors/duckdb/file.ts'
import { openDuckDbSource } from '../connectors/duckdb/read.ts'
import { openMysqlSource } from '../connectors/mysql/read.ts'
import { openPostgresSource } from '../connectors/postgres/read.ts'
import { openSqliteSource } from '../connectors/sqlite/read.ts'
import type { DatabaseSource } from './sql.types.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** Databases that can be read: one file each. */
const databases: Record<string, DatabaseSource> = {
  sqlite: openSqliteSource,
  postgres: openPostgresSource,
  mysql: openMysqlSource,
  duckdb: openDuckDbSource,
}

export const sqlSource: SourceRunner<'sql'> = {
  kind: 'sql',
  directories: async () => [],
  async files(source, find) {
    const connector = find(source.connector)
    return connector.type === 'duckdb' ? [await duckDbFile(connector, 'read')] : []
  },
  async open(source, context, options) {
    const connector = context.connector(source.connector)
    const open = databases[connector.type]
    if (!open) {
      throw new EngineError(
        'CONNECTOR_UNSUITABLE',
        runMessage('connector_reads_no_sql', { connector: connector.name, type: connector.type }),
        {
          hint: runMessage('connector_runs_no_sql_fix', { types: Object.keys(databases) }),
        },
      )
    }
    return open(source.read, connector, context, options)
  },
}
