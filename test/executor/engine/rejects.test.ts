import { writeFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
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
