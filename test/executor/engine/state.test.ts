import Database from 'better-sqlite3'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SourceState } from '../../../src/contract/executor-protocol.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

/** A database with a table that others write to, and one that the task writes. */
function world(ddl = 'CREATE TABLE orders (id INTEGER PRIMARY KEY, at TEXT, changed DATETIME)') {
  const folder = temporaryFolder()
  const source = new Database(join(folder, 'erp.db'))
  source.exec(ddl)
  const targetPath = join(folder, 'out.db')
  const made = new Database(targetPath)
  made.exec('CREATE TABLE narrow (id INTEGER CHECK (id < 2), at TEXT, changed DATETIME)')
  made.close()
  const connectors = { erp: sqliteConnector(join(folder, 'erp.db')), db: sqliteConnector(targetPath) }
  return {
    insert: (sql: string) => void source.exec(`INSERT INTO orders VALUES ${sql}`),
    change: (sql: string) => void source.exec(sql),
    out: (): unknown[] => {
      const target = new Database(targetPath)
      const rows = target.prepare('SELECT * FROM out ORDER BY 1').raw().all()
      target.close()
      return rows
    },
    async run(
      cursor: string,
      more: { source?: string; state?: SourceState | undefined; fullRefresh?: boolean; target?: string } = {},
    ) {
      const run = await runTask(
        `etl: 1
kind: pipeline
name: orders
connectors: {erp: {type: sqlite}, db: {type: sqlite, access: write}}
state: {cursor: ${cursor}}
source: {connector: erp, sql: ${more.source ?? '{table: orders}'}}
target: ${more.target ?? '{connector: db, table: out, mode: upsert, key: [id]}'}
`,
        connectors,
        { state: more.state, ...(more.fullRefresh === undefined ? {} : { fullRefresh: more.fullRefresh }) },
      )
      return run
    },
  }
}
const byQuery = `{query: "SELECT * FROM orders WHERE :from IS NULL OR changed >= :from", params: {from: "\${{ state.cursor }}"}}`
const read = (run: FinishedRun): number | null | undefined => run.steps[0]?.rows_out

describe('state.cursor', () => {
  it('is the greatest value so far, inclusive, in full precision, and reads only what is new', async () => {
    const orders = world()
    orders.insert(`(1, 'a', '2024-01-01 00:00:00.000001'), (2, 'b', '2024-01-01 00:00:00.000002')`)
    const cursor = '{field: changed, type: datetime}'
    const first = await orders.run(cursor, { source: byQuery })
    expect(first.status).toBe('success')
    expect(first.state).toEqual({ cursor: '2024-01-01T00:00:00.000002Z' })
    // SQLite holds moments as texts of several forms: `datetime` makes them one, to the second, so nothing is left out.
    const source = `{query: "SELECT * FROM orders WHERE datetime(changed) >= datetime(:from)", params: {from: "\${{ state.cursor }}"}}`
    orders.insert(`(3, 'c', '2024-01-02 12:00:00')`)
    const second = await orders.run(cursor, { source, state: first.state })
    expect(second.state).toEqual({ cursor: '2024-01-02T12:00:00.000000Z' })
    expect(orders.out().map((row) => (row as unknown[])[0])).toEqual([1, 2, 3])
    const third = await orders.run(cursor, { source, state: second.state })
    expect(read(third)).toBe(1)
    expect(third.state).toEqual(second.state)
    expect(third.item_count).toBe(0)
  })

  it('filters a table by itself', async () => {
    const orders = world()
    orders.insert(`(1, 'a', null), (2, 'b', null), (3, 'c', null)`)
    const cursor = '{field: id, type: integer}'
    const first = await orders.run(cursor)
    expect([read(first), first.state]).toEqual([3, { cursor: 3 }])
    orders.insert(`(4, 'd', null), (5, 'e', null)`)
    const second = await orders.run(cursor, { state: first.state })
    expect([read(second), second.state]).toEqual([3, { cursor: 5 }])
    const refreshed = await orders.run(cursor, { state: second.state, fullRefresh: true })
    expect([read(refreshed), refreshed.state]).toEqual([5, { cursor: 5 }])
  })

  it('starts at `initial`, also for a full refresh', async () => {
    const orders = world()
    orders.insert(`(1, 'a', null), (2, 'b', null), (3, 'c', null)`)
    const cursor = '{field: id, type: integer, initial: "${{ run.attempt + 1 }}"}'
    const first = await orders.run(cursor)
    expect([read(first), first.state]).toEqual([2, { cursor: 3 }])
    expect(read(await orders.run(cursor, { state: { cursor: 3 }, fullRefresh: true }))).toBe(2)
  })

  it('never skips a row that is committed late within its lag', async () => {
    const orders = world()
    const cursor = '{field: id, type: integer, lag: 5}'
    let state: SourceState | undefined
    const late: number[] = []
    for (let batch = 0; batch < 12; batch++) {
      // Numbers are drawn in order, but every third row shows itself two batches later.
      for (let id = batch * 2; id < batch * 2 + 2; id++) {
        if (id % 3 === 0) late.push(id)
        else orders.insert(`(${id}, 'x', null)`)
      }
      if (batch >= 2)
        for (const id of late.filter((one) => one < batch * 2 - 2))
          if (late.includes(id)) {
            orders.insert(`(${id}, 'late', null)`)
            late.splice(late.indexOf(id), 1)
          }
      const run = await orders.run(cursor, { state })
      expect(run.status).toBe('success')
      expect(read(run)).toBeLessThanOrEqual(8)
      state = run.state
    }
    const wanted = Array.from({ length: 24 }, (_, id) => id).filter((id) => !late.includes(id))
    expect(orders.out().map((row) => (row as unknown[])[0])).toEqual(wanted)
    // Without the lag they would have been missed: the test is about something.
    expect(wanted.filter((id) => id % 3 === 0).length).toBeGreaterThan(5)
  })

  it('never skips a moment that is committed late within its lag, in whatever form it is written', async () => {
    const orders = world()
    const cursor = '{field: changed, type: datetime, lag: 30m}'
    let state: SourceState | undefined
    const held: { id: number; at: string }[] = []
    const form = (minute: number): string => {
      const iso = new Date(Date.UTC(2024, 1, 28, 22, minute)).toISOString()
      return minute % 2 === 0 ? iso : iso.replace('T', ' ').slice(0, 19)
    }
    for (let minute = 0; minute < 200; minute += 10) {
      if (minute % 30 === 0) held.push({ id: minute, at: form(minute + 1) })
      else orders.insert(`(${minute}, 'x', '${form(minute)}')`)
      if (minute % 30 === 20) for (const { id, at } of held.splice(0)) orders.insert(`(${id}, 'late', '${at}')`)
      const run = await orders.run(cursor, { state })
      expect(run.status).toBe('success')
      expect(read(run)).toBeLessThanOrEqual(5)
      state = run.state
    }
    const there = orders.out().map((row) => (row as unknown[])[0])
    expect(there).toEqual(
      Array.from({ length: 20 }, (_, index) => index * 10).filter((id) => !held.some((one) => one.id === id)),
    )
  })

  it('keeps integers beyond 2^53, and goes on from there', async () => {
    const orders = world()
    orders.insert(`(9007199254740993, 'a', null), (9223372036854775807, 'b', null)`)
    const first = await orders.run('{field: id, type: integer}')
    expect(first.state).toEqual({ cursor: '9223372036854775807' })
    const second = await orders.run('{field: id, type: integer}', { state: { cursor: '9007199254740994' } })
    expect([read(second), second.state]).toEqual([1, { cursor: '9223372036854775807' }])
  })

  it('never goes back, and stays where it is when nothing is found', async () => {
    const orders = world()
    const none = await orders.run('{field: id, type: integer}', { target: '{connector: db, table: out}' })
    expect(none).toMatchObject({ status: 'success' })
    expect(none.state).toBeUndefined()
    const still = await orders.run('{field: id, type: integer}', {
      state: { cursor: 7 },
      target: '{connector: db, table: out}',
    })
    expect(still.state).toEqual({ cursor: 7 })
  })

  it('counts rows without a value, and warns of them', async () => {
    const orders = world()
    orders.insert(`(1, 'a', '2024-01-01'), (2, 'b', null), (3, 'c', null)`)
    const run = await orders.run('{field: at, type: string}', {
      source: '{query: "SELECT id, changed AS at FROM orders UNION ALL SELECT 9, \'x\'"}',
    })
    expect(run.status).toBe('completed')
    expect(run.log).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        step: 'source',
        message: expect.stringMatching(/^Rows without `at`: 2\./) as unknown,
      }),
    )
    expect(run.state).toEqual({ cursor: 'x' })
  })

  it('that could be saved but not be gone on from is refused at once', async () => {
    const orders = world()
    orders.insert(`(1, '${'ä'.repeat(4001)}', null)`)
    const long = await orders.run('{field: at, type: string}', { source: '{query: SELECT * FROM orders}' })
    expect(long.error).toMatchObject({ code: 'VALUE_INVALID', step: 'source' })
    expect(long.error?.message).toMatch(/^The greatest `at`, ä{59}…, is longer than 4000 characters/)
    const other = await orders.run('{field: id, type: integer}', { state: { cursor: '2024-01-01' } })
    expect(other.error).toMatchObject({ code: 'EXPRESSION_FAILED' })
    expect(other.error?.message).toMatch(/is not of type integer: start a run with `full_refresh`/)
    expect(
      (await orders.run('{field: id, type: integer}', { state: { cursor: '2024-01-01' }, fullRefresh: true })).state,
    ).toEqual({ cursor: 1 })
  })

  it('is kept when a hook fails after the target has committed: what was read stays read', async () => {
    const orders = world()
    orders.insert(`(1, 'a', null)`)
    const run = await orders.run('{field: id, type: integer}', {
      target: '{connector: db, table: out}\nhooks: {after: [{connector: db, sql: DELETE FROM missing}]}',
    })
    expect(run).toMatchObject({ status: 'failed', error: { step: 'after.1' }, state: { cursor: 1 } })
    expect(run.error?.hint).toContain('The work itself is done')
  })

  it('is not saved by a run that fails before its target has committed', async () => {
    const orders = world()
    orders.insert(`(1, 'a', null), (2, 'a', null)`)
    const run = await orders.run('{field: id, type: integer}', {
      target: '{connector: db, table: narrow}',
    })
    expect(run.status).toBe('failed')
    expect(run.state).toBeUndefined()
  })

  it.each([
    ['{field: at, type: datetime}', 'SCHEMA_MISMATCH', 'source gives VARCHAR', '`type: string`'],
    ['{field: changed, type: date}', 'SCHEMA_MISMATCH', 'source gives TIMESTAMP', '`type: datetime`'],
    ['{field: id, type: string}', 'SCHEMA_MISMATCH', 'source gives BIGINT', '`type: integer`'],
    ['{field: missing, type: string}', 'COLUMN_NOT_FOUND', 'no column `missing`', '`changed`'],
  ])('%s is %s', async (cursor, code, message, hint) => {
    const orders = world()
    orders.insert(`(1, 'a', '2024-01-01 00:00:00')`)
    const run = await orders.run(cursor, { source: '{query: SELECT * FROM orders}' })
    expect(run.error).toMatchObject({
      code,
      step: 'source',
      message: expect.stringContaining(message) as unknown,
      hint: expect.stringContaining(hint) as unknown,
    })
  })
})

describe('a cursor over other sources', () => {
  const csv =
    'n,price,day,at\n1,1.5,2024-01-01,2024-01-01T10:00:00.123456\n2,2.25,2024-02-29,2024-01-01T10:00:00.123457\n'
  it.each([
    ['{field: n, type: integer}', '{}', 2],
    ['{field: N, type: number}', '{}', 2],
    ['{field: price, type: number}', '{}', 2.25],
    ['{field: price, type: number}', '{price: "decimal(30,20)"}', 2.25],
    ['{field: price, type: string}', '{price: string}', '2.25'],
    ['{field: day, type: date}', '{}', '2024-02-29'],
    ['{field: at, type: datetime}', '{}', '2024-01-01T10:00:00.123457Z'],
  ])('%s with columns %s ends at %s', async (cursor, columns, expected) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'in.csv'), csv)
    const files = fileConnector(folder)
    const run = await runTask(
      `etl: 1
kind: pipeline
name: x
connectors: {in: {type: file}, out: {type: file, access: write}}
state: {cursor: ${cursor}}
source: {connector: in, files: {glob: in.csv, columns: ${columns}}}
steps: [{drop: [n]}]
target: {connector: out, file: {path: out.csv}}
`,
      { in: files, out: files },
    )
    expect(run.error).toBeUndefined()
    expect(run.state).toEqual({ cursor: expected })
  })

  it('holds the last microsecond of the year 9999', async () => {
    const folder = temporaryFolder()
    const files = fileConnector(folder)
    const run = await runTask(
      `etl: 1
kind: pipeline
name: x
connectors: {out: {type: file, access: write}}
state: {cursor: {field: at, type: datetime}}
source: {inline: {rows: [{at: "2024-01-01T00:00:00Z"}, {at: "9999-12-31T23:59:59.999999Z"}], columns: {at: datetime}}}
steps: []
target: {connector: out, file: {path: out.csv}}
`,
      { out: files },
    )
    expect(run.state).toEqual({ cursor: '9999-12-31T23:59:59.999999Z' })
  })

  it('leaves infinite values and what is no number out, and says so', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'in.csv'), 'x\n1.5\ninf\nnan\n')
    const files = fileConnector(folder)
    const run = await runTask(
      `etl: 1
kind: pipeline
name: x
connectors: {in: {type: file}, out: {type: file, access: write}}
state: {cursor: {field: x, type: number}}
source: {connector: in, files: {glob: in.csv, columns: {x: number}}}
target: {connector: out, file: {path: out.csv}}
`,
      { in: files, out: files },
    )
    expect(run).toMatchObject({ status: 'completed', state: { cursor: 1.5 } })
    expect(run.log.find((line) => line.level === 'warn')?.message).toMatch(
      /^Rows whose `x` is infinite or not a number: 2\./,
    )
  })
})
