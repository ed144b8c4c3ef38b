import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { connectorRunner } from '../../../src/executor/connectors/registry.ts'
import { fileConnector, flow, runTask, temporaryFolder, vegaData } from './run-task.ts'

function task(files: string, steps = '[]'): string {
  return `etl: 1
kind: pipeline
name: files
connectors:
  in: {type: file, access: read}
  out: {type: file, access: write}
source: {connector: in, files: ${files}}
steps: ${steps}
target: {connector: out, file: {path: out.jsonl}}
`
}

async function read(folder: string, files: string, steps?: string) {
  const out = temporaryFolder()
  const run = await runTask(task(files, steps), { in: fileConnector(folder), out: fileConnector(out) })
  const rows =
    run.status === 'failed'
      ? []
      : readFileSync(join(out, 'out.jsonl'), 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { run, rows }
}

function folderWith(files: Record<string, string | Buffer>): string {
  const folder = temporaryFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

function jsonLength(file: string): number {
  return (JSON.parse(readFileSync(join(vegaData, file), 'utf8')) as unknown[]).length
}

describe('real data', () => {
  it.each([
    ['seattle-weather.csv', 1461],
    ['weather.csv', 2922],
    ['gapminder.json', jsonLength('gapminder.json')],
    ['penguins.json', jsonLength('penguins.json')],
    ['movies.json', jsonLength('movies.json')],
    ['flights-200k.json', jsonLength('flights-200k.json')],
  ])('%s is read whole', async (file, rows) => {
    const { run } = await read(vegaData, `{glob: ${file}}`)
    expect(run.error).toBeUndefined()
    expect(run).toMatchObject({ status: 'success', item_count: rows, reject_count: 0 })
    expect(flow(run)).toBe(`source ${rows}→${rows} | target ${rows}→${rows}`)
  })

  it('counts three million Parquet rows through two filters without a second scan', async () => {
    const { run } = await read(
      vegaData,
      '{glob: flights-3m.parquet}',
      '[{filter: "delay > 60"}, {filter: "distance > 1000"}, {sql: "SELECT count(*) AS n FROM stream"}]',
    )
    const instance = await DuckDBInstance.create()
    const connection = await instance.connect()
    const expected = await connection.runAndReadAll(
      `SELECT count(*)::INT, count(*) FILTER (delay > 60)::INT, count(*) FILTER (delay > 60 AND distance > 1000)::INT FROM '${vegaData}/flights-3m.parquet'`,
    )
    const [all = 0, late = 0, far = 0] = (expected.getRowsJS()[0] ?? []) as number[] // counts by the query
    connection.closeSync()
    instance.closeSync()
    expect(flow(run)).toBe(
      `source ${all}→${all} | filter ${all}→${late} | filter_2 ${late}→${far} | sql ${far}→1 | target 1→1`,
    )
  })
})

describe('CSV', () => {
  it('reads types, NULLs and quotes as the task says', async () => {
    const folder = folderWith({ 'a.csv': 'skip me\nid;name;amount;empty\n1;"a;""b""";1.50;-\n2;x;n/a;y\n' })
    const { rows, run } = await read(
      folder,
      `{glob: a.csv, columns: {amount: "decimal(10,2)"}, csv: {delimiter: ";", skip_lines: 1, null_values: ["-", "n/a"]}}`,
    )
    expect(rows).toEqual([
      { id: 1, name: 'a;"b"', amount: 1.5, empty: null },
      { id: 2, name: 'x', amount: null, empty: 'y' },
    ])
    expect(run.steps[0]?.columns).toContainEqual({ name: 'amount', type: 'DECIMAL(10,2)' })
  })

  it('says file, line and remedy of a ragged row', async () => {
    const folder = folderWith({ 'r.csv': 'a,b\n1,2\n3,4,5\n6,7\n' })
    const { run } = await read(folder, '{glob: r.csv}')
    expect(run.status).toBe('failed')
    expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE', step: 'source', retryable: false })
    expect(run.error?.message).toContain('r.csv')
    expect(run.error?.message).toMatch(/line 3: the row has 3 fields, the header has 2/)
    expect(run.error?.hint).toContain('on_error: quarantine')
  })

  it('says which of several files has the ragged row', async () => {
    const folder = folderWith({ 'd/a.csv': 'a,b\n1,2\n', 'd/b.csv': 'a,b\n1,2\n3\n6,7\n' })
    const { run } = await read(folder, '{glob: "d/*.csv"}')
    expect(run.error?.message).toMatch(/b\.csv, line 3: the row has 1 fields, the header has 2/)
  })

  it('takes only whole numbers for integers, and offsets of moments into account', async () => {
    const { rows } = await read(
      folderWith({ 'm.csv': 't\n2024-01-01T02:00:00+02:00\n' }),
      '{glob: m.csv, columns: {t: datetime}}',
    )
    expect(rows).toEqual([{ t: '2024-01-01 00:00:00' }])
    const { run } = await read(folderWith({ 'i.csv': 'n\n1\n1.5\n' }), '{glob: i.csv, columns: {n: integer}}')
    expect(run.error?.message).toMatch(
      /i\.csv, line 3: Column `n` holds “1\.5”, which integer cannot hold without loss$/,
    )
  })

  it('says file and line of bad UTF-8', async () => {
    const folder = folderWith({
      'u.csv': Buffer.concat([Buffer.from('a,b\n1,x\n2,y'), Buffer.from([0xff]), Buffer.from('\n3,z\n')]),
    })
    const { run } = await read(folder, '{glob: u.csv}')
    expect(run.error?.message).toMatch(/u\.csv, line \d+: the text is not valid UTF-8/)
    expect(run.error?.hint).toContain('csv.encoding')
  })

  it('quarantines ragged rows, bad UTF-8 and values that do not fit, and goes on', async () => {
    const folder = folderWith({
      'q.csv': Buffer.concat([
        Buffer.from('id,b\n1,x\n2,y,z\nnone,w\n3,'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('\n4,v\n'),
      ]),
    })
    const { run, rows } = await read(folder, '{glob: q.csv, columns: {id: integer}, on_error: quarantine}')
    expect(run.error).toBeUndefined()
    expect(run).toMatchObject({ status: 'completed', item_count: 2, reject_count: 3 })
    expect(rows).toEqual([
      { id: 1, b: 'x' },
      { id: 4, b: 'v' },
    ])
    expect(flow(run)).toBe('source 5→2 -3 | target 2→2')
    expect(run.rejects.map((reject) => reject.reason.replace(/^.*q\.csv, /, '')).toSorted()).toEqual([
      'line 3: the row has 3 fields, the header has 2',
      'line 4: Column `id` holds “none”, which is no integer',
      'line 5: the text is not valid UTF-8',
    ])
    expect(run.rejects[0]).toMatchObject({ step: 'source', row: { line: 3, text: '2,y,z' } })
  })

  it.each([
    ['a delimiter', '"a,b"', 'a,b'],
    ['a line end', '"a\nb"', 'a\nb'],
    ['a delimiter and a quote', '"say ""a"", b"', 'say "a", b'],
  ])('reads a first name in quotes with %s behind a byte order mark', async (_, written, column) => {
    const lines = Array.from({ length: 200_000 }, (_, i) => `${i},"x, ${i}"\n`).join('')
    const text = `\uFEFF${written},c\n${lines}`
    const folder = folderWith({ 'm.csv': text, 'm.csv.gz': gzipSync(text), 'p/m.csv': text, 'p/n.csv': text })
    for (const [glob, files] of [
      ['m.csv', 1],
      ['m.csv.gz', 1],
      ['p/*.csv', 2],
    ] as const) {
      const { run, rows } = await read(folder, `{glob: "${glob}"}`)
      expect(run.error).toBeUndefined()
      expect(rows).toHaveLength(200_000 * files)
      expect(rows.at(-1)).toEqual({ [column]: 199_999, c: 'x, 199999' })
    }
  })

  it('says the line of a fault behind such a name', async () => {
    const text = `\uFEFF"a,b",c\n${'1,2\n'.repeat(30_000)}none,2\n`
    const { run } = await read(folderWith({ 'm.csv': text }), '{glob: m.csv}')
    expect(run.error?.message).toMatch(/m\.csv, line 30002: Column `a,b` holds “none”/)
    const kept = await read(folderWith({ 'm.csv': text }), '{glob: m.csv, on_error: quarantine}')
    expect(kept.run).toMatchObject({ status: 'completed', item_count: 30_000, reject_count: 1 })
  })

  it('reads Latin-1', async () => {
    const folder = folderWith({ 'l.csv': Buffer.from('name\nM\u00fcller\n', 'latin1') })
    const { rows } = await read(folder, '{glob: l.csv, csv: {encoding: latin-1}}')
    expect(rows).toEqual([{ name: 'Müller' }])
  })

  it('matches columns of several files by name', async () => {
    const folder = folderWith({ 'd/a.csv': 'id,x\n1,a\n', 'd/b.csv': 'y,id\nb,2\n' })
    const { rows } = await read(folder, '{glob: "d/*.csv", union_by_name: true}')
    expect(rows).toEqual([
      { id: 1, x: 'a', y: null },
      { id: 2, x: null, y: 'b' },
    ])
  })

  it('reads an empty file with a header as no rows', async () => {
    const { run, rows } = await read(folderWith({ 'e.csv': 'a,b\n' }), '{glob: e.csv}')
    expect(run).toMatchObject({ status: 'success', item_count: 0 })
    expect(rows).toEqual([])
  })
})

describe('JSON', () => {
  it('reads the list at a path inside a document', async () => {
    const folder = folderWith({ 'n.json': '{"meta": 1, "data": {"items": [{"a": 1, "b": "x"}, {"a": 2}]}}' })
    const { run, rows } = await read(folder, '{glob: n.json, records: data.items}')
    expect(rows).toEqual([
      { a: 1, b: 'x' },
      { a: 2, b: null },
    ])
    expect(flow(run)).toBe('source 2→2 | target 2→2')
  })

  it('says where a document is broken', async () => {
    const { run } = await read(folderWith({ 'j.json': '[{"a": 1}, {"a": }]' }), '{glob: j.json}')
    expect(run.error?.code).toBe('FILE_UNREADABLE')
    expect(run.error?.message).toMatch(/j\.json, record \d+: broken JSON at byte \d+/)
  })

  it('quarantines broken lines of JSON Lines', async () => {
    const folder = folderWith({ 'l.jsonl': '{"a": 1, "t": "x,\\"y"}\n{"a": \n\n{"a": 3, "t": "z"}\n' })
    const { run, rows } = await read(folder, '{glob: l.jsonl, on_error: quarantine}')
    expect(run.error).toBeUndefined()
    expect(run).toMatchObject({ status: 'completed', item_count: 2, reject_count: 1 })
    expect(rows).toEqual([
      { a: 1, t: 'x,"y' },
      { a: 3, t: 'z' },
    ])
    expect(run.rejects[0]?.reason).toMatch(/line 2: broken JSON/)
  })

  it('holds broken lines against the share that may be rejected, before anything is written', async () => {
    const folder = folderWith({ 'l.jsonl': '{"a": 1}\n{"a": \nnothing\n' })
    const out = temporaryFolder()
    const yaml = `${task('{glob: l.jsonl, on_error: quarantine}')}dead_letter: {max_ratio: 0.5}\n`
    const run = await runTask(yaml, { in: fileConnector(folder), out: fileConnector(out) })
    expect(run.error).toMatchObject({ code: 'TOO_MANY_REJECTS' })
    expect(run.error?.message).toContain('2 of 3 rows')
    expect(existsSync(join(out, 'out.jsonl'))).toBe(false)
  })

  it('shows as much of the share of rejected rows as tells it from what is allowed', async () => {
    const lines = Array.from({ length: 200_000 }, (_, at) => (at % 40_000 === 7 ? '{"a": \n' : `{"a": ${at}}\n`))
    const folder = folderWith({ 'l.jsonl': lines.join('') })
    const yaml = `${task('{glob: l.jsonl, on_error: quarantine}')}dead_letter: {max_ratio: 0.00001}\n`
    const run = await runTask(yaml, { in: fileConnector(folder), out: fileConnector(temporaryFolder()) })
    expect(run.error?.message).toBe('5 of 200,000 rows were rejected (0.003 %); 0.001 % are allowed')
  })

  it('reads the file itself when its name looks like a pattern', async () => {
    const folder = folderWith({ 'l[1].jsonl': '{"a": "own"}\n{"a": \n', 'l1.jsonl': '{"a": "other"}\n' })
    const { run, rows } = await read(folder, '{glob: "l?1?.jsonl", on_error: quarantine}')
    expect(run.error).toBeUndefined()
    expect(rows).toEqual([{ a: 'own' }])
  })
})

describe('what cannot be reached', () => {
  it('names the folder and the nearest file of a pattern that matches nothing', async () => {
    const { run } = await read(folderWith({ 'weather.csv': 'a\n1\n' }), '{glob: wether.csv}')
    expect(run.error).toMatchObject({ code: 'FILE_NOT_FOUND', hint: 'Did you mean `weather.csv`?' })
  })

  it('says that the folder is missing', async () => {
    const { run } = await read(join(temporaryFolder(), 'gone'), '{glob: a.csv}')
    expect(run.error?.code).toBe('FOLDER_NOT_FOUND')
  })

  it('follows no link out of the folder', async () => {
    const secret = folderWith({ 'secret.csv': 'a\n1\n' })
    const folder = temporaryFolder()
    symlinkSync(join(secret, 'secret.csv'), join(folder, 'link.csv'))
    symlinkSync(secret, join(folder, 'dir'))
    for (const glob of ['link.csv', 'dir/secret.csv', '*.csv']) {
      const { run } = await read(folder, `{glob: "${glob}"}`)
      expect([glob, run.error?.code]).toEqual([glob, 'PATH_OUTSIDE_FOLDER'])
    }
  })

  it.each(['../x.csv', '/etc/passwd', 'a/../../x.csv'])('refuses the path %s from an argument', async (path) => {
    const out = temporaryFolder()
    const yaml = task('{glob: "${{ args.path }}", format: csv}').replace(
      'source:',
      'args:\n  path: {type: string}\nsource:',
    )
    const run = await runTask(
      yaml,
      { in: fileConnector(temporaryFolder()), out: fileConnector(out) },
      { arguments: { path } },
    )
    expect(run.status).toBe('failed')
    expect(['PATH_OUTSIDE_FOLDER', 'EXPRESSION_FAILED']).toContain(run.error?.code)
  })

  it('reads a damaged Parquet file as what it is', async () => {
    const { run } = await read(folderWith({ 'p.parquet': 'PAR1 this is none PAR1' }), '{glob: p.parquet}')
    expect(run.error?.code).toBe('FILE_UNREADABLE')
  })

  it('shows the files of a folder although a link leads out of it', async () => {
    const folder = folderWith({ 'd/a.csv': 'id\n1\n', '.hidden/b.csv': 'id\n2\n' })
    symlinkSync(join(folderWith({ 'secret.csv': 'a\n1\n' }), 'secret.csv'), join(folder, 'link.csv'))
    const connector = fileConnector(folder)
    const io = { signal: new AbortController().signal, tempDir: temporaryFolder() }
    const { resources } = await connectorRunner(connector).listResources(connector, null, io)
    expect(resources.map((resource) => resource.name)).toEqual(['d/a.csv'])
  })

  it('takes one of several texts, and files that several patterns name once', async () => {
    const folder = folderWith({ 'a.csv': 'id\n1\n', 'b.tsv': 'id\n2\n', 'c.csv': 'id\n3\n' })
    symlinkSync(join(folder, 'a.csv'), join(folder, 'd.csv'))
    const { rows } = await read(folder, '{glob: "{a,b,d}.{csv,tsv}", format: csv}')
    expect(rows).toEqual([{ id: 1 }, { id: 2 }])
  })
})
