import Database from 'better-sqlite3'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import type { TaskPreview } from '../../../src/contract/task-preview.ts'
import type { ValueChange } from '../../../src/contract/value-change.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { answer, json, startMisbehavingHttp, type MisbehavingHttp } from '../../support/misbehaving-http.ts'
import { duckFile } from './duckdb-fixture.ts'
import { webConnector } from './http-connector.ts'
import { useMariaDb } from './mariadb-fixture.ts'
import { usePostgres } from './postgres-fixture.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

const postgres = usePostgres()
const mariadb = useMariaDb()
let api: MisbehavingHttp
beforeAll(async () => {
  api = await startMisbehavingHttp()
})
afterAll(() => api.stop())

/** Of 60 rows, which a preview shows as well, every third holds a value that the target changes. */
const rows = 60
const every = (changed: string, exact: string, column: string): string =>
  `CASE WHEN i % 3 = 0 THEN ${changed} ELSE ${exact} END AS ${column}`
const zero = every(`'-0.0'::DOUBLE`, '1.5', 'zero')
const single = every('0.1::DOUBLE', '0.5', 'single')
const zoned = every(`TIMESTAMPTZ '2024-01-01 00:00:00+02'`, 'NULL', 'zoned')
const infinite = every(`'inf'::DOUBLE`, '1.5', 'infinite')
const long = every('12345678901234567.5::DECIMAL(20,1)', '0.5', 'long')

interface Target {
  open(): Promise<BoundConnector> | BoundConnector
  target: string
  columns: string[]
  /** `column: what it becomes`. */
  told: string[]
}
const table = 'table: t, mode: append'
const inUtc = 'zoned: stored in UTC, without a time zone'

/** What docs/types.md lists under “Changed values”, by target. */
const targets: Record<string, Target> = {
  PostgreSQL: {
    open: async () => {
      await postgres.query('CREATE TABLE t (zero jsonb, single real, zoned timestamp, short character(3))')
      return postgres.connector()
    },
    target: table,
    columns: [every(`['-0.0'::DOUBLE]`, '[1.5]', 'zero'), single, zoned, every(`'a'`, `'abc'`, 'short')],
    told: ['zero: -0.0 stored as 0.0', 'single: rounded to real', inUtc, 'short: padded with blanks to character(3)'],
  },
  MariaDB: {
    open: async () => {
      await mariadb.query('CREATE TABLE t (zero double, single float, zoned datetime(6))')
      return mariadb.connector()
    },
    target: table,
    columns: [zero, single, zoned],
    told: ['zero: -0.0 stored as 0.0', 'single: rounded to float', inUtc],
  },
  SQLite: {
    open: () => {
      const path = join(temporaryFolder(), 'app.db')
      const database = new Database(path)
      database.exec('CREATE TABLE t (zero REAL, amount DECIMAL_TEXT(18,2), day DATE)')
      database.close()
      return sqliteConnector(path)
    },
    target: table,
    columns: [
      zero,
      every('1.25::DECIMAL(18,2)', 'NULL', 'amount'),
      every(`DATE '12345-01-01'`, `DATE '2024-01-01'`, 'day'),
    ],
    told: [
      'zero: -0.0 stored as 0.0',
      'amount: stored as text, which SQLite compares as text',
      'day: outside of the years 0 to 9999, stored as text, which SQLite does not sort by time',
    ],
  },
  DuckDB: {
    open: async () => {
      const file = duckFile()
      await file.sql('CREATE TABLE t (zero DOUBLE, single FLOAT, zoned TIMESTAMP)')
      return file.bound
    },
    target: table,
    columns: [zero, single, zoned],
    told: ['zero: -0.0 may be read back as 0.0, and 0.0 as -0.0', 'single: rounded to FLOAT', inUtc],
  },
  Parquet: {
    open: () => fileConnector(temporaryFolder()),
    target: 'file: {path: o.parquet}',
    columns: [
      every(`INTERVAL '1 microsecond'`, `INTERVAL '1 day'`, 'span'),
      every(`'10:00:00+02'::TIMETZ`, 'NULL', 'clock'),
    ],
    told: ['span: truncated to milliseconds', 'clock: converted to UTC'],
  },
  'JSON Lines': {
    open: () => fileConnector(temporaryFolder()),
    target: 'file: {path: o.jsonl}',
    columns: [infinite, long],
    told: ['infinite: NaN or infinity, written as text', 'long: more than 15 digits, written as text'],
  },
  'an API': {
    open: () => {
      api.on('/sink', json({}))
      return webConnector(api.url)
    },
    target: 'http: {path: /sink, send: batch}',
    columns: [infinite],
    told: ['infinite: NaN or infinity, written as text'],
  },
  Excel: {
    open: () => fileConnector(temporaryFolder()),
    target: 'file: {path: o.xlsx}',
    columns: [infinite, long, zoned, every(`DATE '1899-12-31'`, `DATE '2024-01-01'`, 'day')],
    told: [
      'infinite: NaN or infinity, written as text',
      'long: more than 15 digits, written as text',
      inUtc,
      'day: a date or time that Excel cannot hold, written as text',
    ],
  },
}

interface Given {
  open(): Promise<BoundConnector> | BoundConnector
  source: string
  steps?: string
  /** Of which stage. */
  stage: number
  told: string[]
}

/** What docs/types.md lists there of sources and of casts. */
const sources: Record<string, Given> = {
  MariaDB: {
    open: async () => {
      await mariadb.query(`CREATE TABLE s (id int, day date);
        INSERT INTO s SELECT seq, IF(seq % 3 = 0, '0000-00-00', '2024-01-01') FROM seq_1_to_${rows}`)
      return mariadb.connector()
    },
    source: 'sql: {table: s}',
    stage: 0,
    told: ['day: not a date, such as 0000-00-00, read as NULL'],
  },
  SQLite: {
    open: () => {
      const path = join(temporaryFolder(), 'app.db')
      const database = new Database(path)
      database.exec(`CREATE TABLE s (n INTEGER); WITH r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < ${rows})
        INSERT INTO s SELECT CASE i % 3 WHEN 0 THEN 'x' WHEN 1 THEN i END FROM r`)
      database.close()
      return sqliteConnector(path)
    },
    source: 'sql: {table: s}',
    stage: 0,
    told: ['n: declared as INTEGER, read as VARCHAR', 'n: one of several kinds (numbers, texts), read as VARCHAR'],
  },
  'an API': {
    open: async () => {
      const record = (_: unknown, at: number): string => (at % 3 === 0 ? '{"name":"a\\ud83d"}' : '{"name":"\ufffd"}')
      api.on('/rows', answer(`[${Array.from({ length: rows }, record).join(',')}]`))
      return webConnector(api.url)
    },
    source: 'http: {path: /rows}',
    stage: 0,
    told: ['name: half a character (a lone surrogate), read as U+FFFD'],
  },
  'JSON Lines': {
    open: () => {
      const folder = temporaryFolder()
      const line = (_: unknown, at: number): string => `{"mixed":${at % 3 === 0 ? at : `"x${at}"`}}`
      writeFileSync(join(folder, 's.jsonl'), `${Array.from({ length: rows }, line).join('\n')}\n`)
      return fileConnector(folder)
    },
    source: 'files: {glob: s.jsonl}',
    stage: 0,
    told: ['mixed: one of several kinds (numbers, texts), read as VARCHAR'],
  },
  Parquet: {
    open: () => {
      const folder = temporaryFolder()
      copyFileSync(join(import.meta.dirname, 'parquet-nanoseconds', 'third.parquet'), join(folder, 's.parquet'))
      return fileConnector(folder)
    },
    source: 'files: {glob: s.parquet}',
    stage: 0,
    told: ['moment: truncated to microseconds'],
  },
  'pages of an API': {
    open: async () => {
      const record = (_: unknown, at: number): string => `{"mixed":${at % 3 === 0 ? 'true' : '"x"'}}`
      api.on('/mixed', answer(`[${Array.from({ length: rows }, record).join(',')}]`))
      return webConnector(api.url)
    },
    source: 'http: {path: /mixed}',
    stage: 0,
    told: ['mixed: one of several kinds (texts, booleans), read as VARCHAR'],
  },
  'a column of SQLite without a type': {
    open: () => {
      const path = join(temporaryFolder(), 'app.db')
      const database = new Database(path)
      database.exec(`CREATE TABLE s (mixed); WITH r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < ${rows})
        INSERT INTO s SELECT iif(i % 3 = 0, i, 'x') FROM r`)
      database.close()
      return sqliteConnector(path)
    },
    source: 'sql: {table: s}',
    stage: 0,
    told: ['mixed: one of several kinds (texts, numbers), read as VARCHAR'],
  },
  'a cast': {
    open: () => {
      const folder = temporaryFolder()
      const line = (_: unknown, at: number): string => (at % 3 === 0 ? '1.005,2024-01-01 10:00' : '1.25,2024-01-01')
      writeFileSync(join(folder, 's.csv'), `d,day\n${Array.from({ length: rows }, line).join('\n')}\n`)
      return fileConnector(folder)
    },
    source: 'files: {glob: s.csv, columns: {d: string, day: string}}',
    steps: '[{cast: {columns: {d: {type: "decimal(18,2)", rounding: round}, day: {type: date, rounding: truncate}}}}]',
    stage: 1,
    told: ['d: rounded to fit decimal(18,2)', 'day: truncated to fit date'],
  },
}

const inWords = (changes: readonly ValueChange[] = []): string[] =>
  changes.map(({ column, change, count }) => `${column}: ${change}, ${count}`)

interface Told {
  previewed: string[]
  /** In the steps of the run. */
  told: string[]
  logged: string[]
}

async function toldOf(
  yaml: string,
  connectors: Record<string, BoundConnector>,
  find: (preview: TaskPreview) => readonly ValueChange[] | undefined,
  stage: number,
): Promise<Told> {
  const call = await runCall(
    { kind: 'preview', yaml_content: yaml, arguments: {}, connectors, step: null, limit: 100 },
    { signal: new AbortController().signal, tempDir: temporaryFolder() },
  )
  if (call.kind !== 'preview') throw new Error(call.kind)
  const run = await runTask(yaml, connectors)
  if (run.error) throw new Error(run.error.message)
  const warned = run.log.filter(({ level }) => level === 'warn').map(({ message }) => message)
  return {
    previewed: inWords(find(call.value)).toSorted(),
    told: inWords(run.steps.at(stage)?.changes).toSorted(),
    logged: warned.map((line) => line.replace(/ \(such as [^)]*\)$/, '')).toSorted(),
  }
}

function wanted(changes: readonly string[]): Told {
  const told = changes.map((words) => `${words}, ${rows / 3}`).toSorted()
  const logged = changes.map((words) => {
    const [column, change] = words.split(': ')
    return `Column \`${column}\`, ${rows / 3} values: ${change}`
  })
  return { previewed: told, told, logged: logged.toSorted() }
}

describe('values that arrive differently are told once a column, with their number', () => {
  it.each(Object.entries(targets))('in %s: by the preview, the steps and the log', async (_, into) => {
    const connector = await into.open()
    const yaml = `etl: 1
kind: pipeline
name: told
connectors: {out: {type: ${connector.type}, access: write}}
source: {inline: {rows: [{one: 1}]}}
steps: [{sql: "SELECT ${into.columns.join(', ')} FROM range(${rows}) AS r(i), stream"}]
target: {connector: out, ${into.target}}
`
    expect(await toldOf(yaml, { out: connector }, (preview) => preview.target_changes, -1)).toEqual(wanted(into.told))
  })

  it.each(Object.entries(sources))('by %s: by the preview, the steps and the log', async (_, from) => {
    const connector = await from.open()
    const yaml = `etl: 1
kind: pipeline
name: told
connectors: {in: {type: ${connector.type}}, out: {type: file, access: write}}
source: {connector: in, ${from.source}}
steps: ${from.steps ?? '[]'}
target: {connector: out, file: {path: o.csv}}
`
    const bound = { in: connector, out: fileConnector(temporaryFolder()) }
    expect(await toldOf(yaml, bound, ({ stages }) => stages[from.stage]?.changes, from.stage)).toEqual(
      wanted(from.told),
    )
  })
})
