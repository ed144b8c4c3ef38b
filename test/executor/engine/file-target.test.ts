import { DuckDBInstance } from '@duckdb/node-api'
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fileConnector, flow, runTask, temporaryFolder, vegaData } from './run-task.ts'

function write(folder: string, file: string, steps = '[]', rows = '[{a: 1, b: "x;\\"y\\""}, {a: 2, b: null}]') {
  return runTask(
    `etl: 1
kind: pipeline
name: write
connectors: {out: {type: file, access: write}}
source: {inline: {rows: ${rows}}}
steps: ${steps}
target: {connector: out, file: ${file}}
`,
    { out: fileConnector(folder) },
  )
}

describe('a file target', () => {
  it.each([
    ['{path: o.csv}', 'o.csv', 'a,b\n1,"x;""y"""\n2,\n'],
    ['{path: o.csv, csv: {delimiter: ";", header: false, null_value: "NULL"}}', 'o.csv', '1;"x;""y"""\n2;NULL\n'],
    ['{path: o.jsonl}', 'o.jsonl', '{"a":1,"b":"x;\\"y\\""}\n{"a":2,"b":null}\n'],
  ])('writes %s', async (file, path, text) => {
    const folder = temporaryFolder()
    const run = await write(folder, file)
    expect(run.error).toBeUndefined()
    expect(run).toMatchObject({ status: 'success', item_count: 2, metrics: { bytes: text.length } })
    expect(readFileSync(join(folder, path), 'utf8')).toBe(text)
  })

  it('writes a JSON list, and packed files', async () => {
    const folder = temporaryFolder()
    await write(folder, '{path: o.json}')
    expect(JSON.parse(readFileSync(join(folder, 'o.json'), 'utf8'))).toEqual([
      { a: 1, b: 'x;"y"' },
      { a: 2, b: null },
    ])
    await write(folder, '{path: o.jsonl.gz}')
    expect(gunzipSync(readFileSync(join(folder, 'o.jsonl.gz'))).toString()).toContain('{"a":1')
  })

  it('makes folders on the way', async () => {
    const folder = temporaryFolder()
    await write(folder, '{path: a/b/o.csv}')
    expect(existsSync(join(folder, 'a/b/o.csv'))).toBe(true)
  })

  it('leaves the old file whole when the run fails, and no part of the new one', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'o.csv'), 'old')
    const run = await write(folder, '{path: o.csv}', '[{derive: {c: "CAST(b AS INTEGER)"}}]')
    expect(run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'derive' })
    expect(readdirSync(folder)).toEqual(['o.csv'])
    expect(readFileSync(join(folder, 'o.csv'), 'utf8')).toBe('old')
  })

  it('keeps sums of integers as integers in Parquet, also inside of lists and objects, and refuses larger ones', async () => {
    const folder = temporaryFolder()
    const sums = (value: string): string =>
      JSON.stringify([
        { sql: `SELECT [sum(${value})] AS l, {s: sum(${value})} AS o, map {'m': sum(${value})} AS m FROM stream` },
      ])
    const run = await write(folder, '{path: o.parquet}', sums('9007199254740993::BIGINT'))
    expect(run.error).toBeUndefined()
    const instance = await DuckDBInstance.create()
    const connection = await instance.connect()
    const reader = await connection.runAndReadAll(
      `SELECT typeof(l), typeof(o), typeof(m), l[1], o.s FROM '${join(folder, 'o.parquet')}'`,
    )
    instance.closeSync()
    expect(reader.getRowsJson()).toEqual([
      ['BIGINT[]', 'STRUCT(s BIGINT)', 'MAP(VARCHAR, BIGINT)', '18014398509481986', '18014398509481986'],
    ])
    const refused = await write(folder, '{path: o.parquet}', sums('9223372036854775807::BIGINT'))
    expect(refused.error).toMatchObject({ code: 'VALUE_INVALID', step: 'target' })
    expect(refused.error?.message).toBe(
      'o.parquet, row 1: column `l` holds integers that Parquet cannot keep exactly: [18446744073709551614]',
    )
  })

  it.each(['o.jsonl', 'o.json', 'o.csv'])(
    'writes decimals that have places only with a zero before the point (%s)',
    async (path) => {
      const folder = temporaryFolder()
      const sql =
        'SELECT -0.5::DECIMAL(3,3) AS a, 0.25::DECIMAL(20,20) AS b, [0.5::DECIMAL(2,2)] AS c FROM stream LIMIT 1'
      const run = await write(folder, `{path: ${path}}`, JSON.stringify([{ sql }]))
      expect(run.error).toBeUndefined()
      const written = readFileSync(join(folder, path), 'utf8')
      expect(written).toMatch(/-0\.500.*0\.25000.*0\.50/s)
    },
  )

  it('removes what a killed run left behind, and nothing else', async () => {
    const folder = temporaryFolder()
    for (const name of [
      '.o.csv.999999999-0a1b2c3d.part',
      '.p.csv.999999999-0a1b2c3d.part',
      `.o.csv.${process.pid}-0a1b2c3d.part`,
    ]) {
      writeFileSync(join(folder, name), 'part')
    }
    await write(folder, '{path: o.csv}')
    expect(readdirSync(folder).toSorted()).toEqual(
      [`.o.csv.${process.pid}-0a1b2c3d.part`, '.p.csv.999999999-0a1b2c3d.part', 'o.csv'].toSorted(),
    )
  })

  it('follows no link out of the folder', async () => {
    const elsewhere = temporaryFolder()
    writeFileSync(join(elsewhere, 'o.csv'), 'theirs')
    const folder = temporaryFolder()
    symlinkSync(elsewhere, join(folder, 'dir'))
    symlinkSync(join(elsewhere, 'o.csv'), join(folder, 'o.csv'))
    for (const path of ['dir/o.csv', 'dir/new/o.csv', 'o.csv']) {
      const { error } = await write(folder, `{path: ${path}}`)
      expect([path, error?.code]).toEqual([path, 'PATH_OUTSIDE_FOLDER'])
    }
    expect(readdirSync(elsewhere)).toEqual(['o.csv'])
    expect(readFileSync(join(elsewhere, 'o.csv'), 'utf8')).toBe('theirs')
  })

  it('says that a folder stands where the file is to be', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'o.csv'))
    const run = await write(folder, '{path: o.csv}')
    expect(run.error).toMatchObject({ code: 'FILE_UNWRITABLE', step: 'target' })
  })

  it('reads what it writes: SQLite, Parquet and CSV hold the same flights', async () => {
    const folder = temporaryFolder()
    const copy = (glob: string, path: string, root: string) =>
      runTask(
        `etl: 1
kind: pipeline
name: copy
connectors: {in: {type: file, access: read}, out: {type: file, access: write}}
source: {connector: in, files: {glob: ${glob}}}
target: {connector: out, file: {path: ${path}}}
`,
        { in: fileConnector(root), out: fileConnector(folder) },
      )
    const first = await copy('flights-200k.json', 'a.parquet', vegaData)
    expect(flow(first)).toBe('source 200000→200000 | target 200000→200000')
    await copy('a.parquet', 'b.csv', folder)
    await copy('b.csv', 'c.parquet', folder)
    await copy('c.parquet', 'd.csv', folder)
    expect(readFileSync(join(folder, 'd.csv')).equals(readFileSync(join(folder, 'b.csv')))).toBe(true)
  })
})
