import Database from 'better-sqlite3'
import { copyFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { BoundConnector } from '../../../../src/contract/executor-protocol.ts'
import { sqliteConnector } from '../../engine/run-task.ts'
import { mysqlConnector, postgresConnector } from '../connectors.ts'
import { filler } from '../rows.ts'
import { withDuckDb, type World } from '../world.ts'
import type { Harm, OpenedSource, SourceKind, SourceSpec } from './source.types.ts'

/** The rows as each database makes them itself, from the numbers 1 to n. */
const made = (concat: (id: string) => string, modulo = '%'): string =>
  `i AS id, ${concat('i')} AS name, (i * 7) ${modulo} 1000 AS amount`

/** How a database is made to fail, or to end the session, when it comes to a row. */
interface Words {
  number: string
  fails(row: number): string
  ends?(row: number): string
}

/** The query over the table, with what is to be wrong in it. */
function queryOf({ typed, harm }: SourceSpec, from: string, words: Words): string {
  const good = typed ? words.number : 'code'
  return `SELECT id, name, amount, ${codeOf(harm, typed, good, words)} AS code FROM ${from}`
}

function codeOf(harm: Harm | null, typed: boolean, good: string, words: Words): string {
  if (harm?.kind === 'bad value') {
    const bad = typed ? words.fails(harm.row) : `'oops'`
    return `CASE WHEN id = ${harm.row} THEN ${bad} ELSE ${good} END`
  }
  if (harm?.kind === 'ended session' && words.ends)
    return `CASE WHEN id = ${harm.row} THEN ${words.ends(harm.row)} ELSE ${good} END`
  return good
}

const keyOf = ({ typed, harm }: SourceSpec): string =>
  `${typed ? 'typed' : 'raw'}_${harm === null ? 'good' : `${harm.kind.replace(' ', '_')}_${'row' in harm ? harm.row : ''}`}`

// ── SQLite

export async function sqliteFile(world: World, rows: number): Promise<string> {
  const path = join(world.folder, `items-${rows}.db`)
  await world.once(path, async () => {
    const database = new Database(path)
    database.exec(`CREATE TABLE source_items (id INTEGER, name TEXT, amount INTEGER, code TEXT);
      INSERT INTO source_items SELECT id, name, amount, CAST((id * 13) % 9973 AS TEXT) FROM (
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
        SELECT ${made((id) => `'name ' || ${id} || ' ${filler}'`)} FROM n)`)
    database.close()
  })
  return path
}

export const sqliteQuery = (spec: SourceSpec): string =>
  queryOf(spec, 'source_items', {
    number: 'CAST(code AS INTEGER)',
    // Refused when the row is computed, not before.
    fails: () => `json('{' || id)`,
  })

const sqlite: SourceKind = {
  name: 'sqlite',
  rows: 100_000,
  database: 'sqlite',
  harms: ['bad value', 'truncated'],
  remote: false,
  async open(world, spec) {
    const path = await sqliteFile(world, spec.rows)
    return sqlSource(sqliteConnector(cutCopy(path, spec)), sqliteQuery(spec))
  },
}

function cutCopy(path: string, { harm }: SourceSpec): string {
  if (harm?.kind !== 'truncated') return path
  const copy = `${path}-${harm.share}${path.slice(path.lastIndexOf('.'))}`
  rmSync(copy, { force: true })
  copyFileSync(path, copy)
  truncateSync(copy, Math.floor(statSync(path).size * harm.share))
  return copy
}

// ── DuckDB

const duckdb: SourceKind = {
  name: 'duckdb',
  rows: 100_000,
  harms: ['bad value', 'truncated'],
  remote: false,
  async open(world, spec) {
    const path = join(world.folder, `items-${spec.rows}.duckdb`)
    await world.once(path, async () => {
      const select = made((id) => `'name ' || ${id} || ' ${filler}'`)
      await withDuckDb(path, (connection) =>
        connection.run(
          `CREATE TABLE items AS SELECT ${select}, CAST((i * 13) % 9973 AS VARCHAR) AS code FROM range(1, ${spec.rows + 1}) AS r(i)`,
        ),
      )
      if (existsSync(`${path}.wal`)) throw new Error('The file is not complete')
    })
    const file = cutCopy(path, spec)
    const connector: BoundConnector = {
      id: 600_001,
      name: 'warehouse',
      type: 'duckdb',
      config: { path: file },
      secrets: {},
    }
    const words = { number: 'CAST(code AS INTEGER)', fails: () => `CAST('oops' || id AS INTEGER)` }
    return sqlSource(connector, queryOf(spec, 'items', words))
  },
}

// ── PostgreSQL

const postgresWords: Words = {
  number: 'code::int',
  fails: (row) => `(1 / (id - ${row}))::int`,
  ends: () => `pg_terminate_backend(pg_backend_pid())::int`,
}

async function postgresView(world: World, spec: SourceSpec): Promise<string> {
  const { client } = await world.postgres()
  const table = `source.items_${spec.rows}`
  await world.once(table, () =>
    client.query(
      // Of the target's types: only then can the rows go without a look at them.
      `CREATE TABLE ${table} AS SELECT id, name, amount::int AS amount, ((id * 13) % 9973)::text AS code FROM (
         SELECT ${made((id) => `'name ' || ${id} || ' ${filler}'`)} FROM generate_series(1::bigint, ${spec.rows}) AS s(i)) AS made`,
    ),
  )
  const view = `${table}_${keyOf(spec)}`
  const words = spec.typed ? postgresWords : { ...postgresWords, ends: () => `${postgresWords.ends?.(0)}::text` }
  await world.once(view, () => client.query(`CREATE VIEW ${view} AS ${queryOf(spec, table, words)}`))
  return view
}

const postgres = (how: string, read: (view: string) => string): SourceKind => ({
  name: `postgres ${how}`,
  server: 'PostgreSQL',
  rows: how === 'query' ? 100_000 : 60_000,
  ...(how === 'partitioned' ? {} : { database: 'postgres' as const }),
  harms: ['bad value', 'ended session'],
  remote: true,
  async open(world, spec) {
    const { server } = await world.postgres()
    const view = await postgresView(world, spec)
    const bound = (port: number): BoundConnector => postgresConnector(server, port, 'target')
    return {
      connector: bound(server.port),
      yaml: `{connector: in, sql: {${read(view)}}}`,
      place: /./,
      link: { port: server.port, through: bound },
    }
  },
})

// ── MySQL

const mysqlWords: Words = {
  number: 'CAST(code AS SIGNED)',
  fails: () => '9223372036854775807 + id',
  ends: () => 'app.end_session()',
}

const mysql: SourceKind = {
  name: 'mysql',
  server: 'MariaDB',
  rows: 60_000,
  harms: ['bad value', 'ended session'],
  remote: true,
  async open(world, spec) {
    const { server, client } = await world.mariadb()
    const table = `items_${spec.rows}`
    await world.once(`mariadb ${table}`, () =>
      client.query(`SET max_recursive_iterations = 1000000;
        CREATE TABLE app.${table} (id BIGINT, name VARCHAR(60), amount INT, code VARCHAR(20));
        INSERT INTO app.${table} WITH RECURSIVE n(i) AS (SELECT CAST(1 AS SIGNED) UNION ALL SELECT i + 1 FROM n WHERE i < ${spec.rows})
        SELECT ${made((id) => `concat('name ', ${id}, ' ${filler}')`)}, CAST((i * 13) % 9973 AS CHAR) FROM n`),
    )
    const bound = (port: number): BoundConnector => mysqlConnector(server, port, 'app')
    return {
      ...sqlSource(bound(server.port), queryOf(spec, table, mysqlWords)),
      link: { port: server.port, through: bound },
    }
  },
}

function sqlSource(connector: BoundConnector, query: string): OpenedSource {
  return { connector, yaml: `{connector: in, sql: {query: ${JSON.stringify(query)}}}`, place: /./ }
}

export const databaseSources: readonly SourceKind[] = [
  sqlite,
  duckdb,
  postgres('query', (view) => `query: SELECT * FROM ${view}`),
  postgres('table', (view) => `table: ${view}`),
  postgres('partitioned', (view) => `table: ${view}, partition: {column: id, parts: 4}`),
  mysql,
]
