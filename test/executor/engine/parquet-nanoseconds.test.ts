import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ValueChange } from '../../../src/contract/value-change.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { readFiles, type FilesRead } from './read-files.ts'
import { fileConnector, temporaryFolder } from './run-task.ts'

const written = join(import.meta.dirname, 'parquet-nanoseconds')

/** A folder with these files, each from one that `write.py` has written. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  for (const [name, from] of Object.entries(files))
    copyFileSync(join(written, `${from}.parquet`), join(folder, `${name}.parquet`))
  return folder
}

const counts = (changes: readonly ValueChange[] = []): Record<string, number> =>
  Object.fromEntries(changes.map(({ column, count }) => [column, count]))

const warnings = ({ run }: FilesRead): string[] =>
  run.log.filter(({ level }) => level === 'warn').map(({ message }) => message)

/** One row is enough to have read all of them. */
const steps = `[{sql: 'SELECT count(*) AS rows, count(COLUMNS(*)) FROM stream'}]`

describe('values of Parquet files that lose nanoseconds are counted by column', () => {
  it('where only the last of 200,001 rows have them, in each encoding, among NULLs', async () => {
    const found = await readFiles(folderOf({ a: 'late' }), 'a.parquet', { steps })
    expect(found.rows[0]).toMatchObject({ rows: 200_001, moment: 160_000 })
    expect(counts(found.run.steps[0]?.changes)).toEqual({ moment: 1, step: 2, time: 3 })
    expect(warnings(found)).toEqual([
      'Column `moment`, 1 value: truncated to microseconds',
      'Column `step`, 2 values: truncated to microseconds',
      'Column `time`, 3 values: truncated to microseconds',
    ])
  })

  it('as INT96', async () => {
    const found = await readFiles(folderOf({ a: 'int96' }), 'a.parquet', { steps })
    expect(counts(found.run.steps[0]?.changes)).toEqual({ moment: 1 })
  })

  it('in lists, objects and maps', async () => {
    const found = await readFiles(folderOf({ a: 'nested' }), 'a.parquet')
    expect(found.rows).toHaveLength(4)
    expect(counts(found.run.steps[0]?.changes)).toEqual({ list: 2, object: 1, deep: 2, map: 1 })
  })

  it('in several files, some of which have other columns', async () => {
    const folder = folderOf({ a: 'late', 'b [1]': 'third', c: 'late', d: 'nested', e: 'third' })
    const found = await readFiles(folder, '*.parquet', { files: ', union_by_name: true', steps })
    expect(found.run.error).toBeUndefined()
    expect(counts(found.run.steps[0]?.changes)).toEqual({
      moment: 42,
      step: 4,
      time: 6,
      list: 2,
      object: 1,
      deep: 2,
      map: 1,
    })
  })
})

async function previewed(folder: string, limit: number) {
  const yaml = `etl: 1
kind: pipeline
name: previewed
connectors: {in: {type: file}, out: {type: file, access: write}}
source: {connector: in, files: {glob: '*.parquet', union_by_name: true}}
target: {connector: out, file: {path: o.csv}}
`
  const call = await runCall(
    {
      kind: 'preview',
      yaml_content: yaml,
      arguments: {},
      connectors: { in: fileConnector(folder), out: fileConnector(temporaryFolder()) },
      step: null,
      limit,
    },
    { signal: new AbortController().signal, tempDir: temporaryFolder() },
  )
  if (call.kind !== 'preview') throw new Error(call.kind)
  const [stage] = call.value.stages
  return { rows: stage?.row_count, changes: counts(stage?.changes), notes: stage?.notes }
}

describe('a preview counts values that lose nanoseconds in its sample', () => {
  it('and says nothing of a column without them', async () => {
    expect(await previewed(folderOf({ a: 'late' }), 100)).toEqual({ rows: 100, changes: {}, notes: undefined })
  })

  it('up to its last row, across files', async () => {
    const folder = folderOf({ 'a [1]': 'third', b: 'nested' })
    expect(await previewed(folder, 4)).toMatchObject({ rows: 4, changes: { moment: 2 } })
    expect(await previewed(folder, 61)).toMatchObject({
      rows: 61,
      changes: { moment: 20, list: 1, object: 1, deep: 1, map: 1 },
    })
    expect(await previewed(folder, 100)).toMatchObject({ rows: 64, changes: { moment: 20, list: 2, deep: 2 } })
  })
})

describe('values of Parquet files that can’t be counted', () => {
  const told = 'Column `moment` is stored in nanoseconds and read in microseconds: finer parts of a second are cut off'

  it('are reported without a number', async () => {
    const found = await readFiles(folderOf({ a: 'split' }), 'a.parquet', {
      steps: `[{sql: 'SELECT count(*) AS rows FROM stream'}]`,
    })
    expect(found.rows).toEqual([{ rows: 1 }])
    expect(warnings(found)).toEqual([told])
  })

  it('leave it to the reading to fail on damaged pages', async () => {
    const folder = temporaryFolder()
    const bytes = readFileSync(join(written, 'third.parquet'))
    writeFileSync(join(folder, 'a.parquet'), bytes.fill(255, 4, 60))
    const found = await readFiles(folder, 'a.parquet')
    expect(found.run.error).toMatchObject({ step: 'source' })
    expect(found.run.steps[0]?.changes).toBeUndefined()
    expect(warnings(found)).toEqual([told])
  })
})
