// Plans through server, executor and worker, with clients of the tests' own watching that nothing is written.
import Database from 'better-sqlite3'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { QueryPlan } from '../../../src/contract/explain.ts'
import type { Answer } from '../../support/server.ts'
import { hasMongo, startMongo } from '../../support/ferretdb.ts'
import { hasMariaDb, startMariaDb } from '../../support/mariadb.ts'
import { postgresPrograms } from '../../support/postgres.ts'
import { duckFile } from '../engine/duckdb-fixture.ts'
import { usePostgres } from '../engine/postgres-fixture.ts'
import { startResultWorld, type ResultWorld } from './result-world.ts'

let world: ResultWorld
beforeAll(async () => void (world = await startResultWorld()))
afterAll(() => world?.close())

const explain = (id: number, rawQuery: string, more: object = {}): Promise<Answer> =>
  world.editor.post(`/api/connectors/${id}/explain`, { definition: { mode: 'raw', rawQuery }, ...more })

async function planOf(id: number, rawQuery: string, more: object = {}): Promise<QueryPlan> {
  const answer = await explain(id, rawQuery, more)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  const plan = answer.body as QueryPlan
  expect(plan.nodes.length).toBeGreaterThan(0)
  // A tree: parents stand before their children.
  for (const [at, { parent, node }] of plan.nodes.entries()) {
    expect(node).not.toBe('')
    expect(parent === null || parent < at).toBe(true)
  }
  return plan
}
const textOf = ({ nodes }: QueryPlan) => nodes.map(({ node, detail }) => `${node} ${detail.join(' ')}`).join('\n')

/** Statements that would write if they were run, in the forms that an explaining statement could carry them. */
const writing = [
  'DELETE FROM kept',
  'INSERT INTO kept VALUES (9)',
  'UPDATE kept SET n = 9',
  'ANALYZE DELETE FROM kept',
  'ANALYZE kept',
  'ANALYZE TABLE kept',
  'WITH gone AS (DELETE FROM kept RETURNING n) SELECT * FROM gone',
  'SELECT 1; DELETE FROM kept',
  ') DELETE FROM kept',
  'FORMAT=JSON DELETE FROM kept',
  'EXPLAIN ANALYZE DELETE FROM kept',
  'SELECT n INTO stolen FROM kept',
  'CREATE TABLE stolen AS SELECT * FROM kept',
  '',
]

async function proveReadOnly(id: number, state: () => Promise<string>, more: readonly string[] = []) {
  const before = await state()
  const measured: string[] = []
  for (const sql of [...writing, ...more]) {
    for (const analyze of [false, true]) {
      const { status, body } = await explain(id, sql, { analyze })
      // A system may plan what it would refuse to run.
      if (status === 200 && analyze) measured.push(`${sql}: ${JSON.stringify(body)}`)
      expect([sql, await state()]).toEqual([sql, before])
    }
  }
  return measured
}

describe.skipIf(!postgresPrograms)('PostgreSQL', () => {
  const database = usePostgres()
  test('a plan has its nodes, and measuring runs the query in a session that only reads', async () => {
    await database.query(
      `CREATE TABLE kept (n int PRIMARY KEY); INSERT INTO kept SELECT generate_series(1, 500); ANALYZE kept;
       CREATE FUNCTION writes() RETURNS int LANGUAGE plpgsql AS $$ BEGIN INSERT INTO kept VALUES (999); RETURN 1; END $$`,
    )
    const id = await world.connect(database.connector())
    const query = 'SELECT a.n FROM kept a JOIN kept b ON a.n = b.n WHERE a.n > :least ORDER BY a.n'
    const plan = await planOf(id, query, { parameters: { least: 10 } })
    expect(plan).toMatchObject({ statement: query, analyzed: false })
    expect(textOf(plan)).toContain('app.kept'.slice(4))
    expect(plan.nodes[0]).toMatchObject({
      parent: null,
      rows: expect.any(Number),
      cost: expect.any(Number),
      time_ms: null,
    })
    const measured = await planOf(id, 'SELECT * FROM kept', { analyze: true })
    expect(measured.nodes[0]).toMatchObject({ actual_rows: 500, time_ms: expect.any(Number) })
    const state = async () =>
      JSON.stringify(
        await database.query('SELECT count(*), sum(n), (SELECT count(*) FROM pg_class) AS classes FROM kept'),
      )
    expect(await proveReadOnly(id, state, ['SELECT writes()'])).toEqual([])
    const built = {
      resource: 'kept',
      definition: { mode: 'visual', filters: [{ field: 'n', operator: '=', value: '5' }] },
    }
    expect((await world.server.as('viewer').post(`/api/connectors/${id}/explain`, built)).status).toBe(200)
    expect(
      (
        await world.server
          .as('viewer')
          .post(`/api/connectors/${id}/explain`, { definition: { mode: 'raw', rawQuery: query } })
      ).status,
    ).toBe(403)
  })
})

describe.skipIf(!hasMariaDb)('MariaDB', () => {
  test('a plan has its tables, and measuring writes nothing', async () => {
    const server = await startMariaDb()
    const watcher = await server.connect()
    await watcher.query('CREATE TABLE kept (n INTEGER PRIMARY KEY, v INTEGER)')
    await watcher.query('INSERT INTO kept SELECT seq, seq % 7 FROM seq_1_to_500')
    const { host, port, database, user, password } = server
    const id = await world.connect({ type: 'mysql', config: { host, port, database, user }, secrets: { password } })
    const plan = await planOf(id, 'SELECT a.v, count(*) FROM kept a JOIN kept b ON a.n = b.v GROUP BY a.v ORDER BY 2')
    expect(textOf(plan)).toContain('table b')
    const measured = await planOf(id, 'SELECT * FROM kept', { analyze: true })
    expect(measured.nodes.find(({ node }) => node === 'table')).toMatchObject({
      detail: expect.arrayContaining(['kept']),
      actual_rows: 500,
      time_ms: expect.any(Number),
    })
    const state = async () =>
      JSON.stringify(
        [await watcher.query('CHECKSUM TABLE kept'), await watcher.query('SHOW TABLES')].map(([rows]) => rows),
      )
    expect(await proveReadOnly(id, state)).toEqual([])
    await watcher.end()
    await server.stop()
  })
})

test('SQLite: a plan has its sentences, and nothing is measured', async () => {
  const path = join(world.folder, 'plans.db')
  const db = new Database(path)
  db.exec(
    'CREATE TABLE kept (n INTEGER PRIMARY KEY, v TEXT); CREATE INDEX by_v ON kept (v); INSERT INTO kept VALUES (1, 1)',
  )
  const id = await world.connect({ type: 'sqlite', config: { path }, secrets: {} })
  const plan = await planOf(id, 'SELECT * FROM kept WHERE v = :v ORDER BY n DESC', { parameters: { v: 'x' } })
  expect(textOf(plan)).toMatch(/SEARCH .*by_v/)
  expect(await explain(id, 'SELECT 1', { analyze: true })).toMatchObject({
    status: 400,
    body: { details: [{ code: 'explain_without_measures' }, { code: 'CONNECTOR_UNSUITABLE' }] },
  })
  const state = async () =>
    JSON.stringify(db.prepare('SELECT (SELECT count(*) FROM sqlite_schema), n, v FROM kept').raw().all())
  expect(await proveReadOnly(id, state)).toEqual([])
  db.close()
})

test('DuckDB: a plan has its operators, and measuring writes nothing', async () => {
  const file = duckFile(world.folder)
  await file.sql('CREATE TABLE kept AS SELECT range AS n FROM range(500)')
  const { type, config, secrets } = file.bound
  const id = await world.connect({ type, config, secrets })
  const plan = await planOf(id, 'SELECT n % 7, count(*) FROM kept WHERE n > :least GROUP BY 1', {
    parameters: { least: 3 },
  })
  expect(textOf(plan)).toMatch(/kept/)
  const measured = await planOf(id, 'SELECT * FROM kept WHERE n >= 100', { analyze: true })
  expect(measured.nodes.at(-1)).toMatchObject({ actual_rows: 400 })
  const state = async () =>
    JSON.stringify(await file.sql('SELECT count(*), sum(n) FROM kept'), (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
  expect(await proveReadOnly(id, state)).toEqual([])
})

describe.skipIf(!hasMongo)('MongoDB', () => {
  test('a plan comes from the server, and stages that write are refused', async () => {
    const server = await startMongo({ inMemory: true })
    const client = await new MongoClient(server.uri).connect()
    await client
      .db('shop')
      .collection('kept')
      .insertMany([{ n: 1 }, { n: 2 }])
    const id = await world.connect({ type: 'mongodb', config: { uri: server.uri, database: 'shop' }, secrets: {} })
    for (const query of [
      '{"find": "kept", "filter": {"n": 1}}',
      '{"aggregate": "kept", "pipeline": [{"$match": {"n": 1}}]}',
      '{"count": "kept", "query": {}}',
    ])
      await planOf(id, query)
    const state = async () =>
      JSON.stringify([
        await client.db('shop').collection('kept').find().toArray(),
        (await client.db('shop').listCollections().toArray()).length,
      ])
    const attempts = [
      '{"aggregate": "kept", "pipeline": [{"$out": "stolen"}]}',
      '{"delete": "kept", "deletes": []}',
      '{"find": "kept", "filter": {"$where": "1"}}',
      '{"explain": {"delete": "kept", "deletes": [{"q": {}, "limit": 0}]}}',
    ]
    expect(await proveReadOnly(id, state, attempts)).toEqual([])
    await client.close()
    await server.stop()
  })
})

test('systems without plans say so', async () => {
  const id = await world.connect({ type: 'file', config: { root: world.folder }, secrets: {} })
  expect(await explain(id, `SELECT * FROM 'a.csv'`)).toMatchObject({
    status: 400,
    body: { details: [{ code: 'explain_unsupported' }, { code: 'CONNECTOR_UNSUITABLE' }] },
  })
})
