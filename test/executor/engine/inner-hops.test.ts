import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import Database from 'better-sqlite3'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Int32, MongoClient } from 'mongodb'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { answer, json, startMisbehavingHttp, type MisbehavingHttp } from '../../support/misbehaving-http.ts'
import { openSystems, type System } from '../types/systems.ts'
import { webConnector } from './http-connector.ts'
import { runTask, type FinishedRun } from './run-task.ts'

/*
 * Only files that a person gave may be sniffed: what the engine writes for itself on the way, as CSV, JSON lines or COPY, says what it is. The
 * first row holds what a guess would take for something else.
 */

interface Row {
  id: number
  t: string
  lead: string
}
const awkward: Row[] = [
  { id: 1, t: 'a\r\nb', lead: '\uFEFFfirst' },
  { id: 2, t: '"q", ', lead: '\uFEFF' },
  { id: 3, t: "l\nit's; \t|\\N", lead: 'NULL' },
  { id: 4, t: '\r', lead: '' },
]
const large: Row[] = [
  { id: 1, t: `\uFEFF${'é"\n'.repeat(4_250_000)}`, lead: '\uFEFFa\r\nb' },
  { id: 2, t: 'x', lead: 'y' },
]
const moment = '-000043-03-15T10:00:00.000Z'

const sources = ['postgres', 'mysql', 'mongodb', 'sqlite', 'duckdb', 'http', 'odata'] as const
const targets = ['postgres', 'mysql', 'mongodb', 'http', 'parquet', 'jsonl', 'csv'] as const
type SourceKey = (typeof sources)[number]
type TargetKey = (typeof targets)[number]

const systems = new Map<string, System>()
let stop: () => Promise<void>
let web: MisbehavingHttp
let folder: string
let client: pg.Client
let maria: mysql.Connection
let mongo: MongoClient
let instance: DuckDBInstance
let duckdb: DuckDBConnection

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-hops-'))
  const opened = await openSystems(folder, ['--max-allowed-packet=64M'])
  stop = opened.stop
  for (const system of opened.systems) systems.set(system.key, system)
  web = await startMisbehavingHttp()
  web.on('/taken', json({}, { status: 201 }))
  const { password } = bound('postgres').secrets
  // A moment without a zone as its text: the driver would take it for one of this machine's.
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.TIMESTAMP, (text) => text)
  client = new pg.Client({ ...bound('postgres').config, password, types })
  client.on('error', () => undefined) // the server stops before the client does
  await client.connect()
  const { host, port, user, database } = bound('mysql').config as {
    host: string
    port: number
    user: string
    database: string
  } // see systems.ts
  maria = await mysql.createConnection({
    host,
    port,
    user,
    database,
    password: bound('mysql').secrets['password'],
    charset: 'utf8mb4',
  })
  mongo = new MongoClient(String(bound('mongodb').config['uri']))
  instance = await DuckDBInstance.create()
  duckdb = await instance.connect()
  await duckdb.run(`SET TimeZone = 'UTC'`)
}, 120_000)
afterAll(async () => {
  await client?.end()
  await maria?.end()
  await mongo?.close()
  instance?.closeSync()
  await web?.stop()
  await stop?.()
  rmSync(folder, { recursive: true, force: true })
})

function bound(key: string): BoundConnector {
  const system = systems.get(key)
  if (!system) throw new Error(`No system ${key}`)
  return system.connector
}

/** Puts the rows into a source, by its own client. */
const fill: Record<SourceKey, (table: string, rows: readonly Row[]) => Promise<void>> = {
  async postgres(table, rows) {
    await client.query(`DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (id integer, t text, lead text)`)
    for (const { id, t, lead } of rows) await client.query(`INSERT INTO ${table} VALUES ($1, $2, $3)`, [id, t, lead])
  },
  async mysql(table, rows) {
    await maria.query(`DROP TABLE IF EXISTS ${table}`)
    await maria.query(`CREATE TABLE ${table} (id integer, t longtext, lead text) CHARACTER SET utf8mb4`)
    for (const { id, t, lead } of rows) await maria.query(`INSERT INTO ${table} VALUES (?, ?, ?)`, [id, t, lead])
  },
  async mongodb(table, rows) {
    await mongo.db('types').collection(table).deleteMany({})
    await mongo
      .db('types')
      .collection(table)
      .insertMany(rows.map((row) => ({ ...row, id: new Int32(row.id) })))
  },
  async sqlite(table, rows) {
    const database = new Database(String(bound('sqlite').config['path']))
    database.exec(`DROP TABLE IF EXISTS ${table}; CREATE TABLE ${table} (id INTEGER, t TEXT, lead TEXT)`)
    for (const { id, t, lead } of rows) database.prepare(`INSERT INTO ${table} VALUES (?, ?, ?)`).run(id, t, lead)
    database.close()
  },
  async duckdb(table, rows) {
    const own = await DuckDBInstance.create(String(bound('duckdb').config['path']))
    const connection = await own.connect()
    await connection.run(`CREATE OR REPLACE TABLE ${table} (id INTEGER, t VARCHAR, lead VARCHAR)`)
    for (const { id, t, lead } of rows) await connection.run(`INSERT INTO ${table} VALUES ($1, $2, $3)`, [id, t, lead])
    connection.closeSync()
    own.closeSync()
  },
  async http(table, rows) {
    web.on(`/${table}`, answer(JSON.stringify(rows)))
  },
  async odata(table, rows) {
    const fields = ['t', 'lead'].map((field) => `<Property Name="${field}" Type="Edm.String"/>`).join('')
    web.on(
      '/odata/$metadata',
      answer(
        `<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices><Schema Namespace="s" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="Row"><Key><PropertyRef Name="id"/></Key><Property Name="id" Type="Edm.Int32" Nullable="false"/>${fields}</EntityType><EntityContainer Name="c"><EntitySet Name="${table}" EntityType="s.Row"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`,
        { headers: { 'content-type': 'application/xml' } },
      ),
    )
    web.on(`/odata/${table}`, answer(JSON.stringify({ '@odata.context': `$metadata#${table}`, value: rows })))
  },
}

function sourceOf(key: SourceKey, table: string): { type: string; yaml: string; connector: BoundConnector } {
  if (key === 'http') return { type: 'http', yaml: `http: {path: /${table}}`, connector: webConnector(web.url) }
  if (key === 'odata')
    return {
      type: 'odata',
      yaml: `odata: {entity: ${table}}`,
      connector: webConnector(`${web.url}/odata`, {}, {}, 'odata'),
    }
  const system = systems.get(key)
  return { type: key, yaml: system?.source(table, []) ?? '', connector: bound(key) }
}

function targetOf(key: TargetKey): { type: string; yaml: string; connector: BoundConnector } {
  if (key === 'http')
    return { type: 'http', yaml: 'http: {path: /taken}', connector: webConnector(web.url, { timeout_seconds: 60 }) }
  const system = systems.get(key)
  return { type: system?.type ?? '', yaml: system?.target('arrived') ?? '', connector: bound(key) }
}

async function pass(from: SourceKey, table: string, into: TargetKey, steps: string): Promise<FinishedRun> {
  web.seen.length = 0
  await client.query('DROP TABLE IF EXISTS arrived')
  await maria.query('DROP TABLE IF EXISTS arrived')
  await mongo.db('types').collection('arrived').deleteMany({})
  for (const format of ['parquet', 'jsonl', 'csv']) rmSync(join(folder, 'files', `arrived.${format}`), { force: true })
  const [source, target] = [sourceOf(from, table), targetOf(into)]
  return runTask(
    `etl: 1
kind: pipeline
name: pass
connectors: {here: {type: ${source.type}, access: read}, there: {type: ${target.type}, access: write}}
source:
  connector: here
  ${source.yaml}
steps: ${steps}
target:
  connector: there
  ${target.yaml}
`,
    { here: source.connector, there: target.connector },
  )
}

/** What has arrived, in the order of `id`, by the target's own client. */
const arrived: Record<TargetKey, () => Promise<Record<string, unknown>[]>> = {
  postgres: async () => (await client.query('SELECT * FROM arrived ORDER BY id')).rows as Record<string, unknown>[],
  mysql: async () => (await maria.query('SELECT * FROM arrived ORDER BY id'))[0] as Record<string, unknown>[],
  mongodb: async () =>
    mongo
      .db('types')
      .collection('arrived')
      .find({}, { projection: { _id: 0 }, sort: { id: 1 } })
      .toArray(),
  http: async () =>
    web.seen.flatMap(({ path, body }) => (path === '/taken' ? [JSON.parse(body) as Record<string, unknown>] : [])),
  // As JSON: the driver takes a mark at the beginning of a text away.
  parquet: async () =>
    (
      await duckdb.runAndReadAll(
        `SELECT CAST(to_json(r) AS VARCHAR) FROM '${join(folder, 'files/arrived.parquet')}' AS r ORDER BY id`,
      )
    )
      .getRows()
      .map(([row]) => JSON.parse(String(row)) as Record<string, unknown>),
  jsonl: async () =>
    readFileSync(join(folder, 'files/arrived.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  csv: async () => {
    const [header = [], ...rows] = fieldsOf(readFileSync(join(folder, 'files/arrived.csv'), 'utf8'))
    return rows.map((row) => Object.fromEntries(header.map((column, at) => [column, row[at]])))
  },
}

/** Read by no program that guesses. */
function fieldsOf(csv: string): string[][] {
  const rows: string[][] = [[]]
  for (let at = 0; at < csv.length;) {
    let end = at
    // A quote within is written twice.
    if (csv[at] === '"')
      do end = csv.indexOf('"', end + 1) + 1
      while (csv[end] === '"')
    const next = end + csv.slice(end, end + 1000).search(/[,\r\n]|$/)
    const field = csv.slice(at, next)
    rows.at(-1)?.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field)
    at = next + (csv.startsWith('\r\n', next) ? 2 : 1)
    if (csv[next] !== ',') rows.push([])
  }
  return rows.filter((row) => row.length > 1)
}

const plain = (rows: Record<string, unknown>[]): Row[] =>
  rows.map(({ id, t, lead }) => ({ id: Number(id), t: String(t), lead: typeof lead === 'string' ? lead : '' }))

const throughRecords = `[{map: '{"id": id, "t": t & "", "lead": lead & ""}'}]`

/** Where rows would go from the one to the other as they are. */
const throughDuckDb = '[{derive: {more: "t || lead"}}, {drop: [more]}]'

describe.each(sources)('from %s', (from) => {
  beforeAll(async () => fill[from](`rows_${from}`, awkward))

  it.each(targets)('line ends, marks and quotes of the first row arrive in %s', async (into) => {
    for (const steps of ['[]', throughRecords, ...(into === from ? [throughDuckDb] : [])]) {
      const run = await pass(from, `rows_${from}`, into, steps)
      expect({ steps, error: run.error }).toEqual({ steps })
      expect({ steps, rows: plain(await arrived[into]()) }).toEqual({ steps, rows: awkward })
    }
  })
})

/** Each way in and each way out, once. */
const largePairs: [SourceKey, TargetKey][] = [
  ...sources.flatMap((from): [SourceKey, TargetKey][] => (from === 'mongodb' ? [] : [[from, 'parquet']])),
  ...targets.flatMap((into): [SourceKey, TargetKey][] =>
    into === 'parquet' || into === 'mongodb' ? [] : [['postgres', into]],
  ),
]

it.each(largePairs)(
  'a text of 17 MB from %s arrives in %s',
  async (from, into) => {
    await fill[from](`large_${from}`, large)
    for (const steps of into === 'parquet' ? ['[]', throughRecords] : ['[]']) {
      const run = await pass(from, `large_${from}`, into, steps)
      expect({ steps, error: run.error }).toEqual({ steps })
      const found = plain(await arrived[into]())
      expect(found.map(({ t }) => t.length)).toEqual(large.map(({ t }) => t.length))
      // Not by `toEqual`, which would print both.
      expect(found.every(({ t, lead }, at) => t === large[at]?.t && lead === large[at]?.lead)).toBe(true)
    }
  },
  60_000,
)

it('a document of 17 MB is refused by the size that MongoDB takes', async () => {
  await fill.postgres('large_document', large)
  const run = await pass('postgres', 'large_document', 'mongodb', '[]')
  expect(run.error?.message).toMatch(/16/)
})

describe.each(['postgres', 'mongodb', 'duckdb'] as const)('a moment before Christ in the first row from %s', (from) => {
  beforeAll(async () => {
    if (from === 'postgres')
      await client.query(
        `CREATE TABLE bc_postgres AS SELECT 1 AS id, timestamp '0044-03-15 10:00:00 BC' AS at UNION ALL SELECT 2, timestamp '2024-01-01 10:00:00'`,
      )
    if (from === 'mongodb')
      await mongo
        .db('types')
        .collection('bc_mongodb')
        .insertMany([
          { id: new Int32(1), at: new Date(moment) },
          { id: new Int32(2), at: new Date('2024-01-01T10:00:00Z') },
        ])
    if (from === 'duckdb') {
      const own = await DuckDBInstance.create(String(bound('duckdb').config['path']))
      const connection = await own.connect()
      await connection.run(
        `CREATE TABLE bc_duckdb AS SELECT 1 AS id, TIMESTAMP '0044-03-15 (BC) 10:00:00' AS at UNION ALL SELECT 2, TIMESTAMP '2024-01-01 10:00:00'`,
      )
      connection.closeSync()
      own.closeSync()
    }
  })

  const waysThrough = ['[]', `[{derive: {year: 'year("at")'}}, {drop: [year]}]`]

  it.each(targets.filter((into) => into !== 'mysql'))('arrives in %s', async (into) => {
    for (const steps of waysThrough) {
      const run = await pass(from, `bc_${from}`, into, steps)
      expect({ steps, error: run.error }).toEqual({ steps })
      const [first, second] = (await arrived[into]()).map(({ at }) => at)
      expect([first, second].map(momentOf)).toEqual([moment, '2024-01-01T10:00:00.000Z'])
    }
  })

  it('is refused by MySQL, with the column and the value', async () => {
    for (const steps of waysThrough) {
      const run = await pass(from, `bc_${from}`, 'mysql', steps)
      expect(run.error?.message).toMatch(/`at`.*0044-03-15 \(BC\)/)
    }
  })
})

/** Of a driver's value, or of text. */
function momentOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  const written = String(value)
  const iso = written
    .replace(' ', 'T')
    .replace(/Z$/, '')
    .replace(/\.0+$/, '')
    .replace(/^-(?=\d{4}-)/, '-00')
  const [, year = '', rest = ''] = /^(\d+)-(\d\d-\d\d)/.exec(written) ?? []
  if (!written.includes('BC')) return `${iso}.000Z`
  const time = /\d\d:\d\d:\d\d/.exec(written)?.[0]
  return `-${String(Number(year) - 1).padStart(6, '0')}-${rest}T${time}.000Z`
}
