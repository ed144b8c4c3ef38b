// Rejected rows that are fixed and rerun: server, executor and engine, with nothing stood in for.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createConnector } from '../../../src/contract/connectors.ts'
import { getRejectsRerun, rerunRejects, type RerunRow } from '../../../src/contract/rejects-rerun.ts'
import { listRunSteps, retryRun } from '../../../src/contract/runs.ts'
import { listRunRejects, type RunReject } from '../../../src/contract/run-rejects.ts'
import { postgresPrograms, startPostgres, type PostgresServer } from '../../support/postgres.ts'
import { startRealWorld, type RealWorld } from './real-world.ts'

const LONG = { timeout: 60_000, interval: 10 }
let world: RealWorld
let app: Database.Database
let appId: number

beforeAll(async () => {
  world = await startRealWorld()
  app = new Database(join(world.folder, 'app.db'))
  const body = { name: 'app', type: 'sqlite' as const, config: { path: join(world.folder, 'app.db') } }
  appId = (await world.client.call(createConnector, { body })).id
})
afterAll(() => world?.close())
beforeEach(async () => {
  await expect.poll(() => world.online(), LONG).toBe('online')
})

const put = (name: string, content: string) => writeFileSync(join(world.folder, name), content)

interface TaskText {
  steps?: string
  mode?: string
  files?: string
  type?: string
  more?: string
}

const yaml = (
  name: string,
  { steps = '[]', mode = 'append', files = '', type = 'sqlite', more = '' }: TaskText = {},
) => `
etl: 1
kind: pipeline
name: ${name}
connectors: {files: {type: file, access: read}, app: {type: ${type}, access: write}}
source: {connector: files, files: {glob: ${name}.csv, on_error: quarantine${files}}}
steps: ${steps}
target: {connector: app, table: ${name}, mode: ${mode}${mode === 'append' ? '' : ', key: [id]'}}
${more}`

async function ended(id: number) {
  await expect.poll(() => world.statusOf(id), LONG).toMatch(/success|completed|failed/)
  return world.runOf(id)
}
const mapping = () => ({ files: world.connector, app: appId })
const run = async (text: string, connectors = mapping()) => ended(await world.trigger(text, connectors))

async function rejectsOf(id: number, query: { start?: string; open?: boolean } = {}): Promise<RunReject[]> {
  const rows: RunReject[] = []
  let cursor: string | undefined
  do {
    const page = await world.client.call(listRunRejects, {
      params: { id },
      query: { ...query, limit: 200, ...(cursor === undefined ? {} : { cursor }) },
    })
    rows.push(...page.result)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return rows
}
const rerun = async (id: number, rows: RerunRow[]) =>
  ended((await world.client.call(rerunRejects, { params: { id }, body: { rows } })).id)
const describeOf = (id: number) => world.client.call(getRejectsRerun, { params: { id } })
const post = (id: number, rows: unknown[]) => world.client.post(`/api/runs/${id}/rejects/rerun`, { rows })

describe('rejected lines of a CSV file', () => {
  test('are fixed, and added to the rows that were written; each of them once', async () => {
    const bad = new Set(Array.from({ length: 37 }, (_, at) => at * 50 + 7))
    const lines = Array.from(
      { length: 2_000 },
      (_, at) => `${at},${bad.has(at) ? '2026-02-30' : '2026-02-28'},"a, ""b"""`,
    )
    put('days.csv', `id,day,note\n${lines.join('\n')}\n`)
    const first = await run(yaml('days', { files: ', columns: {day: date}' }))
    expect(first).toMatchObject({ status: 'completed', item_count: 1_963, reject_count: 37 })
    expect(await describeOf(first.id)).toMatchObject({
      starts: [
        {
          step: 'source',
          form: 'line',
          rows: 37,
          open: 37,
          columns: [{ name: 'id' }, { name: 'day', type: 'DATE' }, { name: 'note' }],
        },
      ],
      unreadable: 0,
      reruns: [],
    })
    const rows = await rejectsOf(first.id)
    const fixed = rows
      .slice(0, 35)
      .map(({ id, row }, at) => ({ id, ...(at === 0 ? {} : { text: String(row['text']).replace('02-30', '02-27') }) }))
    // Two at once: one wins.
    const answers = await Promise.all([post(first.id, fixed), post(first.id, fixed)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
    const started = answers.find(({ status }) => status === 201)?.body as { id: number; rejects_of: number }
    expect(started.rejects_of).toBe(first.id)
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      error: 'CONFLICT',
      code: 'rejects_rerun_already',
      message: expect.stringContaining(`35 of these rows were already rerun, the first one by run #${started.id}.`),
    })
    const second = await ended(started.id)
    expect(second).toMatchObject({
      status: 'completed',
      item_count: 34,
      reject_count: 1,
      task_version: first.task_version,
    })
    expect(
      app.prepare("SELECT count(*), count(DISTINCT id), sum(day = '2026-02-27'), min(note) FROM days").raw().get(),
    ).toEqual([1_997, 1_997, 34, 'a, "b"'])
    expect(await describeOf(first.id)).toMatchObject({
      starts: [{ rows: 37, open: 2 }],
      reruns: [{ run_id: second.id, status: 'completed', rows: 35, rejected: 1, counts: true }],
    })
    expect((await rejectsOf(first.id, { open: true })).map(({ id }) => id)).toEqual(rows.slice(35).map(({ id }) => id))
    expect((await rejectsOf(first.id))[0]).toMatchObject({ rerun_by: second.id })
    // What was rejected again is fixed there.
    const [again] = await rejectsOf(second.id)
    expect(again?.reason).toMatch(/^rejects-of-run-\d+\.csv, line 2: /)
    const third = await rerun(second.id, [{ id: again?.id ?? 0, text: '7,2026-03-01,' }])
    expect(third).toMatchObject({ status: 'success', item_count: 1, rejects_of: second.id })
    expect(app.prepare('SELECT day, note FROM days WHERE id = 7').raw().get()).toEqual(['2026-03-01', null])
  })

  test('are refused where they are not one line, have other columns, or belong elsewhere; nothing is started', async () => {
    put('lines.csv', 'id,n\n1,1\n2,x\n3,y,z\n')
    const first = await run(yaml('lines', { files: ', columns: {n: integer}' }))
    const all = await rejectsOf(first.id)
    const [two, three] = ['2,', '3,'].map((begin) => all.find(({ row }) => String(row['text']).startsWith(begin)))
    const other = await rejectsOf(
      (await run(yaml('lines', { files: ', columns: {n: integer}' }).replace('name: lines', 'name: lines2'))).id,
    )
    const refused = await post(first.id, [
      { id: two?.id, text: '2,"open' },
      { id: three?.id },
      { id: three?.id, text: '3,3' },
      { id: other[0]?.id },
      { id: 999_999 },
    ])
    expect(refused.status).toBe(400)
    expect((refused.body as { details: object[] }).details).toMatchObject([
      { path: 'body.rows[0].text', code: 'reject_line_unclear' },
      { path: 'body.rows[1].text', code: 'reject_line_fields', params: { found: 3, expected: 2 } },
      { path: 'body.rows[2].id', code: 'reject_twice' },
      { path: 'body.rows[3].id', code: 'not_a_reject_of_run' },
      { path: 'body.rows[4].id', code: 'not_a_reject_of_run' },
    ])
    for (const text of ['2,\ufffd', '2,1\n3,1', '2', '2,1,'])
      expect((await post(first.id, [{ id: two?.id, text }])).status).toBe(400)
    expect((await post(first.id, [{ id: two?.id, values: { n: 1 } }])).body).toMatchObject({
      details: [{ path: 'body.rows[0].values', code: 'reject_has_line' }],
    })
    expect(
      (await world.server.as('viewer').post(`/api/runs/${first.id}/rejects/rerun`, { rows: [{ id: two?.id }] })).status,
    ).toBe(403)
    expect((await describeOf(first.id)).reruns).toEqual([])
  })

  test('can be rerun once more if the run failed before it wrote anything, with the values that it had', async () => {
    put('gone.csv', 'id,n\n1,1\n2,x\n')
    const first = await run(yaml('gone', { files: ', columns: {n: integer}' }))
    const [reject] = await rejectsOf(first.id)
    app.exec('ALTER TABLE gone RENAME TO away; CREATE VIEW gone AS SELECT * FROM away')
    const failed = await rerun(first.id, [{ id: reject?.id ?? 0, text: '2,2' }])
    expect(failed.status).toBe('failed')
    expect(await describeOf(first.id)).toMatchObject({ starts: [{ open: 1 }], reruns: [{ counts: false }] })
    app.exec('DROP VIEW gone; ALTER TABLE away RENAME TO gone')
    const retried = await ended((await world.client.call(retryRun, { params: { id: failed.id } })).id)
    expect(retried).toMatchObject({ status: 'success', item_count: 1, rejects_of: first.id, retried_from: failed.id })
    expect(app.prepare('SELECT id, n FROM gone ORDER BY id').raw().all()).toEqual([
      [1, 1],
      [2, 2],
    ])
    for (const id of [failed.id, retried.id])
      expect((await world.client.post(`/api/runs/${id}/retry`, {})).status).toBe(409)
    expect((await post(first.id, [{ id: reject?.id, text: '2,2' }])).status).toBe(409)
  })
})

describe('values that a step rejected', () => {
  test('are rerun all at once, as many as are kept', async () => {
    put('many.csv', `id,n\n${Array.from({ length: 12_000 }, (_, at) => `${at},${-at - 1}`).join('\n')}\n`)
    const first = await run(
      yaml('many', {
        steps: '[{expect: [{name: positive, check: "n > 0", on_fail: quarantine}]}, {derive: {m: "n * 2"}}]',
      }),
    )
    expect(first).toMatchObject({ status: 'completed', reject_count: 12_000 })
    const rows = await rejectsOf(first.id, { start: 'expect' })
    expect(rows).toHaveLength(10_000)
    const second = await rerun(
      first.id,
      rows.map(({ id, row }) => ({ id, values: { n: -Number(row['n']) } })),
    )
    expect(second).toMatchObject({ status: 'success', item_count: 10_000, reject_count: 0 })
    expect(app.prepare('SELECT count(*), sum(n), sum(m), sum(id) FROM many').raw().get()).toEqual([
      10_000, 50_005_000, 100_010_000, 49_995_000,
    ])
    const steps = await world.client.call(listRunSteps, { params: { id: second.id } })
    expect(steps.map(({ key, status, rows_in }) => [key, status, rows_in])).toEqual([
      ['source', 'skipped', 10_000],
      ['expect', 'success', 10_000],
      ['derive', 'success', 10_000],
      ['target', 'success', 10_000],
    ])
  })

  test('are edited by the types of their columns', async () => {
    put('typed.csv', 'id,price,day,at,ok,doc\n1,1.50,2026-01-01,2026-01-01T10:00:00,true,{}\n')
    const columns = 'columns: {price: "decimal(6,2)", day: date, at: datetime, ok: boolean, doc: json}'
    const first = await run(
      yaml('typed', {
        files: `, ${columns}`,
        steps: '[{expect: [{name: none, check: "price > 2", on_fail: quarantine}]}]',
      }),
    )
    const [reject] = await rejectsOf(first.id)
    const bad = {
      id: '9223372036854775808',
      price: '10000',
      day: '2026-02-30',
      at: '2026-01-01 25:00',
      ok: 'yes',
      doc: '{',
      nothing: 1,
    }
    const refused = await post(first.id, [{ id: reject?.id, values: bad }])
    expect((refused.body as { details: object[] }).details).toMatchObject(
      Object.keys(bad).map((column) => ({
        path: `body.rows[0].values.${column}`,
        code: column === 'nothing' ? 'reject_no_column' : 'value_not_of_type',
      })),
    )
    const good = {
      id: '9223372036854775807',
      price: '9999.99',
      day: '2028-02-29',
      at: '2026-01-01T23:59:59.999999',
      ok: false,
      doc: '{"a": 1.10}',
    }
    expect(await rerun(first.id, [{ id: reject?.id ?? 0, values: good }])).toMatchObject({
      status: 'success',
      item_count: 1,
    })
    expect(app.prepare('SELECT * FROM typed').safeIntegers().raw().all()).toEqual([
      [9223372036854775807n, 9999.99, '2028-02-29', '2026-01-01T23:59:59.999999', 0n, '{"a": 1.10}'],
    ])
  })

  test.each([
    ['rerun_replaces', { mode: 'replace' }],
    ['rerun_replaces', { mode: 'delete_insert' }],
    ['rerun_before_hooks', { more: 'hooks: {before: [{connector: app, sql: "DELETE FROM refused"}]}' }],
    ['rerun_needs_all_rows', { after: '{dedupe: [id]}' }],
    ['rerun_needs_all_rows', { after: '{sql: "SELECT * FROM stream ORDER BY n LIMIT 1"}' }],
    ['rerun_expects_over_rows', { after: '{expect: [{name: once, unique: [id]}]}' }],
    ['rerun_sql_over_rows', { after: '{derive: {total: "sum(n) OVER ()"}}' }],
  ])(
    'are refused with the reason (%s: %j)',
    async (code, { mode = 'append', more = '', after = '{drop: [x]}' }: TaskText & { after?: string }) => {
      put('refused.csv', 'id,n,x\n1,1,1\n2,-2,1\n')
      app.exec(
        'DROP TABLE IF EXISTS refused; CREATE TABLE refused (id INTEGER PRIMARY KEY, n INTEGER, x INTEGER, total INTEGER)',
      )
      const steps = `[{expect: [{name: positive, check: "n > 0", on_fail: quarantine}]}, ${after}]`
      const first = await run(
        yaml('refused', { steps, mode, more }).replace('name: refused', `name: refused${code}${mode}${after.length}`),
      )
      expect(first).toMatchObject({ status: 'completed' })
      const [reject] = await rejectsOf(first.id)
      const answer = await post(first.id, [{ id: reject?.id, values: { n: 2 } }])
      expect(answer.body).toMatchObject({ error: 'INVALID_STATE', code })
      const { refused, starts } = await describeOf(first.id)
      expect((refused ?? starts[0]?.refused)?.code).toBe(code)
      expect(app.prepare('SELECT count(*) FROM refused').pluck().get()).toBe(1)
    },
  )
})

describe.skipIf(postgresPrograms === null)('with PostgreSQL', () => {
  let postgres: PostgresServer
  let id: number
  beforeAll(async () => {
    postgres = await startPostgres()
    const { host, port, database, user, password } = postgres
    const config = { host, port, database, user, ssl: 'disable' }
    id = (
      await world.client.call(createConnector, {
        body: { name: 'dw', type: 'postgres', config, secrets: { password } },
      })
    ).id
  })
  afterAll(() => postgres?.stop())

  test.each(['append', 'upsert'])('rows that a cast rejects start at their line, and are added by %s', async (mode) => {
    const name = `cast_${mode}`
    put(`${name}.csv`, `id,big,note\n1,9007199254740993,"it's; DROP TABLE x"\n2,"9007199254740993,5",\n3,,""\n`)
    const text = yaml(name, {
      mode,
      type: 'postgres',
      steps: '[{cast: {columns: {big: integer}, on_error: quarantine}}]',
    })
    const first = await run(text, { files: world.connector, app: id })
    expect(first).toMatchObject({ status: 'completed', item_count: 2, reject_count: 1 })
    const [reject] = await rejectsOf(first.id)
    expect(reject).toMatchObject({ step: 'cast', form: 'line' })
    const second = await rerun(first.id, [{ id: reject?.id ?? 0, text: '2,9007199254740995,"x\r\ny"' }])
    expect(second).toMatchObject({ status: 'success', item_count: 1 })
    expect((await world.client.call(listRunSteps, { params: { id: second.id } })).at(-1)).toMatchObject({ rows_out: 1 })
  })
})
