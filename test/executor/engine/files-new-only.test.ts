import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import type { SourceState } from '../../../src/contract/executor-protocol.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder, type RunOptions } from './run-task.ts'

/** A folder that files come into, and a table that takes them. */
function inbox(options = '') {
  const folder = temporaryFolder()
  const path = join(temporaryFolder(), 'app.db')
  const yaml = `etl: 1
kind: pipeline
name: take
connectors: {in: {type: file, access: read}, db: {type: sqlite, access: write}}
args: {day: {type: string, default: "*"}}
source: {connector: in, files: {glob: "d/\${{ args.day }}.csv", format: csv, new_only: true${options}}}
target: {connector: db, table: t, mode: append}
`
  return {
    folder,
    put(files: Record<string, string>) {
      mkdirSync(join(folder, 'd'), { recursive: true })
      for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, 'd', name), content)
    },
    take: (state?: SourceState, more: RunOptions = {}) =>
      runTask(yaml, { in: fileConnector(folder), db: sqliteConnector(path) }, { ...more, state }),
    ids() {
      const database = new Database(path, { readonly: true })
      const rows = database.prepare('SELECT id FROM t ORDER BY id').pluck().all()
      database.close()
      return rows
    },
  }
}

describe('new_only', () => {
  it('takes each file once, changed ones again, and all of them with a full refresh', async () => {
    const { put, take, ids } = inbox()
    put({ 'a.csv': 'id\n1\n', 'b.csv': 'id\n2\n' })
    const first = await take()
    expect(first).toMatchObject({ status: 'success', item_count: 2 })
    put({ 'c.csv': 'id\n3\n' })
    const second = await take(first.state)
    expect(second).toMatchObject({ status: 'success', item_count: 1 })
    expect(second.log.map((line) => line.message)).toContain('Reading d/c.csv (5 bytes); 2 known')
    put({ 'a.csv': 'id\n10\n' })
    const third = await take(second.state)
    expect(third.item_count).toBe(1)
    expect(ids()).toEqual([1, 2, 3, 10])
    expect((await take(third.state, { fullRefresh: true })).item_count).toBe(3)
  })

  it('takes a file again that has only been touched', async () => {
    const { folder, put, take } = inbox()
    put({ 'a.csv': 'id\n1\n' })
    const first = await take()
    utimesSync(join(folder, 'd/a.csv'), 1_700_000_000, 1_700_000_000)
    expect((await take(first.state)).item_count).toBe(1)
  })

  it('succeeds without rows where nothing is new, with the columns of a file that is known', async () => {
    const { put, take } = inbox()
    put({ 'a.csv': 'id,name\n1,x\n' })
    const first = await take()
    const second = await take(first.state)
    expect(second).toMatchObject({ status: 'success', item_count: 0, state: first.state })
    expect(second.steps[0]?.columns?.map((column) => column.name)).toEqual(['id', 'name'])
    expect(second.log.map((line) => line.message)).toContain('No new file (1 known)')
  })

  it('succeeds without any file where columns are declared, else says which they need', async () => {
    const bare = await inbox().take()
    expect(bare.error).toMatchObject({ code: 'FILE_NOT_FOUND', step: 'source' })
    expect(bare.error?.hint).toContain('declare `columns`')
    const declared = await inbox(', columns: {id: integer}').take()
    expect(declared).toMatchObject({ status: 'success', item_count: 0 })
  })

  it('keeps nothing of a run that failed', async () => {
    const { put, take } = inbox()
    put({ 'a.csv': 'id\n1\n', 'b.csv': 'id\n1,2\n' })
    const run = await take()
    expect(run.status).toBe('failed')
    expect(run.state).toBeUndefined()
  })

  it('forgets files that are gone, but not those that another pattern has found', async () => {
    const { folder, put, take } = inbox()
    put({ 'mon.csv': 'id\n1\n', 'tue.csv': 'id\n2\n' })
    const monday = await take(undefined, { arguments: { day: 'mon' } })
    const tuesday = await take(monday.state, { arguments: { day: 'tue' } })
    expect(Object.keys(tuesday.state?.files ?? {})).toEqual(['d/mon.csv', 'd/tue.csv'])
    rmSync(join(folder, 'd/mon.csv'))
    const all = await take(tuesday.state)
    expect(Object.keys(all.state?.files ?? {})).toEqual(['d/tue.csv'])
  })

  it('remembers 50,000 files that are there, forgets others beyond that, and refuses more', async () => {
    const { put, take } = inbox()
    put({ 'a.csv': 'id\n1\n' })
    const gone = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`e/${n}.csv`, '1 1']))
    const run = await take({ files: gone })
    expect(run.error).toBeUndefined()
    expect(Object.keys(run.state?.files ?? {})).toEqual(['d/a.csv'])
  })
})

describe('new_only with a target that is replaced', () => {
  const targets = {
    table: { slot: 'sqlite', target: 'table: t, mode: replace' },
    file: { slot: 'file', target: 'file: {path: out.csv}' },
  }
  function world(kind: keyof typeof targets, options = '', steps = '[]') {
    const folder = temporaryFolder()
    const out = temporaryFolder()
    const path = join(out, 'app.db')
    const yaml = `etl: 1
kind: pipeline
name: take
connectors: {in: {type: file, access: read}, out: {type: ${targets[kind].slot}, access: write}}
source: {connector: in, files: {glob: "*.csv", format: csv, new_only: true${options}}}
steps: ${steps}
target: {connector: out, ${targets[kind].target}}
`
    const to = kind === 'table' ? sqliteConnector(path) : fileConnector(out)
    const content = (): unknown => {
      if (kind === 'file') return readFileSync(join(out, 'out.csv'), 'utf8')
      const database = new Database(path, { readonly: true })
      const rows = database.prepare('SELECT * FROM t ORDER BY id').raw().all()
      database.close()
      return rows
    }
    writeFileSync(join(folder, 'a.csv'), 'id\n1\n2\n')
    return {
      content,
      folder,
      take: (state?: SourceState) => runTask(yaml, { in: fileConnector(folder), out: to }, { state }),
    }
  }

  it.each(Object.keys(targets) as (keyof typeof targets)[])(
    'leaves a %s as it is where there is no new file, and says so',
    async (kind) => {
      const { content, folder, take } = world(kind)
      const first = await take()
      expect(first.error).toBeUndefined()
      const before = content()
      const second = await take(first.state)
      expect(second).toMatchObject({ status: 'success', item_count: 0, state: first.state })
      expect(second.log.map(({ message }) => message).join('\n')).toMatch(/No new file: (t|out\.csv) stays as it is/)
      expect(content()).toEqual(before)
      writeFileSync(join(folder, 'b.csv'), 'id\n3\n')
      expect((await take(second.state)).item_count).toBe(1)
      expect(content()).not.toEqual(before)
    },
  )

  it.each([
    ['table', []],
    ['file', 'id\n'],
  ] as const)('empties a %s with `no_new_files: empty`', async (kind, empty) => {
    const { content, take } = world(kind, ', no_new_files: empty')
    const first = await take()
    expect((await take(first.state)).error).toBeUndefined()
    expect(content()).toEqual(empty)
  })

  it('writes what a step makes of no rows, and asks its expectations', async () => {
    const counted = world('table', '', '[{sql: SELECT count(*) AS id FROM stream}]')
    const first = await counted.take()
    expect((await counted.take(first.state)).error).toBeUndefined()
    expect(counted.content()).toEqual([[0]])
    const expecting = world('table', '', '[{expect: [{name: some, rows: {min: 1}, on_fail: fail}]}]')
    const state = (await expecting.take()).state
    expect((await expecting.take(state)).error?.code).toBe('EXPECTATION_FAILED')
  })
})
