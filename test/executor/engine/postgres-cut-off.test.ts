import { existsSync, writeFileSync } from 'node:fs'
import { createServer, connect, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { withPostgres } from '../../../src/executor/connectors/postgres/client.ts'
import { startCutProxy } from '../../support/cut-proxy.ts'
import { postgresPrograms } from '../../support/postgres.ts'
import { usePostgres } from './postgres-fixture.ts'
import { fileConnector, runTask, temporaryFolder } from './run-task.ts'

const rows = 200_000

describe.skipIf(postgresPrograms === null)('rows of PostgreSQL', () => {
  const postgres = usePostgres()
  /** Passes the server's messages on; what `meets` says of one may be that the connection ends there, before or behind it. */
  let proxy: Server
  let port: number
  let meets: (type: string, bytes: number) => 'pass' | 'cut before' | 'cut behind' | 'hold'
  const held: Buffer[] = []
  let release: () => void

  beforeEach(async () => {
    proxy = createServer((near) => pass(near))
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    const address = proxy.address()
    if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
    port = address.port
    meets = () => 'pass'
    held.length = 0
    await postgres.query(
      `CREATE TABLE app.t AS SELECT i AS id, 'name ' || i AS name FROM generate_series(1, ${rows}) AS i`,
    )
  })
  afterEach(() => new Promise((resolve) => proxy.close(resolve)))

  function pass(near: Socket): void {
    const far = connect(postgres.server.port, '127.0.0.1')
    const end = (): void => {
      near.destroy()
      far.destroy()
    }
    near.on('error', end).on('close', end)
    far.on('error', end).on('close', end)
    near.pipe(far)
    let rest = Buffer.alloc(0)
    let copied = 0
    let holding = false
    release = () => {
      holding = false
      meets = () => 'pass'
      for (const bytes of held.splice(0)) near.write(bytes)
    }
    far.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes])
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const length = 1 + rest.readUInt32BE(1)
        const message = rest.subarray(0, length)
        rest = rest.subarray(length)
        const type = String.fromCharCode(message[0] ?? 0)
        if (type === 'd') copied += length
        // Of the COPY alone.
        const answer = holding ? 'hold' : copied > 0 || type === 'H' ? meets(type, copied) : 'pass'
        if (answer === 'cut before') return end()
        if (answer === 'hold') {
          holding = true
          held.push(Buffer.from(message))
        } else near.write(message)
        if (answer === 'cut behind') {
          near.end()
          far.destroy()
          return
        }
      }
    })
  }

  async function read(source = 't', more: Record<string, unknown> = { port }) {
    const out = temporaryFolder()
    const run = await runTask(
      `etl: 1
kind: pipeline
name: read
connectors: {db: {type: postgres, access: read}, out: {type: file, access: write}}
source: {connector: db, sql: ${source === 't' ? '{table: t}' : `{query: "${source}"}`}}
target: {connector: out, file: {path: out.csv}}
`,
      { db: postgres.connector(9, more), out: fileConnector(out) },
    )
    return { run, written: existsSync(join(out, 'out.csv')) }
  }

  it('arrive through the proxy', async () => {
    expect((await read()).run).toMatchObject({ status: 'success', item_count: rows })
  })

  it.each<[string, (type: string, bytes: number) => boolean, 'cut before' | 'cut behind']>([
    ['before the first row', (type) => type === 'H', 'cut behind'],
    ['behind the first row', (type) => type === 'd', 'cut behind'],
    ['in the middle', (type, bytes) => type === 'd' && bytes > 1_500_000, 'cut behind'],
    ['behind the last row', (type) => type === 'c', 'cut before'],
    ['before the count of the rows', (type) => type === 'C', 'cut before'],
  ])('whose connection is cut %s fail the run', async (_, there, how) => {
    meets = (type, bytes) => (there(type, bytes) ? how : 'pass')
    const { run, written } = await read()
    expect(run.error).toMatchObject({ code: 'CONNECTION_FAILED', retryable: true })
    expect(written).toBe(false)
  })

  it('whose count comes later than the rows are waited for', async () => {
    meets = (type) => {
      if (type !== 'C') return 'pass'
      setTimeout(() => release(), 300)
      return 'hold'
    }
    const { run } = await read()
    expect(run.error).toBeUndefined()
    expect(run).toMatchObject({ item_count: rows, metrics: { rows_in: rows } })
    expect(run.log.some(({ message }) => message.includes('Read 200,000 rows'))).toBe(true)
  })

  it.each([
    ['pg_terminate_backend', /terminating connection/],
    ['pg_cancel_backend', /canceling statement/],
  ])('that %s ends fail the run', async (call, message) => {
    const ended = read('SELECT i AS id, pg_sleep(0.00005) FROM generate_series(1, 10000000) AS i', {})
    await expect
      .poll(
        async () =>
          (
            await postgres.query(
              `SELECT ${call}(pid) AS done FROM pg_stat_activity WHERE query LIKE 'COPY (%' AND pid <> pg_backend_pid() AND query_start < clock_timestamp() - interval '0.5 s'`,
            )
          ).length,
        { interval: 20, timeout: 60_000 },
      )
      .toBe(1)
    const { run, written } = await ended
    expect(run.error?.message).toMatch(message)
    expect(written).toBe(false)
  })

  it('that take longer than the server allows fail the run', async () => {
    await postgres.query(`ALTER ROLE headgate SET statement_timeout = '700ms'`)
    try {
      const { run } = await read('SELECT i AS id, pg_sleep(0.00005) FROM generate_series(1, 10000000) AS i', {})
      expect(run.error?.message).toContain('statement timeout')
    } finally {
      await postgres.query('ALTER ROLE headgate RESET statement_timeout')
    }
  })

  it('that fail at the last row fail the run', async () => {
    const { run, written } = await read(`SELECT 1 / (${rows} - i) AS id FROM generate_series(1, ${rows}) AS i`, {})
    expect(run.error?.message).toContain('division by zero')
    expect(written).toBe(false)
  })
})

describe.skipIf(postgresPrograms === null)('rows sent to PostgreSQL', () => {
  const postgres = usePostgres()

  it('whose connection is lost on the way fail the run as such, wherever it happens', async () => {
    const folder = temporaryFolder()
    const line = (id: number): string => `${id},${'x'.repeat(60)}`
    writeFileSync(
      join(folder, 'rows.csv'),
      ['id,name', ...Array.from({ length: 60_000 }, (_, id) => line(id))].join('\n'),
    )
    await postgres.query('CREATE TABLE app.t (id bigint, name text)')
    const errors: unknown[] = []
    for (let share = 1; share <= 20; share++) {
      const proxy = await startCutProxy(postgres.server.port)
      proxy.breakAfter(share * 180_000, 'there')
      const run = await runTask(
        `etl: 1
kind: pipeline
name: send
connectors: {files: {type: file, access: read}, db: {type: postgres, access: write}}
source: {connector: files, files: {glob: rows.csv}}
target: {connector: db, table: t}
`,
        { files: fileConnector(folder), db: postgres.connector(9, { port: proxy.port }) },
      )
      errors.push(run.error && { code: run.error.code, step: run.error.step })
      await proxy.stop()
    }
    expect(errors).toEqual(errors.map(() => ({ code: 'CONNECTION_FAILED', step: 'target' })))
    expect(await postgres.query('SELECT count(*)::int AS n FROM app.t')).toEqual([{ n: 0 }])
  })

  it('over a connection that was lost between two statements fail as such', async () => {
    const proxy = await startCutProxy(postgres.server.port)
    const work = withPostgres(
      postgres.connector(9, { port: proxy.port }),
      new AbortController().signal,
      async (client) => {
        const gone = new Promise<void>((resolve) => client.on('end', resolve))
        proxy.cutNow()
        await gone
        await client.query('SELECT 1')
      },
    )
    await expect(work).rejects.toMatchObject({ code: 'CONNECTION_FAILED' })
    await proxy.stop()
  })
})
