import pg from 'pg'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { startPostgres, type PostgresServer } from '../../support/postgres.ts'

export interface PostgresFixture {
  readonly server: PostgresServer
  /** Bound to the schema `app`, which each test finds empty. */
  connector(id?: number, more?: Record<string, unknown>): BoundConnector
  query(sql: string): Promise<Record<string, unknown>[]>
}

/** A server of this file's own. */
export function usePostgres(): PostgresFixture {
  let server: PostgresServer | undefined
  let client: pg.Client | undefined
  const running = (): PostgresServer => {
    if (!server) throw new Error('The server runs within tests only')
    return server
  }
  beforeAll(async () => {
    server = await startPostgres()
    const { host, port, user, password, database } = server
    client = new pg.Client({ host, port, user, password, database })
    await client.connect()
    await client.query('SET search_path = app')
  }, 60_000)
  afterAll(async () => {
    await client?.end()
    server?.stop()
  })
  beforeEach(async () => {
    await client?.query('DROP SCHEMA IF EXISTS app CASCADE; CREATE SCHEMA app')
  })
  return {
    get server() {
      return running()
    },
    connector(id = 9, more = {}) {
      const { host, port, database, user, password } = running()
      return {
        id,
        name: 'dw',
        type: 'postgres',
        config: { host, port, database, user, schema: 'app', ...more },
        secrets: { password },
      }
    },
    query: async (sql) => (await client?.query<Record<string, unknown>>(sql))?.rows ?? [],
  }
}
