import { existsSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Connection, RowDataPacket } from 'mysql2/promise'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasMariaDb, startMariaDb, type MariaDbServer } from '../../support/mariadb.ts'
import { fileConnector, runTask, temporaryFolder } from './run-task.ts'

const rows = 200_000

describe.skipIf(!hasMariaDb)('rows of MySQL', () => {
  let server: MariaDbServer
  let client: Connection
  /** Passes the server's packets on, and ends the connection, in good order or not, before or behind one of the rows'. */
  let proxy: Server
  let port: number
  let meets: (row: number, isEnd: boolean) => 'pass' | 'cut before' | 'cut behind' | 'cut inside'

  beforeAll(async () => {
    server = await startMariaDb()
    client = await server.connect()
    await client.query(
      `CREATE DATABASE IF NOT EXISTS app; USE app; CREATE TABLE t AS SELECT seq AS id, CONCAT('name ', seq) AS name FROM seq_1_to_${rows}`,
    )
  })
  afterAll(async () => {
    await client?.end()
    await server?.stop()
  })
  beforeEach(async () => {
    proxy = createServer((near) => pass(near))
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const address = proxy.address()
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
    port = address.port
    meets = () => 'pass'
  })
  afterEach(() => new Promise((resolve) => proxy.close(resolve)))

  function pass(near: Socket): void {
    const far = connect(server.port, '127.0.0.1')
    const end = (): void => {
      near.destroy()
      far.destroy()
    }
    near.on('error', end).on('close', end)
    far.on('error', end).on('close', end)
    near.pipe(far)
    let rest = Buffer.alloc(0)
    let found = 0
    far.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes])
      while (rest.length >= 4 && rest.length >= 4 + rest.readUIntLE(0, 3)) {
        const packet = rest.subarray(0, 4 + rest.readUIntLE(0, 3))
        rest = rest.subarray(packet.length)
        // Rows in binary form begin with 0, the end of them with 254.
        const isRow = packet[4] === 0 && packet.includes('name ')
        if (isRow) found++
        const isEnd = found > 0 && packet[4] === 0xfe && packet.length < 13
        const answer = isRow || isEnd ? meets(found, isEnd) : 'pass'
        if (answer === 'cut before') return end()
        near.write(answer === 'cut inside' ? packet.subarray(0, -2) : packet)
        if (answer === 'pass') continue
        near.end()
        far.destroy()
        return
      }
    })
  }

  async function read(source = '{table: t}', through = true) {
    const out = temporaryFolder()
    const { host, user, password } = server
    const run = await runTask(
      `etl: 1
kind: pipeline
name: read
connectors: {db: {type: mysql, access: read}, out: {type: file, access: write}}
source: {connector: db, sql: ${source}}
target: {connector: out, file: {path: out.csv}}
`,
      {
        db: {
          id: 9,
          name: 'shop',
          type: 'mysql',
          config: { host, port: through ? port : server.port, database: 'app', user },
          secrets: { password },
        },
        out: fileConnector(out),
      },
    )
    return { run, written: existsSync(join(out, 'out.csv')) }
  }

  it('arrive through the proxy', async () => {
    expect((await read()).run).toMatchObject({ status: 'success', item_count: rows })
  })

  it.each<[string, typeof meets]>([
    ['before the first row', (row) => (row === 1 ? 'cut before' : 'pass')],
    ['behind the first row', (row) => (row === 1 ? 'cut behind' : 'pass')],
    ['within a row', (row) => (row === 100_000 ? 'cut inside' : 'pass')],
    ['between two rows', (row) => (row === 100_000 ? 'cut behind' : 'pass')],
    ['behind the last row', (_, isEnd) => (isEnd ? 'cut before' : 'pass')],
    ['within their end', (_, isEnd) => (isEnd ? 'cut inside' : 'pass')],
  ])('whose connection ends %s fail the run', async (_, behave) => {
    meets = behave
    const { run, written } = await read()
    expect(run.error).toMatchObject({ code: 'CONNECTION_FAILED', retryable: true })
    expect(written).toBe(false)
  })

  const slow = '{query: "SELECT seq AS id, SLEEP(0.0001) AS n FROM seq_1_to_10000000"}'
  it.each([
    ['KILL QUERY', /interrupted/],
    ['KILL CONNECTION', /connection|interrupted/i],
  ])('that %s ends fail the run', async (kill, message) => {
    const ended = read(slow, false)
    await expect
      .poll(
        async () => {
          const [found] = await client.query<RowDataPacket[]>(
            `SELECT id FROM information_schema.processlist WHERE info LIKE 'SELECT seq AS id, SLEEP%' AND time_ms > 500`,
          )
          for (const { id } of found) await client.query(`${kill} ${Number(id)}`)
          return found.length
        },
        { interval: 20, timeout: 60_000 },
      )
      .toBe(1)
    const { run, written } = await ended
    expect(run.error?.message).toMatch(message)
    expect(written).toBe(false)
  })

  it('that take longer than the server allows fail the run', async () => {
    await client.query('SET GLOBAL max_statement_time = 0.7')
    try {
      const { run, written } = await read(slow, false)
      expect(run.error?.message).toMatch(/max_statement_time|interrupted/)
      expect(written).toBe(false)
    } finally {
      await client.query('SET GLOBAL max_statement_time = 0')
    }
  })

  it('that fail at the last one fail the run', async () => {
    const { run, written } = await read(
      `{query: "SELECT seq AS id, IF(seq < ${rows}, 1, (SELECT 1 UNION SELECT seq)) AS n FROM seq_1_to_${rows}"}`,
      false,
    )
    expect(run.error?.message).toContain('more than 1 row')
    expect(written).toBe(false)
  })
})
