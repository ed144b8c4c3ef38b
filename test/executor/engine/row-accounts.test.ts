import Database from 'better-sqlite3'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import type { RunStep } from '../../../src/contract/runs.ts'
import { requireAccounts } from '../../../src/executor/engine/row-accounts.ts'
import type { TaskStep } from '../../../src/language/task/steps/step.types.ts'
import type { TaskTarget } from '../../../src/language/task/targets/target.types.ts'
import { usePostgres } from './postgres-fixture.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

function stage(key: string, index: number, out: number | null, rejected = 0): RunStep {
  return {
    index,
    key,
    label: key,
    status: 'running',
    rows_in: null,
    rows_out: out,
    rows_rejected: rejected,
    bytes: null,
    started_at: null,
    duration_ms: null,
    columns: [],
  }
}

describe('counts of a run', () => {
  const derive: TaskStep = { kind: 'derive', columns: {}, params: {} }
  const filter: TaskStep = { kind: 'filter', where: 'true', params: {} }
  const cast: TaskStep = { kind: 'cast', columns: {}, rounding: {}, on_error: 'quarantine' }
  const sql: TaskStep = { kind: 'sql', query: 'SELECT 1', params: {} }
  // Only the mode matters here.
  const target = (mode: string): TaskTarget => ({ kind: 'table', mode }) as TaskTarget
  /** `counts`: what source, steps and target let through, with what they rejected. */
  const check = (steps: TaskStep[], counts: [out: number | null, rejected?: number][], sent: number, mode = 'append') =>
    requireAccounts({
      steps,
      target: target(mode),
      unsure: new Set(),
      stages: counts.map(([out, rejected], index) => stage(steps[index - 1]?.kind ?? 'end', index, out, rejected)),
      sent,
    })

  test('agree where each row was passed on, rejected or filtered', () => {
    expect(() => check([derive], [[10], [null], [null]], 10)).not.toThrow()
    expect(() => check([derive, filter], [[10], [null], [4], [null]], 4)).not.toThrow()
    expect(() => check([cast, derive], [[10], [null, 3], [null], [null]], 7)).not.toThrow()
    expect(() => check([sql], [[10], [25], [null]], 25)).not.toThrow()
    expect(() => check([], [[10], [null, 4]], 6)).not.toThrow()
    expect(() => check([], [[10], [null, 1]], 7, 'upsert')).not.toThrow()
    expect(() => check([derive], [[null], [null], [null]], 3)).not.toThrow()
  })

  test.each<[steps: TaskStep[], counts: [number | null, number?][], sent: number, stage: string]>([
    [[derive], [[10], [null], [null]], 9, 'end'],
    [[derive], [[10], [9], [null]], 9, 'derive'],
    [[cast], [[10], [8, 1], [null]], 8, 'cast'],
    [[filter], [[10], [11], [null]], 11, 'filter'],
    [[], [[10], [null, 4]], 7, 'end'],
  ])('that do not agree are an error that names the stage: %#', (steps, counts, sent, named) => {
    expect(() => check(steps, counts, sent)).toThrow(`\`${named}\``)
  })
})

const load = (db: BoundConnector, mode: string): Promise<FinishedRun> =>
  runTask(
    `
etl: 1
kind: pipeline
name: t
connectors: {db: {types: [sqlite, postgres], access: write}}
source: {inline: {rows: [{id: 1, v: a}, {id: 2, v: b}, {id: 2, v: c}, {id: 3, v: d}]}}
target: {connector: db, table: orders, mode: ${mode}}
`,
    { db },
  )

describe('rows that a table leaves out by a rule of its own are reported, not called written', () => {
  test.each([
    ['CREATE TABLE orders (id INTEGER UNIQUE ON CONFLICT IGNORE, v TEXT)', 'an ON CONFLICT clause'],
    [
      `CREATE TABLE orders (id INTEGER, v TEXT);
       CREATE TRIGGER guard BEFORE INSERT ON orders WHEN new.v = 'b' BEGIN SELECT RAISE(IGNORE); END`,
      'a trigger',
    ],
  ])('SQLite: %s', async (ddl, rule) => {
    const path = join(temporaryFolder(), 'a.db')
    const db = new Database(path)
    db.exec(ddl)
    for (const mode of ['append', 'replace']) {
      db.exec('DELETE FROM orders')
      const run = await load(sqliteConnector(path), mode)
      expect([run.status, run.item_count, run.metrics.rows_out]).toEqual(['completed', 3, 3])
      expect(run.log).toContainEqual({
        level: 'warn',
        step: 'target',
        message: `Table orders left out 1 of 4 rows: it has ${rule}`,
      })
      expect(db.prepare('SELECT count(*) FROM orders').pluck().get()).toBe(3)
    }
    db.close()
  })

  const postgres = usePostgres()
  test.each([
    [
      `CREATE FUNCTION app.guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF new.v = 'b' THEN RETURN NULL; END IF; RETURN new; END $$;
       CREATE TRIGGER guard BEFORE INSERT ON app.orders FOR EACH ROW EXECUTE FUNCTION app.guard()`,
      'a trigger',
      ['append', 'replace'],
    ],
    [`CREATE RULE guard AS ON INSERT TO app.orders WHERE new.v = 'b' DO INSTEAD NOTHING`, 'a rule', ['replace']],
  ])('PostgreSQL: %s', async (ddl, rule, modes) => {
    await postgres.query('CREATE TABLE app.orders (id bigint, v text)')
    await postgres.query(ddl)
    for (const mode of modes) {
      await postgres.query('DELETE FROM app.orders')
      const run = await load(postgres.connector(), mode)
      expect([run.status, run.item_count]).toEqual(['completed', 3])
      expect(run.log.map(({ message }) => message)).toContain(`Table orders left out 1 of 4 rows: it has ${rule}`)
      expect(await postgres.query('SELECT count(*)::int AS n FROM app.orders')).toEqual([{ n: 3 }])
    }
  })
})

describe('what is no error', () => {
  test.each([
    'SELECT a.id FROM stream a JOIN stream b ON a.id = b.id',
    'SELECT id FROM stream UNION ALL SELECT id FROM stream WHERE random() < 0.5',
    'SELECT id FROM stream WHERE id IN (SELECT id FROM stream WHERE id % 2 = 0)',
    'SELECT id, (SELECT max(b.id) FROM stream b WHERE b.g = a.g) AS most FROM stream a',
    'SELECT id FROM stream EXCEPT SELECT id + 1 FROM stream',
  ])('a query that reads the stream twice, and a filter after it: %s', async (query) => {
    const folder = temporaryFolder()
    writeFileSync(
      join(folder, 'a.csv'),
      `id,g\n${Array.from({ length: 5_000 }, (_, id) => `${id},${id % 7}`).join('\n')}\n`,
    )
    const path = join(folder, 'a.db')
    const run = await runTask(
      `
etl: 1
kind: pipeline
name: t
connectors: {files: {type: file, access: read}, db: {type: sqlite, access: write}}
source: {connector: files, files: {glob: a.csv}}
steps:
  - sql: "${query}"
  - filter: "id >= 0"
target: {connector: db, table: t, mode: replace}
`,
      { files: fileConnector(folder), db: sqliteConnector(path) },
    )
    expect(run.error).toBeUndefined()
    const db = new Database(path, { readonly: true })
    expect(db.prepare('SELECT count(*) FROM t').pluck().get()).toBe(run.item_count)
    db.close()
  })
})

test.each([
  ['amount: sum(amount)', 'An expression sees one row'],
  [`amount: "generate_subscripts([]::int[], 1)"`, 'one value for each row'],
  [`amount: "generate_subscripts([1, 2], 1)"`, 'one value for each row'],
  [`amount: "regexp_split_to_table(CAST(amount AS VARCHAR), '1')"`, 'one value for each row'],
])('a derived column that makes fewer or more rows is refused: %s', async (column, hint) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'a.csv'), `amount\n${Array.from({ length: 5_000 }, (_, row) => row).join('\n')}\n`)
  const run = await runTask(
    `
etl: 1
kind: pipeline
name: t
connectors: {in: {type: file, access: read}, out: {type: file, access: write}}
source: {connector: in, files: {glob: a.csv}}
steps:
  - derive: {${column}}
target: {connector: out, file: {path: out.parquet}}
`,
    { in: fileConnector(folder), out: fileConnector(folder) },
  )
  expect([run.status, run.error?.step]).toEqual(['failed', 'derive'])
  expect(run.error?.hint).toContain(hint)
})
