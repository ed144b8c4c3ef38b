import Database from 'better-sqlite3'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import type { ValueChange } from '../../../src/contract/value-change.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { duckFile } from './duckdb-fixture.ts'
import { useMariaDb } from './mariadb-fixture.ts'
import { usePostgres } from './postgres-fixture.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

const postgres = usePostgres()
const mariadb = useMariaDb()

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

const inWords = (changes: readonly ValueChange[] = []): string[] =>
  changes.map(({ column, change, count }) => `${column}: ${change}, ${count}`)

describe('values that arrive differently are told once a column, with their number', () => {
  it.each(Object.entries(targets))('of %s: in the preview, the steps and the log', async (_, into) => {
    const connector = await into.open()
    const yaml = `etl: 1
kind: pipeline
name: told
connectors: {out: {type: ${connector.type}, access: write}}
source: {inline: {rows: [{one: 1}]}}
steps: [{sql: "SELECT ${into.columns.join(', ')} FROM range(${rows}) AS r(i), stream"}]
target: {connector: out, ${into.target}}
`
    const told = into.told.map((words) => `${words}, ${rows / 3}`)
    const answer = await runCall(
      { kind: 'preview', yaml_content: yaml, arguments: {}, connectors: { out: connector }, step: null, limit: 100 },
      { signal: new AbortController().signal, tempDir: temporaryFolder() },
    )
    if (answer.kind !== 'preview') throw new Error(answer.kind)
    expect(answer.value.stages.map(({ error }) => error?.message)).toEqual([undefined, undefined])
    expect(inWords(answer.value.target_changes).toSorted()).toEqual(told.toSorted())
    const run = await runTask(yaml, { out: connector })
    expect(run.error).toBeUndefined()
    expect(inWords(run.steps.at(-1)?.changes).toSorted()).toEqual(told.toSorted())
    const warned = run.log.filter(({ level }) => level === 'warn').map(({ message }) => message)
    expect(warned).toHaveLength(told.length)
    for (const words of into.told) {
      const [column, change] = words.split(': ')
      expect(warned).toContainEqual(
        expect.stringContaining(`Column \`${column}\`, ${rows / 3} values: ${change} (such as `),
      )
    }
  })
})
