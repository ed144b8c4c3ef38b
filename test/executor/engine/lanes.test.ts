import { DuckDBInstance } from '@duckdb/node-api'
import { createServer, type Server } from 'node:http'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { postgresPrograms } from '../../support/postgres.ts'
import { usePostgres } from './postgres-fixture.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

/** Texts at the edges of what types hold. */
const texts = [
  '0',
  '-0',
  '+7',
  ' 42 ',
  '1.0',
  '1.5',
  '-1.5e3',
  '1e308',
  '-1e308',
  '1e309',
  'NaN',
  'Infinity',
  '-inf',
  '0x1F',
  '1_000',
  '١',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '9007199254740993',
  '1.0000000000000001',
  '12345678901234567890123456789012345678',
  '0.12345678901234567890123456789012345678',
  '99999999.994',
  '99999999.995',
  '-0.005',
  'true',
  'T',
  'no',
  'FALSE',
  '1',
  'yes please',
  '2024-02-29',
  '2023-02-29',
  '0001-01-01',
  '9999-12-31',
  '0044-03-15 (BC)',
  '10000-01-01',
  '2024-1-5',
  '31.12.2024',
  'infinity',
  '23:59:59.999999',
  '24:00:00',
  '7:05',
  '2024-02-29T23:59:59.999999Z',
  '2024-02-29 23:59:59.9999999',
  '2024-03-31T02:30:00+02:00',
  '2024-02-29T12:00:00-12:30',
  '2024-02-29 12:00:00 Europe/Berlin',
  '1969-12-31T23:59:59.999999Z',
  '0001-01-01 00:00:00',
  '',
  ' ',
  '\t',
  'NULL',
  '\\N',
  'null',
  '""',
  '"',
  "'",
  'a,b',
  'a\nb',
  'a\r\nb',
  '\\',
  '\\x00ff',
  '\uFEFFbom',
  'é',
  'e\u0301',
  '😀',
  '👩‍👩‍👧',
  '{"a": [1, null, 1e400]}',
  '[1,2',
  '{"a":1,"a":2}',
  '"text"',
  '12345678901234567890',
  'null ',
  '550E8400-E29B-41D4-A716-446655440000',
  '550e8400e29b41d4a716446655440000',
  'not-a-uuid',
]

const casts = {
  integer: 'integer',
  number: 'number',
  decimal: '"decimal(18,2)"',
  wide: '"decimal(38,10)"',
  boolean: 'boolean',
  date: 'date',
  time: 'time',
  datetime: 'datetime',
  json: 'json',
  binary: 'binary',
  string: 'string',
}
const castSteps = (columns: readonly string[]): string => {
  const all = columns.flatMap((column) =>
    Object.entries(casts).map(([key, type]) => [`${column}_${key}`, column, type] as const),
  )
  return `  - derive: {${all.map(([made, column]) => `${made}: "${column}"`).join(', ')}}
  - cast: {columns: {${all.map(([made, , type]) => `${made}: ${type}`).join(', ')}}, on_error: "null"}
  - derive: {${all.map(([made]) => `${made}: "${made}::VARCHAR"`).join(', ')}}
  - select: [id, ${all.map(([made]) => made).join(', ')}]`
}

/** Columns of several types, and what they are in the task language. */
const typed = {
  i: ['BIGINT', 'integer', ['0', '-9223372036854775808', '9223372036854775807', '9007199254740993', '1', '-1']],
  d: ['DOUBLE', 'number', ['-0.0', '1e308', '-1e-308', '0.1', '9007199254740992', '1.5']],
  m: [
    'DECIMAL(38,10)',
    '"decimal(38,10)"',
    ['12345.0123456789', '-0.0000000001', '1.5', '2', '0', '9223372036854775807'],
  ],
  b: ['BOOLEAN', 'boolean', ['true', 'false', 'true', 'false', 'true', 'false']],
  day: [
    'DATE',
    'date',
    [
      "DATE '0001-01-01'",
      "DATE '9999-12-31'",
      "DATE '2024-02-29'",
      "DATE '1970-01-01'",
      "DATE '1969-12-31'",
      "DATE '2000-01-01'",
    ],
  ],
  ts: [
    'TIMESTAMP',
    'datetime',
    [
      "'0001-01-01 00:00:00'",
      "'9999-12-31 23:59:59.999999'",
      "'2024-02-29 12:34:56.789012'",
      "'1970-01-01'",
      "'1969-12-31 23:59:59.999999'",
      "'2024-03-31 02:30:00.1'",
    ],
  ],
} as const

const expressions = [
  'i // 7',
  'i % 7',
  'i / 3',
  'd * 3',
  'TRY(m * 2)',
  'TRY(m + i)',
  'round(m, 3)',
  'try_cast(d AS DECIMAL(18,3))',
  'try_cast(i AS INTEGER)',
  'i = d',
  'm > d',
  "strftime(ts, '%Y-%m-%d %H:%M:%S.%f')",
  'day + INTERVAL 1 MONTH',
  'b AND i > 0',
  'coalesce(nullif(i, 1), -1)',
  'hash(i)',
  "ts + INTERVAL '1 microsecond'",
  'typeof(i) || typeof(d) || typeof(m) || typeof(b) || typeof(day) || typeof(ts)',
]

describe.skipIf(postgresPrograms === null)('every lane', () => {
  const postgres = usePostgres()
  let folder: string
  let server: Server
  let served = ''
  let web: BoundConnector
  let db: BoundConnector
  beforeEach(async () => {
    folder = temporaryFolder()
    db = sqliteConnector(join(folder, 'app.db'))
    server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(served))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    web = {
      id: 3,
      name: 'web',
      type: 'http',
      config: { base_url: `http://127.0.0.1:${port}`, allow_private: true },
      secrets: {},
    }
  })
  afterEach(() => void server.close())

  /** A Parquet file that all the others are made from. */
  async function reference(sql: string): Promise<void> {
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    await connection.run(`COPY (${sql}) TO '${folder}/reference.parquet' (FORMAT parquet)`)
    connection.closeSync()
    instance.closeSync()
  }

  const connectors = () => ({ files: fileConnector(folder), db, pg: postgres.connector(), web })
  async function run(source: string, steps: string, target: string): Promise<void> {
    const done = await runTask(
      `etl: 1
kind: pipeline
name: lane
connectors: {files: {type: file, access: read_write}, db: {type: sqlite, access: read_write}, pg: {type: postgres, access: read_write}, web: {type: http, access: read}}
source: ${source}
steps:
${steps}
target: ${target}
`,
      connectors(),
    )
    expect(done.error).toBeUndefined()
    expect(done.reject_count).toBe(0)
  }

  /** The sources that hold the reference's rows, by lane and system. */
  async function sources(columns: string): Promise<Record<string, string>> {
    const parquet = '{connector: files, files: {glob: reference.parquet}}'
    const plain = '  - filter: "true"'
    const csv = '{null_values: ["~null~"]}'
    await run(parquet, plain, '{connector: files, file: {path: reference.csv, csv: {null_value: "~null~"}}}')
    await run(parquet, plain, '{connector: files, file: {path: reference.jsonl}}')
    await run(parquet, plain, '{connector: db, table: t}')
    await run(parquet, plain, '{connector: pg, table: t}')
    const lines = readFileSync(join(folder, 'reference.jsonl'), 'utf8').trimEnd().split('\n')
    served = `[${lines.join(',')}]`
    return {
      parquet,
      csv: `{connector: files, files: {glob: reference.csv, csv: ${csv}, columns: ${columns}}}`,
      jsonl: `{connector: files, files: {glob: reference.jsonl, columns: ${columns}}}`,
      'arrays: SQLite, a table': '{connector: db, sql: {table: t}}',
      'arrays: SQLite, a query': '{connector: db, sql: {query: SELECT * FROM t}}',
      'PostgreSQL, a table': '{connector: pg, sql: {table: t}}',
      'PostgreSQL, with binds': '{connector: pg, sql: {query: "SELECT * FROM t WHERE id >= :low", params: {low: 0}}}',
      'PostgreSQL, in ranges': '{connector: pg, sql: {table: t, partition: {column: id, parts: 3}}}',
      'objects: HTTP': `{connector: web, http: {path: /rows, columns: ${columns}}}`,
    }
  }

  async function results(source: string, steps: string): Promise<string[]> {
    await run(
      source,
      `${steps}\n  - sql: SELECT * FROM stream ORDER BY id`,
      '{connector: files, file: {path: out.jsonl}}',
    )
    return readFileSync(join(folder, 'out.jsonl'), 'utf8').trimEnd().split('\n')
  }

  it('means the same by a cast of text', async () => {
    const rows = texts.map((text, id) => `(${id}, '${text.replaceAll("'", "''")}')`)
    await reference(`SELECT * FROM (VALUES ${rows.join(', ')}, (${texts.length}, NULL)) AS t(id, v)`)
    const all = await sources('{id: integer, v: string}')
    const wanted = await results(all['parquet'] ?? '', castSteps(['v']))
    expect(wanted).toHaveLength(texts.length + 1)
    for (const [name, source] of Object.entries(all))
      expect([name, await results(source, castSteps(['v']))]).toEqual([name, wanted])
    // What the texts themselves are, as a check of the check.
    expect(JSON.parse(wanted[texts.indexOf('9007199254740993')] ?? '')).toMatchObject({
      v_integer: '9007199254740993',
      v_boolean: null,
    })
    expect(wanted.map((line) => (JSON.parse(line) as { v_string: string | null }).v_string)).toEqual([...texts, null])
  })

  it('means the same by a cast, or an expression, of what has a type', async () => {
    const keys = Object.keys(typed) as (keyof typeof typed)[] // the table's own keys
    const rows = [0, 1, 2, 3, 4, 5].map(
      (row) =>
        `SELECT ${row} AS id, ${keys.map((key) => `CAST(${typed[key][2][row]} AS ${typed[key][0]}) AS ${key}`).join(', ')}`,
    )
    const empty = `SELECT 6 AS id, ${keys.map((key) => `NULL::${typed[key][0]} AS ${key}`).join(', ')}`
    await reference([...rows, empty].join(' UNION ALL '))
    const all = await sources(`{id: integer, ${keys.map((key) => `${key}: ${typed[key][1]}`).join(', ')}}`)
    const derived = `  - derive: {${expressions.map((sql, at) => `e${at}: ${JSON.stringify(sql)}`).join(', ')}}
  - derive: {${expressions.map((_, at) => `e${at}: "e${at}::VARCHAR"`).join(', ')}}
  - select: [id, ${expressions.map((_, at) => `e${at}`).join(', ')}]`
    // DuckDB reads a number of a JSON file as a double, also where a decimal is wanted: such files write long ones as text.
    delete all['jsonl']
    for (const steps of [castSteps(keys), derived]) {
      const wanted = await results(all['parquet'] ?? '', steps)
      expect(wanted).toHaveLength(7)
      for (const [name, source] of Object.entries(all))
        expect([name, await results(source, steps)]).toEqual([name, wanted])
    }
  })
})
