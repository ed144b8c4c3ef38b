import { DuckDBInstance } from '@duckdb/node-api'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFiles } from './read-files.ts'
import { fileConnector, runTask, temporaryFolder } from './run-task.ts'

async function folderOf(files: Record<string, string>): Promise<string> {
  const folder = temporaryFolder()
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  for (const [file, query] of Object.entries(files))
    await connection.run(`COPY (${query}) TO '${join(folder, file)}' (FORMAT parquet, ROW_GROUP_SIZE 20480)`)
  connection.closeSync()
  instance.closeSync()
  return folder
}

const rows = (bad: number | null): string =>
  `SELECT i AS id, CASE WHEN i = ${bad ?? -1} THEN 'no "number"' ELSE i::VARCHAR END AS t, i / 2 AS half FROM range(200000) AS r(i)`

describe('a value of a Parquet file that does not fit its declared type', () => {
  it('is named with its file, row and column', async () => {
    const folder = await folderOf({ 'a.parquet': rows(null), 'b.parquet': rows(150_000) })
    const { run, message } = await readFiles(folder, '*.parquet', { files: ', columns: {t: integer}' })
    expect(message).toBe('b.parquet, row 150,001: Column `t` holds “no "number"”, which is no integer')
    expect(run.error).toMatchObject({ code: 'CAST_FAILED', step: 'source' })
    expect(run.error?.hint).toContain('`cast` step')
  })

  it('is named where it would lose something, behind steps, and with `union_by_name`', async () => {
    const folder = await folderOf({
      'a.parquet': 'SELECT i AS id FROM range(200000) AS r(i)',
      'b.parquet': rows(null),
    })
    const { run, message } = await readFiles(folder, '*.parquet', {
      files: ', columns: {half: integer}, union_by_name: true',
      steps: '[{filter: "id >= 0"}, {derive: {more: "half + 1"}}]',
    })
    expect(message).toBe('b.parquet, row 2: Column `half` holds “0.5”, which integer cannot hold without loss')
    expect(run.error).toMatchObject({ code: 'CAST_FAILED', step: 'source' })
  })

  it('is named with its row by a cast step', async () => {
    const folder = await folderOf({ 'a.parquet': rows(150_000) })
    const { run, message } = await readFiles(folder, '*.parquet', {
      files: ', columns: {id: string}',
      steps: '[{cast: {t: integer}}]',
    })
    expect(message).toBe('Row 150,001: Column `t` holds “no "number"”, which is no integer')
    expect(run.error).toMatchObject({ code: 'CAST_FAILED', step: 'cast' })
  })
})

describe('a moment in milliseconds that microseconds cannot hold', () => {
  /** Integers of the last column become milliseconds: the file says so of it in one byte. */
  async function millisecondsOf(files: Record<string, string>): Promise<string> {
    const folder = await folderOf(files)
    for (const file of Object.keys(files)) {
      const bytes = readFileSync(join(folder, file))
      const [name, field, integer, milliseconds] = ['v'.codePointAt(0) ?? 0, 0x25, 0x24, 0x12]
      bytes[bytes.lastIndexOf(Buffer.from([name, field, integer])) + 2] = milliseconds
      writeFileSync(join(folder, file), bytes)
    }
    return folder
  }
  const moments = (rows: number, last: string) =>
    `SELECT i AS id, CASE WHEN i = ${rows - 1} THEN ${last} ELSE i END::BIGINT AS v FROM range(${rows}) AS r(i)`

  it('is named with its file and column', async () => {
    const folder = await millisecondsOf({
      'a.parquet': moments(10, '9223372036854775'),
      'b.parquet': moments(200_000, '9223372036854776'),
    })
    for (const files of ['', ', union_by_name: true', ', columns: {v: string}']) {
      const { run, message } = await readFiles(folder, '*.parquet', { files })
      expect(message).toMatch(
        /^b\.parquet: column `v` contains a timestamp in milliseconds outside the range of microseconds/,
      )
      expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE', step: 'source' })
    }
    const dropped = await readFiles(folder, '*.parquet', { steps: '[{drop: [v]}]' })
    expect(dropped.run).toMatchObject({ status: 'success', item_count: 200_010 })
    const good = await readFiles(folder, 'a.parquet', { steps: '[{filter: "id = 9"}]' })
    expect(good.rows).toEqual([{ id: 9, v: '294247-01-10 04:00:54.775' }])
  })
})

describe('a value that a Parquet file cannot keep', () => {
  it('is named with its file, row and column', async () => {
    const folder = temporaryFolder()
    const query =
      'SELECT i AS id, CASE WHEN i = 150000 THEN 170141183460469231731687303715884105727 ELSE i END::HUGEINT AS h FROM range(200000) AS r(i)'
    const run = await runTask(
      `etl: 1
kind: pipeline
name: wide
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{one: 1}]}}
steps: [{sql: "${query}"}]
target: {connector: out, file: {path: d/o.parquet}}
`,
      { out: fileConnector(folder) },
    )
    expect(run.error).toMatchObject({
      code: 'VALUE_INVALID',
      step: 'target',
      message:
        'd/o.parquet, row 150,001: column `h` holds integers that Parquet cannot keep exactly: 170141183460469231731687303715884105727',
    })
  })
})
