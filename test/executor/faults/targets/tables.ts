import Database from 'better-sqlite3'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BoundConnector } from '../../../../src/contract/executor-protocol.ts'
import { sqliteConnector, temporaryFolder } from '../../engine/run-task.ts'
import { mysqlConnector, postgresConnector } from '../connectors.ts'
import { rowsBefore, type WriteMode } from '../rows.ts'
import { sqliteFile } from '../sources/databases.ts'
import { textsOf } from '../world.ts'
import { tableYaml, type TargetKind, type TargetSpec } from './target.types.ts'

const modes: readonly WriteMode[] = ['append', 'replace', 'upsert', 'delete_insert']

/** Text that orders as numbers do not: the rows are compared as a whole. */
const line = `id || '|' || name || '|' || amount || '|' || code`
const values = rowsBefore.map((row) => `(${row.id}, '${row.name}', ${row.amount}, ${row.code})`).join(', ')

function tableSql({ mode, refuses }: TargetSpec, text = 'TEXT'): string {
  const key = mode === 'upsert' ? ' PRIMARY KEY' : ''
  const check = refuses === null ? '' : `, CONSTRAINT no_such_row CHECK (id <> ${refuses})`
  return `CREATE TABLE items (id BIGINT${key}, name ${text}, amount INTEGER, code INTEGER${check})`
}

const always = (): boolean => true

const sqlite: TargetKind = {
  name: 'sqlite',
  modes,
  rows: () => 200_000,
  database: 'sqlite',
  refuses: always,
  remote: false,
  onDisk: true,
  async open(world, spec) {
    const path = join(spec.folder ?? temporaryFolder(), 'target.db')
    if (spec.holdsSource) copyFileSync(await sqliteFile(world, spec.rows), path)
    const query = <T>(work: (database: Database.Database) => T): T => {
      const database = new Database(path)
      try {
        return work(database)
      } finally {
        database.close()
      }
    }
    query((database) => database.exec(`${tableSql(spec)}; INSERT INTO items VALUES ${values}`))
    return {
      connector: sqliteConnector(path),
      yaml: tableYaml(spec.mode),
      look: async () =>
        query((database) => ({
          places: database.prepare<[], string>('SELECT name FROM sqlite_schema ORDER BY 1').pluck().all(),
          lines: database.prepare<[], string>(`SELECT ${line} FROM items`).pluck().all(),
        })),
      // SQLite changes no constraint of a table: the rows move to one without.
      relent: async () =>
        void query((database) =>
          database.exec(
            `ALTER TABLE items RENAME TO strict; ${tableSql({ ...spec, refuses: null })}; INSERT INTO items SELECT * FROM strict; DROP TABLE strict`,
          ),
        ),
    }
  },
}

let duckIds = 650_000

const duckdb: TargetKind = {
  name: 'duckdb',
  modes,
  rows: () => 200_000,
  refuses: always,
  remote: false,
  onDisk: true,
  async open(_world, spec) {
    const path = join(spec.folder ?? temporaryFolder(), 'target.duckdb')
    const sql = (text: string): Promise<string[]> => textsOf(path, text)
    await sql(`${tableSql(spec)}; INSERT INTO items VALUES ${values}`)
    return {
      connector: { id: ++duckIds, name: 'warehouse', type: 'duckdb', config: { path }, secrets: {} },
      yaml: tableYaml(spec.mode),
      look: async () => ({
        places: await sql(`SELECT table_name FROM duckdb_tables() ORDER BY 1`),
        lines: await sql(`SELECT ${line} FROM items`),
      }),
      relent: async () =>
        void (await sql(
          `CREATE TABLE copied AS FROM items; DROP TABLE items; ${tableSql({ ...spec, refuses: null })}; INSERT INTO items FROM copied; DROP TABLE copied`,
        )),
    }
  },
}

const postgres: TargetKind = {
  name: 'postgres',
  server: 'PostgreSQL',
  staged: true,
  modes,
  rows: () => 200_000,
  ends: true,
  database: 'postgres',
  refuses: always,
  remote: true,
  async open(world, spec) {
    const { server, client } = await world.postgres()
    await client.query(
      `DROP SCHEMA IF EXISTS target CASCADE; CREATE SCHEMA target; SET search_path = target; ${tableSql(spec)}; INSERT INTO items VALUES ${values}`,
    )
    if (spec.ends !== null)
      await client.query(
        `CREATE OR REPLACE FUNCTION source.end_session() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END';
         CREATE TRIGGER ends BEFORE INSERT ON items FOR EACH ROW WHEN (NEW.id = ${spec.ends}) EXECUTE FUNCTION source.end_session()`,
      )
    const list = async (text: string): Promise<string[]> =>
      (await client.query<[string]>({ text, rowMode: 'array' })).rows.map(([first]) => first)
    const bound = (port: number): BoundConnector => postgresConnector(server, port, 'target')
    return {
      connector: bound(server.port),
      yaml: tableYaml(spec.mode),
      look: async () => ({
        places: await list(`SELECT relname FROM pg_class WHERE relnamespace = 'target'::regnamespace ORDER BY 1`),
        lines: await list(`SELECT ${line} FROM items`),
      }),
      relent: async () =>
        void (await client.query(
          'ALTER TABLE items DROP CONSTRAINT IF EXISTS no_such_row; DROP TRIGGER IF EXISTS ends ON items',
        )),
      link: { port: server.port, through: bound },
    }
  },
}

const mysql: TargetKind = {
  name: 'mysql',
  server: 'MariaDB',
  modes,
  ends: true,
  rows: () => 60_000,
  refuses: always,
  remote: true,
  async open(world, spec) {
    const { server, client } = await world.mariadb()
    await client.query(
      `DROP DATABASE target; CREATE DATABASE target CHARACTER SET utf8mb4; USE target; ${tableSql(spec, 'VARCHAR(60)')}; INSERT INTO items VALUES ${values}`,
    )
    if (spec.ends !== null)
      await client.query(
        `CREATE TRIGGER target.ends BEFORE INSERT ON items FOR EACH ROW BEGIN IF NEW.id = ${spec.ends} THEN KILL CONNECTION CONNECTION_ID(); END IF; END`,
      )
    const list = async (sql: string): Promise<string[]> => {
      const [rows] = await client.query({ sql, rowsAsArray: true })
      return (rows as [string][]).map(([first]) => first) // one column, as text
    }
    const bound = (port: number): BoundConnector => mysqlConnector(server, port, 'target')
    return {
      connector: bound(server.port),
      yaml: tableYaml(spec.mode),
      look: async () => ({
        places: await list(`SELECT table_name FROM information_schema.tables WHERE table_schema = 'target' ORDER BY 1`),
        lines: await list(`SELECT concat_ws('|', id, name, amount, code) FROM target.items`),
      }),
      relent: async () =>
        void (await client.query(
          'ALTER TABLE target.items DROP CONSTRAINT IF EXISTS no_such_row; DROP TRIGGER IF EXISTS target.ends',
        )),
      link: { port: server.port, through: bound },
    }
  },
}

export const tableTargets: readonly TargetKind[] = [sqlite, duckdb, postgres, mysql]
