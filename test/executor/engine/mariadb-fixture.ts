import type { Connection, RowDataPacket } from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { startMariaDb, type MariaDbServer } from '../../support/mariadb.ts'

export interface MariaDbFixture {
  /** Bound to the database `app`, which each test finds empty. */
  connector(): BoundConnector
  /** One or several statements; the rows of a single one. */
  query(sql: string): Promise<Record<string, unknown>[]>
}

/** A server of this file's own. */
export function useMariaDb(): MariaDbFixture {
  let server: MariaDbServer | undefined
  let client: Connection | undefined
  beforeAll(async () => {
    server = await startMariaDb()
    client = await server.connect()
  }, 60_000)
  afterAll(async () => {
    await client?.end()
    await server?.stop()
  })
  beforeEach(async () => {
    await client?.query('DROP DATABASE IF EXISTS app; CREATE DATABASE app CHARACTER SET utf8mb4; USE app')
  })
  return {
    connector() {
      if (!server) throw new Error('The server runs within tests only')
      const { host, port, database, user, password } = server
      return { id: 9, name: 'shop', type: 'mysql', config: { host, port, database, user }, secrets: { password } }
    },
    query: async (sql) => (await client?.query<RowDataPacket[]>(sql))?.[0] ?? [],
  }
}
