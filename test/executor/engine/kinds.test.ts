import Database from 'better-sqlite3'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { TaskPreview } from '../../../src/contract/task-preview.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

function world() {
  const path = join(temporaryFolder(), 'app.db')
  const database = new Database(path)
  database.exec(`CREATE TABLE orders (id INTEGER, total REAL); INSERT INTO orders VALUES (1, 5), (2, 7), (3, null)`)
  const connectors = { db: sqliteConnector(path) }
  const task = (sql: string, rest = ''): string =>
    `etl: 1\nkind: sql\nname: work\nconnectors: {db: {type: sqlite, access: write}}\nargs: {least: {type: number, default: 6}}\nsql: ${sql}\n${rest}\n`
  return {
    task,
    run: (sql: string, rest?: string) => runTask(task(sql, rest), connectors),
    async preview(yaml: string): Promise<TaskPreview> {
      const result = await runCall(
        { kind: 'preview', yaml_content: yaml, arguments: {}, connectors, step: null, limit: 2 },
        { signal: new AbortController().signal, tempDir: temporaryFolder() },
      )
      if (result.kind !== 'preview') throw new Error('another answer')
      return result.value
    },
    query: (sql: string): unknown[] => database.prepare(sql).raw().all(),
  }
}

describe('a task that is no pipeline', () => {
  it('is one step, with outputs and hooks of its own', async () => {
    const app = world()
    const run = await app.run(
      '{connector: db, statements: ["DELETE FROM orders WHERE total < :least", "SELECT count(*) AS left FROM orders"]}',
      `outputs: {rows: "\${{ run.item_count }}", left: "\${{ result.first.left }}"}
hooks: {after: [{connector: db, sql: "UPDATE orders SET total = :n WHERE id = 3", params: {n: "\${{ run.item_count }}"}}]}`,
    )
    expect(run.error).toBeUndefined()
    expect(run).toMatchObject({ status: 'success', item_count: 1, reject_count: 0, outputs: { rows: 1, left: 2 } })
    expect(run.steps).toMatchObject([{ index: 0, key: 'sql', label: '2 statements', status: 'success' }])
    expect(run.steps[0]?.duration_ms).toBeGreaterThanOrEqual(0)
    expect(app.query('SELECT * FROM orders ORDER BY id')).toEqual([
      [2, 7],
      [3, 1],
    ])
  })

  it('that fails says so at its step', async () => {
    const run = await world().run('{connector: db, statements: DELETE FROM missing}')
    expect(run).toMatchObject({ status: 'failed', item_count: null, error: { step: 'sql' } })
    expect(run.error?.message).toContain('missing')
    expect(run.steps).toMatchObject([{ key: 'sql', status: 'failed' }])
    expect(run.log.at(-1)).toMatchObject({ level: 'error', step: 'sql' })
  })

  it('shows in its preview what a table made from a query would hold, and makes none', async () => {
    const app = world()
    const preview = await app.preview(
      app.task(
        '{connector: db, create_as: large, query: "SELECT id, total FROM orders WHERE total >= :least OR total IS NULL"}',
      ),
    )
    expect(preview.stages).toMatchObject([
      {
        index: 0,
        key: 'sql',
        label: 'create table large',
        columns: [{ name: 'id' }, { name: 'total' }],
        rows: [
          [2, 7],
          [3, null],
        ],
      },
    ])
    expect(preview.stages[0]?.error).toBeUndefined()
    expect(app.query(`SELECT * FROM sqlite_schema WHERE name = 'large'`)).toEqual([])
  })

  it('puts a mistake of that query into the stage', async () => {
    const app = world()
    const preview = await app.preview(app.task('{connector: db, create_as: large, query: SELECT nope FROM orders}'))
    expect(preview.stages[0]?.error?.message).toContain('nope')
  })

  it.each([
    ['sql', 'connectors: {db: {type: sqlite, access: write}}\nsql: {connector: db, statements: DELETE FROM orders}'],
    ['http', 'connectors: {api: {type: http}}\nhttp: {connector: api, path: /x}'],
    ['script', 'script: return 1'],
    ['command', 'command: [ls]'],
  ])('of kind %s has no other preview, says why and does nothing', async (kind, rest) => {
    const app = world()
    const preview = await app.preview(`etl: 1\nkind: ${kind}\nname: x\n${rest}\n`)
    expect(preview.stages).toMatchObject([
      {
        key: kind,
        rows: [],
        error: { code: 'NOT_PREVIEWED', hint: expect.stringContaining('Run the task') as unknown },
      },
    ])
    expect(app.query('SELECT count(*) FROM orders')).toEqual([[3]])
  })
})

describe('a preview of a pipeline', () => {
  const pipeline = (steps: string, rest = ''): string => `etl: 1
kind: pipeline
name: x
connectors: {db: {type: sqlite}, out: {type: file, access: write}}
source: {connector: db, sql: {query: "SELECT * FROM orders", params: {}}}
inputs: {names: {inline: {rows: [{id: 1, name: Ada}, {id: 2, name: Bob}]}}}
${rest}
steps: ${steps}
target: {connector: out, file: {path: x.csv}}
`
  it('reads inputs, and names steps of a kind apart', async () => {
    const preview = await world().preview(
      pipeline(
        '[{filter: id > 0}, {sql: "SELECT s.id, n.name FROM stream s JOIN names n USING (id)"}, {filter: id > 1}]',
      ),
    )
    expect(preview.stages.map((stage) => [stage.key, stage.row_count, stage.error])).toEqual([
      ['source', 2, undefined],
      ['filter', 2, undefined],
      ['sql', 2, undefined],
      ['filter_2', 1, undefined],
    ])
    expect(preview.stages[3]?.rows).toEqual([[2, 'Bob']])
  })

  it('stops at once when nobody waits for it any more', async () => {
    const stop = new AbortController()
    const yaml = pipeline('[{sql: "SELECT count(*) AS n FROM range(3000000) a, range(3000000) b, stream"}]').replace(
      '{connector: db, sql: {query: "SELECT * FROM orders", params: {}}}',
      '{inline: {rows: [{a: 1}]}}',
    )
    const call = runCall(
      { kind: 'preview', yaml_content: yaml, arguments: {}, connectors: {}, step: null, limit: 2 },
      { signal: stop.signal, tempDir: temporaryFolder() },
    )
    // The query would go on for hours.
    setTimeout(() => stop.abort(), 100)
    await expect(call).rejects.toMatchObject({ code: 'TIMEOUT' })
  })

  it('starts where a first run would, and tells of a cursor that does not fit', async () => {
    const app = world()
    const state = (cursor: string): string =>
      pipeline('[{sql: "SELECT * FROM stream, names"}]', `state: {cursor: ${cursor}}`).replace(
        'SELECT * FROM orders", params: {}',
        'SELECT * FROM orders WHERE :from IS NULL OR id >= :from", params: {from: "${{ state.cursor }}"}',
      )
    const rows = async (cursor: string) => (await app.preview(state(cursor))).stages[0]
    expect((await rows('{field: id, type: integer, initial: 3}'))?.rows).toEqual([[3, null]])
    expect((await rows('{field: id, type: integer}'))?.row_count).toBe(2)
    expect(await rows('{field: id, type: date}')).toMatchObject({ error: { code: 'SCHEMA_MISMATCH' } })
  })
})
