import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ResourceDetail } from '../../../src/contract/connectors.ts'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { startMariaDb } from '../../support/mariadb.ts'
import { startFerretDb } from '../../support/ferretdb.ts'
import type { ValueType } from './value-types.ts'
import { startPostgres } from '../../support/postgres.ts'

/** A system that keeps rows, as a target and as a source. */
export interface System {
  key: string
  title: string
  /** Of the slot. */
  type: string
  connector: BoundConnector
  /** YAML below `target:` and `source:`, behind `connector`. */
  target(table: string): string
  source(table: string, types: readonly ValueType[]): string
  /** How the system itself calls the type of a column; null where it has no types. */
  nativeType(table: string, column: string, tempDir: string): Promise<string | null>
}

let ids = 100
const connector = (type: string, config: Record<string, unknown>, secrets: Record<string, string> = {}) => ({
  id: ++ids,
  name: type,
  type,
  config,
  secrets,
})

function database(key: string, title: string, bound: BoundConnector): System {
  return {
    key,
    title,
    type: bound.type,
    connector: bound,
    target: (table) => `table: ${table}\n  mode: replace`,
    source: (table) => `sql: {table: ${table}}`,
    async nativeType(table, column, tempDir) {
      const work = { kind: 'get_resource' as const, connector: bound, name: table }
      const answer = await runCall(work, { signal: new AbortController().signal, tempDir })
      const { columns } = answer.value as ResourceDetail // what `get_resource` answers
      return columns.find(({ name }) => name === column)?.type ?? null
    },
  }
}

/** Text has no types: the task names them. */
const declared = (types: readonly ValueType[]): string =>
  `columns: {${types.flatMap((type) => (type.declared === null ? [] : [`v_${type.key}: "${type.declared}"`])).join(', ')}}`

function files(format: string, title: string, root: string): System {
  const bound = connector('file', { root })
  return {
    key: format,
    title,
    type: 'file',
    connector: bound,
    target: (table) => `file: {path: ${table}.${format}}`,
    source: (table, types) => `files: {glob: ${table}.${format}${format === 'parquet' ? '' : `, ${declared(types)}`}}`,
    nativeType: async () => null,
  }
}

/** Every system that can be written to and read from, started. `settings`: of MariaDB. */
export async function openSystems(
  folder: string,
  settings: string[] = [],
): Promise<{ systems: System[]; stop: () => Promise<void> }> {
  const root = join(folder, 'files')
  mkdirSync(root, { recursive: true })
  const [postgres, mariadb, ferretdb] = await Promise.all([
    startPostgres(),
    startMariaDb({ settings }),
    startFerretDb(),
  ])
  const { host, port, user, password } = postgres
  const mongo = connector('mongodb', { uri: ferretdb.uri, database: 'types' })
  const systems = [
    database(
      'postgres',
      'PostgreSQL',
      connector('postgres', { host, port, user, database: postgres.database }, { password }),
    ),
    database(
      'mysql',
      'MariaDB',
      connector(
        'mysql',
        { host: mariadb.host, port: mariadb.port, user: mariadb.user, database: mariadb.database },
        { password: mariadb.password },
      ),
    ),
    database('sqlite', 'SQLite', connector('sqlite', { path: join(folder, 'types.db') })),
    database('duckdb', 'DuckDB', connector('duckdb', { path: join(folder, 'types.duckdb') })),
    {
      ...database('mongodb', 'MongoDB', mongo),
      target: (table: string) => `collection: ${table}\n  mode: replace`,
      source: (table: string) => `mongo: {collection: ${table}, find: {}, projection: {_id: 0}}`,
    },
    files('parquet', 'Parquet', root),
    files('csv', 'CSV', root),
    files('jsonl', 'JSON Lines', root),
    files('json', 'JSON', root),
    files('xlsx', 'Excel', root),
  ]
  return {
    systems,
    async stop() {
      postgres.stop()
      await mariadb.stop()
      await ferretdb.stop()
    },
  }
}
