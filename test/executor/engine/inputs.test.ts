import Database from 'better-sqlite3'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileConnector, flow, runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

const countries = 'code,name\nDE,Deutschland\nFR,"La France"\nXX,\n'
const orders = 'id,country,total\n1,DE,5\n2,FR,7\n3,ZZ,9\n4,,11\n'

interface World {
  run: FinishedRun
  rows: unknown[]
}

async function joined(steps: string, inputs = '{connector: in, files: {glob: countries.csv}}'): Promise<World> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'countries.csv'), countries)
  writeFileSync(join(folder, 'orders.csv'), orders)
  writeFileSync(join(folder, 'twice.csv'), 'code,name,name\nDE,a,b\n')
  const path = join(folder, 'out.db')
  new Database(path).close()
  const run = await runTask(
    `etl: 1
kind: pipeline
name: joined
connectors: {in: {type: file}, db: {type: sqlite, access: write}}
source: {connector: in, files: {glob: orders.csv}}
inputs: {Countries: ${inputs}}
steps: ${steps}
target: {connector: db, table: out}
`,
    { in: fileConnector(folder), db: sqliteConnector(path) },
  )
  const database = new Database(path)
  const there = database.prepare(`SELECT count(*) FROM sqlite_schema WHERE name = 'out'`).pluck().get()
  const rows = there === 1 ? database.prepare('SELECT * FROM out').raw().all() : []
  database.close()
  return { run, rows }
}

describe('an input', () => {
  it('is a table for SQL steps, by its name in any capitals', async () => {
    const { run, rows } = await joined(
      `[{sql: "SELECT s.id, c.name FROM stream s LEFT JOIN countries c ON c.code = s.country ORDER BY s.id"}]`,
    )
    expect(run.status).toBe('success')
    expect(rows).toEqual([
      [1, 'Deutschland'],
      [2, 'La France'],
      [3, null],
      [4, null],
    ])
    expect(flow(run)).toBe('source 4→4 | sql 4→4 | target 4→4')
    expect(run.log).toContainEqual(
      expect.objectContaining({
        step: 'sql',
        message: expect.stringMatching(/^Input Countries: 3 rows \(\d+ ms\)$/) as unknown,
      }),
    )
  })

  it('is named in its warnings', async () => {
    const { run } = await joined(
      `[{sql: "SELECT s.id, c.name FROM stream s JOIN countries c ON c.code = s.country"}]`,
      '{connector: in, files: {glob: twice.csv}}',
    )
    expect(run.log.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Input Countries: .*twice\.csv, header: .*`name` in column 3 is called `name_1`$/),
    ])
  })

  it('is read once, however often it is asked for, and also in subqueries and beside WITH', async () => {
    const { run, rows } = await joined(`
  - sql: "SELECT * FROM stream WHERE country IN (SELECT code FROM COUNTRIES) OR id = 4"
  - sql: "WITH named AS (SELECT * FROM \\"Countries\\" WHERE name IS NOT NULL) SELECT s.id, count(n.code) AS n FROM stream s, named n GROUP BY s.id ORDER BY s.id"`)
    expect(rows).toEqual([
      [1, 2],
      [2, 2],
      [4, 2],
    ])
    expect(run.log.filter((line) => line.message.startsWith('Input Countries: 3 rows'))).toHaveLength(1)
    expect(flow(run)).toBe('source 4→4 | sql 4→3 | sql_2 3→3 | target 3→3')
  })

  it('never asked for is never read', async () => {
    const { run } = await joined('[]', '{connector: in, files: {glob: missing.csv}}')
    expect(run.status).toBe('success')
  })

  it('that fails says which one it is, at the step that asked', async () => {
    const { run } = await joined(
      '[{filter: "id > 0"}, {sql: "SELECT s.* FROM stream s, countries"}]',
      '{connector: in, files: {glob: country.csv}}',
    )
    expect(run).toMatchObject({
      status: 'failed',
      error: { code: 'FILE_NOT_FOUND', step: 'sql', message: expect.stringMatching(/^Input `Countries`: /) as unknown },
    })
  })

  it('sends what it cannot read to the rejects under its own name, outside the share of the stream', async () => {
    const { run } = await joined(
      '[{sql: "SELECT s.* FROM stream s WHERE country IN (SELECT code FROM countries)"}]\ndead_letter: {max_ratio: 0}',
      '{connector: in, files: {glob: countries.csv, columns: {name: integer}, on_error: quarantine}}',
    )
    expect(run.status).toBe('completed')
    expect(run.rejects.map((reject) => reject.step)).toEqual(['inputs.Countries', 'inputs.Countries'])
    expect(run.steps.map((step) => step.rows_rejected)).toEqual([0, 0, 0])
    expect(run.reject_count).toBe(2)
  })

  it('can be of any kind: rows in the task, with arguments', async () => {
    const { rows } = await joined(
      '[{sql: "SELECT s.id, c.rate FROM stream s JOIN countries c USING (country) ORDER BY ALL"}]',
      '{inline: {rows: [{country: DE, rate: "${{ run.attempt / 4 }}"}], columns: {rate: number}}}',
    )
    expect(rows).toEqual([[1, 0.25]])
  })

  it('is the only further table: others are refused, and the inputs named', async () => {
    const { run } = await joined('[{sql: "SELECT * FROM stream, country"}]')
    expect(run.error).toMatchObject({
      code: 'TASK_INVALID',
      message: expect.stringContaining('There is no table `country` here.') as unknown,
      hint: 'The tables here are `stream`, `Countries`.',
    })
  })
})

it('a large input beside a large stream stays a join, listed with commas, too', async () => {
  const { run, rows } = await joined(
    `
  - sql: "SELECT range AS id, range % 1000 AS part FROM range(200000) r WHERE EXISTS (SELECT 1 FROM stream)"
  - sql: "SELECT count(*) AS n, count(DISTINCT s.part) AS parts FROM stream s, countries c WHERE s.part = c.part AND s.id = c.id"`,
    '{inline: {rows: [{part: 1, id: 1}, {part: 2, id: 1002}, {part: 3, id: 7}]}}',
  )
  expect(run.status).toBe('success')
  expect(rows).toEqual([[2, 2]])
})
