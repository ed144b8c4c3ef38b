import Database from 'better-sqlite3'
import { chmodSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import type { CallResult, CallWork } from '../../../src/executor/worker-protocol.ts'
import { fileConnector, sqliteConnector, temporaryFolder, vegaData } from './run-task.ts'

type ValueOf<K extends CallResult['kind']> = Extract<CallResult, { kind: K }>['value']

async function call<K extends CallResult['kind']>(work: CallWork & { kind: K }): Promise<ValueOf<K>> {
  const result = await runCall(work, { signal: new AbortController().signal, tempDir: temporaryFolder() })
  return result.value as ValueOf<K> // each kind of work has its own kind of answer
}

function preview(
  yaml: string,
  connectors: Record<string, BoundConnector>,
  more: Partial<Extract<CallWork, { kind: 'preview' }>> = {},
) {
  return call({ kind: 'preview', yaml_content: yaml, arguments: {}, connectors, step: null, limit: 100, ...more })
}

const weather = `etl: 1
kind: pipeline
name: weather
connectors: {in: {type: file, access: read}, db: {type: sqlite, access: write}}
source: {connector: in, files: {glob: seattle-weather.csv}}
steps:
  - filter: "precipitation > 0"
  - derive: {wet: "precipitation > 10"}
  - expect: [{name: mild, check: "temp_max < 12", on_fail: quarantine}]
  - sql: "SELECT weather, count(*) AS n FROM stream GROUP BY weather ORDER BY n DESC"
target: {connector: db, table: weather, mode: replace}
`

describe('a preview', () => {
  it('shows each stage on a sample, and never opens the target', async () => {
    const result = await preview(weather, { in: fileConnector(vegaData), db: sqliteConnector('/nowhere/x.db') })
    expect(result.sampled_rows).toBe(100)
    expect(
      result.stages.map((stage) => [stage.index, stage.key, stage.row_count, stage.rejected, stage.error]),
    ).toEqual([
      [0, 'source', 100, 0, undefined],
      [1, 'filter', 67, 0, undefined],
      [2, 'derive', 67, 0, undefined],
      [3, 'expect', 63, 4, undefined],
      [4, 'sql', 2, 0, undefined],
    ])
    expect(result.stages[0]).toMatchObject({
      columns: expect.arrayContaining([{ name: 'date', type: 'DATE' }]) as unknown,
      rows: expect.arrayContaining([['2012-01-01', 0, 12.8, 5, 4.7, 'drizzle']]) as unknown,
      truncated: false,
    })
    expect(result.stages[3]?.rejects[0]?.reason).toMatch(
      /csv, line \d+: mild: expected temp_max < 12, got temp_max = \d/,
    )
  })

  it('stops at the step asked for', async () => {
    const result = await preview(weather, { in: fileConnector(vegaData) }, { step: 1 })
    expect(result.stages.map((stage) => stage.key)).toEqual(['source', 'filter'])
    expect((await preview(weather, { in: fileConnector(vegaData) }, { step: 0 })).stages).toHaveLength(1)
  })

  it('puts an error into its stage and leaves out what follows', async () => {
    const broken = weather.replace('precipitation > 10', 'precipitation > nope')
    const result = await preview(broken, { in: fileConnector(vegaData) })
    expect(result.stages.map((stage) => [stage.key, stage.error?.code])).toEqual([
      ['source', undefined],
      ['filter', undefined],
      ['derive', 'SQL_INVALID'],
    ])
    const gone = await preview(weather.replace('seattle-weather.csv', 'seattle-wether.csv'), {
      in: fileConnector(vegaData),
    })
    expect(gone.stages).toMatchObject([
      { key: 'source', error: { code: 'FILE_NOT_FOUND', hint: 'Did you mean `seattle-weather.csv`?' } },
    ])
  })

  it('gives values that JSON can hold', async () => {
    const result = await preview(
      `etl: 1
kind: pipeline
name: values
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{a: 1}]}}
steps:
  - sql: "SELECT 9007199254740993 AS big, 1.10::DECIMAL(10,2) AS d, TIMESTAMP '2024-01-01 10:00:00' AS at, TIMESTAMPTZ '2024-01-01 10:00:00.5+02' AS z, 'x'::BLOB AS b, [1, 2] AS l, {'k': 1} AS s, MAP {'a': 1} AS m, 'nan'::DOUBLE AS nan, DATE '2024-02-29' AS day FROM stream"
target: {connector: out, file: {path: o.csv}}
`,
      {},
    )
    expect(result.stages[1]?.rows).toEqual([
      [
        '9007199254740993',
        '1.10',
        '2024-01-01T10:00:00',
        '2024-01-01T08:00:00.5Z',
        'eA==',
        [1, 2],
        { k: 1 },
        [{ key: 'a', value: 1 }],
        'NaN',
        '2024-02-29',
      ],
    ])
  })

  it('refuses a task that does not read, in whole sentences', async () => {
    await expect(preview('etl: 1\nkind: pipline', {})).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/[^.]\. Did you mean `pipeline`\?$/) as unknown,
    })
  })

  it('notes what a run would warn of, and rejects no row for it', async () => {
    const result = await preview(weather.replace('quarantine', 'warn'), { in: fileConnector(vegaData) }, { step: 3 })
    expect(result.stages[3]).toMatchObject({
      rejected: 0,
      rejects: [],
      notes: [{ message: expect.stringMatching(/^4 of 67 rows don’t meet expectation “mild”/) as unknown }],
    })
  })
})

describe('a file connector', () => {
  it('is tested stage by stage, and leaves nothing behind', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a.csv'), 'a\n1\n')
    const result = await call({ kind: 'test', connector: fileConnector(folder) })
    expect(result).toMatchObject({
      ok: true,
      checks: [{ name: 'resolve' }, { name: 'list' }, { name: 'read_probe' }, { name: 'write_probe' }],
    })
    expect(readdirSync(folder)).toEqual(['a.csv'])
  })

  it('stops at the first stage that fails', async () => {
    const result = await call({ kind: 'test', connector: fileConnector('/nowhere/at/all') })
    expect(result).toMatchObject({ ok: false, checks: [{ name: 'resolve', ok: false, error: { code: 'ENOENT' } }] })
    expect(result.checks[0]?.message).toContain('does not exist: /nowhere/at/all')
  })

  it('says that the folder may not be written', async () => {
    // Permissions do not hold root back, but nobody writes into the kernel's own folder.
    const isRoot = process.getuid?.() === 0
    const folder = isRoot ? '/sys' : temporaryFolder()
    if (!isRoot) chmodSync(folder, 0o500)
    const result = await call({ kind: 'test', connector: fileConnector(folder) })
    if (!isRoot) chmodSync(folder, 0o700)
    const code: unknown = expect.stringMatching(/^(EACCES|EPERM|EROFS)$/)
    expect(result.checks.at(-1)).toMatchObject({ name: 'write_probe', ok: false, error: { code } })
  })

  it('lists files of known formats by name, and describes one with a sample', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'sub'))
    writeFileSync(join(folder, 'sub', 'Weather [1].csv'), 'id,name\n1,a\n2,b\n')
    writeFileSync(join(folder, 'note.txt'), 'x')
    writeFileSync(join(folder, '.hidden.csv'), 'x')
    const list = await call({ kind: 'list_resources', connector: fileConnector(folder), q: 'weather' })
    expect(list).toEqual({
      resources: [{ name: 'sub/Weather [1].csv', kind: 'file', row_estimate: null, bytes: 16 }],
      truncated: false,
    })
    const detail = await call({ kind: 'get_resource', connector: fileConnector(folder), name: 'sub/Weather [1].csv' })
    expect(detail).toMatchObject({
      columns: [
        { name: 'id', type: 'BIGINT' },
        { name: 'name', type: 'VARCHAR' },
      ],
      sample: {
        rows: [
          [1, 'a'],
          [2, 'b'],
        ],
      },
    })
  })

  it('lists the files that match a pattern, whatever is in them, with size, version and time', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'inbox'))
    for (const name of ['b.dat', 'a.dat', '.part.dat', 'note.txt']) writeFileSync(join(folder, 'inbox', name), 'abc')
    utimesSync(join(folder, 'inbox', 'a.dat'), 1_772_000_000, 1_772_000_000)
    const work = { kind: 'list_files', connector: fileConnector(folder), glob: 'inbox/*.dat' } as const
    const { files, truncated } = await call({ ...work, limit: 10 })
    expect([files.map(({ path }) => path), truncated]).toEqual([['inbox/a.dat', 'inbox/b.dat'], false])
    expect(files[0]).toMatchObject({ size: 3, modified_at: '2026-02-25T06:13:20.000Z' })
    writeFileSync(join(folder, 'inbox', 'a.dat'), 'xyz')
    const later = await call({ ...work, limit: 10 })
    expect([later.files[0]?.size, later.files[0]?.version === files[0]?.version]).toEqual([3, false])
    expect(await call({ ...work, limit: 1 })).toMatchObject({ files: { length: 1 }, truncated: true })
    expect(await call({ ...work, glob: 'nowhere/*', limit: 10 })).toEqual({ files: [], truncated: false })
  })

  it('lists no files of a database', async () => {
    const work = { kind: 'list_files', connector: sqliteConnector('/nowhere/x.db'), glob: '*', limit: 10 } as const
    await expect(call(work)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  it('describes no file outside of its folder', async () => {
    const folder = temporaryFolder()
    symlinkSync('/etc/passwd', join(folder, 'x.csv'))
    await expect(call({ kind: 'get_resource', connector: fileConnector(folder), name: 'x.csv' })).rejects.toMatchObject(
      { code: 'CONNECTOR_ERROR' },
    )
    await expect(
      call({ kind: 'get_resource', connector: fileConnector(folder), name: '../x.csv' }),
    ).rejects.toMatchObject({ code: 'CONNECTOR_ERROR' })
    await expect(
      call({ kind: 'get_resource', connector: fileConnector(folder), name: 'gone.csv' }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a SQLite connector', () => {
  function database(sql: string): string {
    const path = join(temporaryFolder(), 'app.db')
    const db = new Database(path)
    db.exec(sql)
    db.close()
    return path
  }

  it('is tested stage by stage', async () => {
    const result = await call({ kind: 'test', connector: sqliteConnector(database('CREATE TABLE t (a)')) })
    expect(result).toMatchObject({
      ok: true,
      checks: [{ name: 'open' }, { name: 'read_probe' }, { name: 'write_probe' }],
    })
  })

  it('may not exist yet, if it can be made', async () => {
    expect(await call({ kind: 'test', connector: sqliteConnector(join(temporaryFolder(), 'new.db')) })).toMatchObject({
      ok: true,
    })
    expect(await call({ kind: 'test', connector: sqliteConnector('/nowhere/new.db') })).toMatchObject({
      ok: false,
      checks: [{ name: 'open' }],
    })
  })

  it('says that another program has locked it, after a while', async () => {
    const path = database('CREATE TABLE t (a)')
    const other = new Database(path)
    other.exec('BEGIN EXCLUSIVE')
    const result = await call({ kind: 'test', connector: sqliteConnector(path) })
    expect(result.checks.at(-1)).toMatchObject({ name: 'read_probe', ok: false, error: { code: 'SQLITE_BUSY' } })
    expect(result.checks.at(-1)?.message).toContain(`The database is locked by another program: ${path}`)
    other.close()
  })

  it('says that a file is no database', async () => {
    const path = join(temporaryFolder(), 'x.db')
    writeFileSync(path, 'this is no database at all, but long enough to look at'.repeat(20))
    const result = await call({ kind: 'test', connector: sqliteConnector(path) })
    expect(result.checks.at(-1)).toMatchObject({ ok: false, error: { code: 'SQLITE_NOTADB' } })
  })

  it('estimates rows by what the file can hold, however far apart their keys are', async () => {
    const numbers = (rows: number) =>
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT i`
    const path = database(
      `CREATE TABLE few (id INTEGER PRIMARY KEY); INSERT INTO few VALUES (-5), (9223372036854775807);
       CREATE TABLE keyed (id TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO keyed VALUES ('a');
       CREATE TABLE dense (id INTEGER PRIMARY KEY); INSERT INTO dense ${numbers(3000)} FROM n;
       CREATE TABLE sparse (id INTEGER PRIMARY KEY); INSERT INTO sparse ${numbers(3000)} * 3000000000000000 FROM n`,
    )
    const { resources } = await call({ kind: 'list_resources', connector: sqliteConnector(path), q: null })
    const estimates = new Map(resources.map((each) => [each.name, each.row_estimate]))
    expect(estimates.get('few')).toBe(2)
    expect(estimates.get('keyed')).toBe(1)
    expect(estimates.get('dense')).toBe(3000)
    expect(estimates.get('sparse')).toBeGreaterThan(1000)
    expect(estimates.get('sparse')).toBeLessThan(100_000)
  })

  it('lists and describes tables and views', async () => {
    const path = database(
      "CREATE TABLE orders (id INTEGER PRIMARY KEY, big INTEGER NOT NULL DEFAULT 7, note TEXT); CREATE INDEX by_note ON orders (note, big); INSERT INTO orders VALUES (1, 9007199254740993, 'a'), (2, 2, NULL); CREATE VIEW late AS SELECT * FROM orders",
    )
    const connector = sqliteConnector(path)
    expect(await call({ kind: 'list_resources', connector, q: null })).toEqual({
      resources: [
        { name: 'late', kind: 'view', row_estimate: null, bytes: null },
        { name: 'orders', kind: 'table', row_estimate: 2, bytes: null },
      ],
      truncated: false,
    })
    expect((await call({ kind: 'list_resources', connector, q: 'ORD' })).resources).toHaveLength(1)
    expect(await call({ kind: 'get_resource', connector, name: 'orders' })).toMatchObject({
      columns: [
        { name: 'id', type: 'INTEGER', nullable: false, primary_key: true, default: null },
        { name: 'big', type: 'INTEGER', nullable: false, primary_key: false, default: '7' },
        { name: 'note', type: 'TEXT', nullable: true },
      ],
      indexes: [{ name: 'by_note', columns: ['note', 'big'], unique: false }],
      sample: {
        rows: [
          [1, '9007199254740993', 'a'],
          [2, 2, null],
        ],
      },
    })
    await expect(call({ kind: 'get_resource', connector, name: 'gone' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
