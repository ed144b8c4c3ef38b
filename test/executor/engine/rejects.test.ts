import { writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, readFiles } from './read-files.ts'
import { fileConnector, runTask, temporaryFolder, vegaData } from './run-task.ts'

it('rejects every row that breaks an expectation, however far apart they stand', async () => {
  const folder = temporaryFolder()
  const rows = Array.from({ length: 50_000 }, (_, i) => (i % 1_000 === 7 ? `${i},` : `${i},x${i}`))
  writeFileSync(join(folder, 'in.csv'), `id,name\n${rows.join('\n')}\n`)
  const files = fileConnector(folder)
  const run = await runTask(
    `
etl: 1
kind: pipeline
name: far.apart
connectors: {in: {type: file, access: read}, out: {type: file, access: write}}
source: {connector: in, files: {glob: in.csv}}
steps:
  - expect: [{name: has a name, not_null: [name], on_fail: quarantine}]
target: {connector: out, file: {path: out.csv, format: csv}}
`,
    { in: files, out: files },
  )
  expect(run.status).toBe('completed')
  expect(run.rejects.map((reject) => reject.row['id'])).toEqual(Array.from({ length: 50 }, (_, i) => i * 1_000 + 7))
  expect(run).toMatchObject({ reject_count: 50, item_count: 49_950 })
})

it('loses no row of a real file: what arrives and what is rejected add up, and texts in JSON lose their quotes', async () => {
  const out = temporaryFolder()
  const run = await runTask(
    `
etl: 1
kind: pipeline
name: movies
connectors: {in: {type: file, access: read}, out: {type: file, access: write}}
source: {connector: in, files: {glob: movies.json, columns: {Title: string}}}
steps:
  - expect:
      - {name: has a title, not_null: [Title], on_fail: quarantine}
      - {name: not of 2046, check: "\\"Release Date\\" NOT LIKE '%2046'", on_fail: quarantine}
target: {connector: out, file: {path: out.jsonl, format: jsonl}}
`,
    { in: fileConnector(vegaData), out: fileConnector(out) },
  )
  const lines = readFileSync(join(out, 'out.jsonl'), 'utf8').trimEnd().split('\n')
  expect(lines.length + run.rejects.length).toBe(3_201)
  expect(run.rejects.map((reject) => reject.row['Title'])).toContain(null)
  expect(lines[0]).toContain('"Title":"The Land Girls"')
})

it('keeps every field of a rejected row, whatever it is called', async () => {
  const folder = folderWith({ 'a.jsonl': '{"__proto__":1,"constructor":{"__proto__":{"x":2},"toString":3}}\n' })
  const { run } = await readFiles(folder, 'a.jsonl', {
    steps: '[{expect: [{name: none, check: "false", on_fail: quarantine}]}]',
  })
  expect(run.rejects.map(({ row }) => Object.entries(row))).toEqual([
    [
      ['__proto__', 1],
      ['constructor', '{"__proto__":{"x":2},"toString":3}'],
    ],
  ])
})

describe('more rejected rows than any limit', () => {
  const rows = 250_000
  const cases: [string, string, string, string][] = [
    ['CSV lines', 'a.csv', `id,x\n${'1,2,3\n'.repeat(rows)}7,8\n`, ', on_error: quarantine'],
    ['lines of JSON', 'a.jsonl', `${'{"id":\n'.repeat(rows)}{"id":7}\n`, ', on_error: quarantine'],
    ['values', 'a.csv', `id,x\n${'x,2\n'.repeat(rows)}7,8\n`, ', columns: {id: "decimal(5,1)"}, on_error: quarantine'],
  ]

  it.each(cases)('are all handed on where all are kept: %s', async (_, file, content, files) => {
    const { run } = await readFiles(folderWith({ [file]: content }), file, { files })
    expect(run.error).toBeUndefined()
    expect(run).toMatchObject({ status: 'completed', item_count: 1, reject_count: rows })
    expect(run.rejects).toHaveLength(rows)
    expect(run.log.filter(({ message }) => message.includes('only counted'))).toEqual([])
  })

  it.each(cases)(
    'are counted where only some are kept, and the log says how many: %s',
    async (_, file, content, files) => {
      const { run } = await readFiles(folderWith({ [file]: content }), file, { files, keptRejects: 10_000 })
      expect(run).toMatchObject({ status: 'completed', item_count: 1, reject_count: rows })
      expect(run.rejects).toHaveLength(10_000)
      const warnings = run.log.filter(({ level, message }) => level === 'warn' && message.includes('only counted'))
      expect(warnings.map(({ message }) => message)).toEqual([
        'More than 10,000 rows were rejected: the first ones are kept, the others are only counted',
        '250,000 rows were rejected: the first 10,000 are kept, 240,000 are only counted',
      ])
    },
  )
})
