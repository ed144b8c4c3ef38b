import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { MongoClient } from 'mongodb'
import type { Connection } from 'mysql2/promise'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll } from 'vitest'
import { startMongo, type MongoServer } from '../../support/ferretdb.ts'
import { startMariaDb, type MariaDbServer } from '../../support/mariadb.ts'
import { startMinio, type MinioServer } from '../../support/minio.ts'
import { startPostgres, type PostgresServer } from '../../support/postgres.ts'
import { startSshd, type SshServer } from '../../support/sshd.ts'

/** The systems around the engine, each started when the first cell needs it, with a client of its own driver to look into it. */
export interface World {
  /** What sources are read from; every file of it is made once. */
  folder: string
  postgres(): Promise<{ server: PostgresServer; client: pg.Client }>
  mariadb(): Promise<{ server: MariaDbServer; client: Connection }>
  mongo(): Promise<{ server: MongoServer; client: MongoClient }>
  minio(): Promise<MinioServer>
  sshd(): Promise<SshServer>
  /** Makes something once, whoever asks for it. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>
  /** Done when the file's tests are over, the last first. */
  atEnd(work: () => unknown): void
}

/** For the tests of one file. */
export function useWorld(): World {
  const made = new Map<string, Promise<unknown>>()
  const ends: (() => unknown)[] = []
  const folder = mkdtempSync(join(tmpdir(), 'headgate-faults-'))
  ends.push(() => rmSync(folder, { recursive: true, force: true }))
  const once = <T>(key: string, make: () => Promise<T>): Promise<T> => {
    const known = made.get(key) ?? make()
    made.set(key, known)
    return known as Promise<T> // by its key
  }
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })
  return {
    folder,
    once,
    atEnd: (work) => void ends.push(work),
    postgres: () =>
      once('postgres', async () => {
        const server = await startPostgres()
        ends.push(() => server.stop())
        const { host, port, user, password, database } = server
        const client = new pg.Client({ host, port, user, password, database })
        await client.connect()
        ends.push(() => client.end())
        await client.query('CREATE SCHEMA source')
        return { server, client }
      }),
    mariadb: () =>
      once('mariadb', async () => {
        const server = await startMariaDb()
        ends.push(() => server.stop())
        const client = await server.connect()
        ends.push(() => client.end())
        await client.query(
          `CREATE FUNCTION app.end_session() RETURNS INT BEGIN KILL CONNECTION CONNECTION_ID(); RETURN 1; END`,
        )
        await client.query(
          `CREATE DATABASE target CHARACTER SET utf8mb4; GRANT ALL ON target.* TO '${server.user}'@'%'`,
        )
        return { server, client }
      }),
    mongo: () =>
      once('mongo', async () => {
        const server = await startMongo({ inMemory: true })
        ends.push(() => server.stop())
        const client = await new MongoClient(server.uri).connect()
        ends.push(() => client.close())
        return { server, client }
      }),
    minio: () =>
      once('minio', async () => {
        const server = await startMinio()
        ends.push(() => server.stop())
        return server
      }),
    sshd: () =>
      once('sshd', async () => {
        const server = await startSshd()
        ends.push(() => server.stop())
        return server
      }),
  }
}

/** DuckDB as another program would use it, on a file or in memory. */
export async function withDuckDb<T>(path: string, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  try {
    return await work(connection)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** The first column of what a query gives, as text. */
export async function textsOf(path: string, sql: string): Promise<string[]> {
  return withDuckDb(path, async (connection) => {
    const reader = await connection.runAndReadAll(sql)
    return reader.getRows().map(([first]) => String(first))
  })
}
