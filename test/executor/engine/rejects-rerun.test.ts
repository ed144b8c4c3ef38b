import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { RejectedInput } from '../../../src/contract/executor-protocol.ts'
import { fileConnector, flow, runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

/** A table in SQLite that runs write into, from files in a folder. */
function world(table: string) {
  const folder = temporaryFolder()
  const path = join(folder, 'app.db')
  const db = new Database(path)
  db.exec(table)
  const connectors = { files: fileConnector(folder), app: sqliteConnector(path) }
  return {
    connectors,
    put: (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content),
    has: (name: string) => existsSync(join(folder, name)),
    rows: (sql: string) => db.prepare(sql).safeIntegers().raw().all(),
  }
}

/** What the server hands to the run that reruns the rows of a step. */
function rejectedOf(
  run: FinishedRun,
  step: string,
  edit: (row: Record<string, unknown>) => Record<string, unknown>,
): RejectedInput {
  const stage = run.rejects.every(({ form }) => form === 'line') ? 0 : run.steps.findIndex(({ key }) => key === step)
  return {
    run_id: 7,
    stage,
    columns: run.steps.map(({ columns }) => columns),
    rows: run.rejects.map(({ row }) => edit(row)),
  }
}

interface TaskText {
  /** Keys of the source beside its connector. */
  files?: string
  steps?: string
  mode?: string
  more?: string
}

const yaml = ({
  files = '{glob: "*.csv", on_error: quarantine}',
  steps = '[]',
  mode = 'append',
  more = '',
}: TaskText) => `
etl: 1
kind: pipeline
name: orders
connectors: {files: {type: file, access: read}, app: {type: sqlite, access: write}}
source: {connector: files, files: ${files}}
steps: ${steps}
target: {connector: app, table: orders, mode: ${mode}${mode === 'upsert' ? ', key: [id]' : ''}}
${more}`

describe('lines of a CSV file that were rejected', () => {
  it('are read with the types and options of the run that rejected them', async () => {
    const { connectors, put, rows } = world(
      'CREATE TABLE orders (id INTEGER, name TEXT, amount TEXT, day TEXT, note TEXT)',
    )
    const bad = 'zwölf;"a; ""b"""'
    put(
      'a.csv',
      Buffer.from(
        `id;name;amount;day;note\n1;Ärger;9007199254740993,50;31.01.2026;-\n${bad};1,5;30.02.2026;\n`,
        'latin1',
      ),
    )
    const task = yaml({
      files:
        '{glob: "*.csv", csv: {delimiter: ";", encoding: latin-1, null_values: ["-"], decimal: ",", date_format: "%d.%m.%Y"}, columns: {id: integer, amount: "decimal(20,2)", day: date}, on_error: quarantine}',
      more: 'dead_letter: {max_ratio: 0.9}',
    })
    const first = await runTask(task, connectors)
    expect(first.error).toBeUndefined()
    expect(first.rejects).toMatchObject([{ step: 'source', form: 'line', row: { line: 3 } }])
    const again = await runTask(task, connectors, {
      rejected: rejectedOf(first, 'source', ({ text }) => ({
        text: String(text).replace('zwölf', '12').replace('30.02', '28.02'),
      })),
    })
    expect(again.error).toBeUndefined()
    expect(again).toMatchObject({ status: 'success', item_count: 1, reject_count: 0, metrics: { rows_in: 1 } })
    expect(again.state).toBeUndefined()
    expect(rows('SELECT * FROM orders ORDER BY id')).toEqual([
      [1n, 'Ärger', '9007199254740993.50', '2026-01-31', null],
      [12n, 'a; "b"', '1.50', '2026-02-28', ''],
    ])
  })

  it('have the type that their column had in all rows, also with a zone, and are rejected again with their line', async () => {
    const { connectors, put, rows } = world('CREATE TABLE orders (id INTEGER, at TEXT, code INTEGER)')
    const good = Array.from({ length: 50 }, (_, at) => `${at},2026-01-01T12:00:00+02:00,${at}\n`).join('')
    put('a.csv', `id,at,code\n${good}100,x\n101,2026-01-01T12:00:00+02:00,5,6\n`)
    const task = yaml({})
    const first = await runTask(task, connectors)
    expect(first.error).toBeUndefined()
    expect(first.rejects.map(({ form }) => form)).toEqual(['line', 'line'])
    const again = await runTask(task, connectors, {
      rejected: rejectedOf(first, 'source', ({ text }) => ({
        text: text === '100,x' ? '100,2026-01-01T12:00:00+02:00,007' : text,
      })),
    })
    expect(again.error).toBeUndefined()
    expect(rows('SELECT at, code FROM orders WHERE id = 100')).toEqual([
      rows('SELECT at, 7 FROM orders WHERE id = 1')[0],
    ])
    expect(again).toMatchObject({ status: 'completed', item_count: 1, reject_count: 1 })
    expect(again.rejects).toMatchObject([
      { step: 'source', form: 'line', row: { line: 3, text: '101,2026-01-01T12:00:00+02:00,5,6' } },
    ])
    expect(again.rejects[0]?.reason).toMatch(/^rejects-of-run-7\.csv, line 3: /)
    expect(again.steps.map(({ columns }) => columns)).toEqual(first.steps.map(({ columns }) => columns))
  })

  it('of JSON Lines keep the columns that only other lines have', async () => {
    const { connectors, put, rows } = world("CREATE TABLE orders (id INTEGER, name TEXT, extra TEXT DEFAULT 'default')")
    put('a.jsonl', '{"id": 1, "name": "a", "extra": {"x": 12345678901234567890}}\n{"id": 2, "name": "b"\n')
    const task = yaml({ files: '{glob: "*.jsonl", on_error: quarantine}' })
    const first = await runTask(task, connectors)
    const again = await runTask(task, connectors, {
      rejected: rejectedOf(first, 'source', ({ text }) => ({ text: `${String(text)}}` })),
    })
    expect([first.error, again.error]).toEqual([undefined, undefined])
    expect(rows('SELECT id, name, extra FROM orders')).toEqual([
      [1n, 'a', '{"x":12345678901234567890}'],
      [2n, 'b', null],
    ])
  })
})

describe('values that a step rejected', () => {
  it('enter that step with their types, and nothing before it runs', async () => {
    const { connectors, put, rows } = world(
      'CREATE TABLE orders (id INTEGER PRIMARY KEY, big INTEGER, price TEXT, at TEXT, doc TEXT, bytes BLOB, name TEXT, twice TEXT, ratio REAL)',
    )
    const line = (id: number, name: string) =>
      `${id},9007199254740993,12345678901234567890.10,2026-02-03T04:05:06.123456,"{""a"": [1.50, ""x""]}",\\xff00,${name},0.1\n`
    put('a.csv', `id,big,price,at,doc,bytes,name,ratio\n${line(1, 'one')}${line(2, '')}${line(3, '""')}`)
    const task = yaml({
      files:
        '{glob: "*.csv", columns: {id: integer, big: integer, price: "decimal(30,2)", at: datetime, doc: json, bytes: binary, name: string, ratio: number}}',
      steps: `
  - derive: {twice: "price * 2"}
  - expect: [{name: named, check: "name <> ''", on_fail: quarantine}]
  - filter: "id > 0"`,
      mode: 'upsert',
    })
    const first = await runTask(task, connectors)
    expect(first.error).toBeUndefined()
    expect(first.rejects.map(({ form, row }) => [form, row['id'], row['name']])).toEqual([
      ['values', 2, null],
      ['values', 3, ''],
    ])
    const again = await runTask(
      task,
      { app: connectors.app },
      {
        rejected: rejectedOf(first, 'expect', (row) => ({ ...row, name: row['id'] === 2 ? "two'; --" : '' })),
      },
    )
    expect(again.error).toBeUndefined()
    expect(flow(again)).toBe('source null→null | derive null→2 | expect 2→1 -1 | filter 1→1 | target 1→1')
    expect(again.steps.map(({ status }) => status)).toEqual(['skipped', 'skipped', 'completed', 'success', 'success'])
    expect(again.rejects).toMatchObject([{ step: 'expect', form: 'values', row: { id: 3, name: '' } }])
    const [one, two] = rows('SELECT big, price, at, doc, bytes, twice, ratio, name FROM orders ORDER BY id')
    expect((two as unknown[]).slice(0, -1)).toEqual((one as unknown[]).slice(0, -1))
    expect((two as unknown[]).at(-1)).toBe("two'; --")
  })

  it('that were cut have no form, and can’t be read once more', async () => {
    const { connectors, put } = world('CREATE TABLE orders (id INTEGER, name TEXT)')
    put('a.csv', `id,name\n1,${'x'.repeat(20_000)}\n2,${'y'.repeat(9_000)}\n`)
    const run = await runTask(
      yaml({ steps: '[{expect: [{name: short, check: "length(name) < 10", on_fail: quarantine}]}]' }),
      connectors,
    )
    expect(run.rejects.map(({ form }) => form)).toEqual([undefined, 'values'])
  })
})
