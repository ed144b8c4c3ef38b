import { DuckDBInstance } from '@duckdb/node-api'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readFiles, type FilesRead } from './read-files.ts'
import { temporaryFolder } from './run-task.ts'

/** Files `a.parquet`, `b.parquet` and so on, of queries. */
async function read(queries: readonly string[], files = ''): Promise<FilesRead> {
  const folder = temporaryFolder()
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  for (const [at, query] of queries.entries())
    await connection.run(`COPY (${query}) TO '${join(folder, `${'abcdef'[at]}.parquet`)}' (FORMAT parquet)`)
  connection.closeSync()
  instance.closeSync()
  return readFiles(folder, '*.parquet', { files })
}

const values = ({ rows }: FilesRead): unknown[] => rows.map((row) => row['a'])

describe('a column whose type differs among Parquet files', () => {
  it.each([
    ['integers and fractions', '1::BIGINT AS a', '2.5::DOUBLE AS a', [1, 2.5]],
    ['fractions and integers', '2.5::DOUBLE AS a', '1 AS a', [2.5, 1]],
    ['small and large integers', '1::SMALLINT AS a', '1099511627776 AS a', [1, 1099511627776]],
    ['integers and single precision', '16777217 AS a', '0.5::FLOAT AS a', [16777217, 0.5]],
    ['decimals', '1.5::DECIMAL(5,1) AS a', '1.234::DECIMAL(5,3) AS a', [1.5, 1.234]],
    [
      'days and moments',
      "DATE '2024-01-01' AS a",
      "TIMESTAMP '2024-01-01 05:00:00' AS a",
      ['2024-01-01 00:00:00', '2024-01-01 05:00:00'],
    ],
    [
      'microseconds and nanoseconds',
      "TIMESTAMP '2024-01-01 00:00:00' AS a",
      "'2024-01-01 00:00:00.123456789'::TIMESTAMP_NS AS a",
      ['2024-01-01 00:00:00', '2024-01-01 00:00:00.123456789'],
    ],
    ['numbers and text', '1 AS a', "'x' AS a", ['1', 'x']],
    ['lists of integers', '[1::SMALLINT] AS a', '[1099511627776] AS a', [[1], [1099511627776]]],
  ])('keeps every value: %s', async (_, first, second, expected) => {
    for (const files of ['', ', union_by_name: true']) {
      const found = await read([`SELECT ${first}`, `SELECT ${second}`], files)
      expect(found.run.error).toBeUndefined()
      expect(values(found)).toEqual(expected)
      expect(found.run.log.map(({ message }) => message).join('\n')).toMatch(
        /Column `a` is \S+.* in the files, and is read as/,
      )
    }
  })

  it('keeps the order of the files, and the columns that do not differ', async () => {
    const found = await read([
      'SELECT 1 AS a, true AS b',
      'SELECT 2.5::DOUBLE AS a, false AS b',
      'SELECT 3 AS a, true AS b',
    ])
    expect(found.rows).toEqual([
      { a: 1, b: true },
      { a: 2.5, b: false },
      { a: 3, b: true },
    ])
  })

  it('fails at a value that the common type would change, with its file and row', async () => {
    const large = 'SELECT CASE WHEN i = 149999 THEN 9007199254740993 ELSE i END AS a FROM range(150000) AS r(i)'
    for (const files of ['', ', union_by_name: true']) {
      const { run, message } = await read(['SELECT 0.5::DOUBLE AS a', large], files)
      expect(message).toBe(
        'b.parquet, row 150,000: Column `a` holds “9007199254740993”, which number cannot hold without loss',
      )
      expect(run.error).toMatchObject({ code: 'CAST_FAILED', step: 'source' })
      expect(run.error?.hint).toContain('`a: string`')
    }
  })

  it('is converted value by value where its type is declared', async () => {
    const found = await read(['SELECT 0.5::DOUBLE AS a', 'SELECT 9007199254740993 AS a'], ', columns: {a: string}')
    expect(values(found)).toEqual(['0.5', '9007199254740993'])
    const lists = await read(['SELECT [1::BIGINT] AS a', 'SELECT [2.7::DOUBLE] AS a'], ', columns: {a: json}')
    expect(values(lists)).toEqual([[1], [2.7]])
    const { message } = await read(['SELECT 1 AS a', "SELECT 'x' AS a"], ', columns: {a: integer}')
    expect(message).toBe('b.parquet, row 1: Column `a` holds “x”, which is no integer')
  })

  it.each([
    ['lists of integers and of fractions', '[1::BIGINT] AS a', '[2.7::DOUBLE] AS a'],
    [
      'moments with and without a zone',
      "TIMESTAMP '2024-01-01 00:00:00' AS a",
      "TIMESTAMPTZ '2024-01-01 00:00:00+02' AS a",
    ],
  ])('is refused where no type is sure to keep every value: %s', async (_, first, second) => {
    const { run, message } = await read([`SELECT ${first}`, `SELECT ${second}`])
    expect(run.error?.code).toBe('FILE_UNREADABLE')
    expect(message).toContain('no type holds every value of both')
    expect(message).toContain('b.parquet')
    expect(run.error?.hint).toContain('under `columns`')
  })
})

// Written by pyarrow: DuckDB writes neither.
const wideDecimal =
  'UEFSMRUAFS4VLiwVAhUAFQYVBhwAAAACAAAAAgEAAAAAAAAAAAAAAAAAAAAAlhUEGSw1ABgGc2NoZW1hFQIAFQ4VIhUCGAFkJQoVBBVQLFwVBBVQAAAAFgIZHBkcJgAcFQ4ZJQYAGRgBZBUAFgIWVBZUJghJHBUAFQAVAgA8KQYZJgACAAAAFlQWAiYIFlQAKCBwYXJxdWV0LWNwcC1hcnJvdyB2ZXJzaW9uIDI2LjAuMRkcHAAAAIoAAABQQVIx'
const nanoseconds =
  'UEFSMRUAFRwVHCwVAhUAFQYVBhwAAAACAAAAAgEVzYU9/pyXFxUEGSw1ABgGc2NoZW1hFQIAFQQlAhgBbmyMERw8AAAAAAAWAhkcGRwmABwVBBklBgAZGAFuFQAWAhZCFkImCEkcFQAVABUCADwpBhkmAAIAAAAWQhYCJggWQgAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGRwcAAAAgwAAAFBBUjE='
const sameNames =
  'UEFSMRUAFRwVHCwVAhUAFQYVBhwAAAACAAAAAgIBAAAAAAAAABUAFRwVHCwVAhUAFQYVBhwAAAACAAAAAgECAAAAAAAAABUAFRwVHCwVAhUAFQYVBhwAAAACAAAAAgEDAAAAAAAAABUEGVw1ABgGc2NoZW1hFQYANQIYAXMVAgAVBCUCGAF4ABUEJQIYAXgAFQQlAhgBWAAWAhkcGTwmABwVBBklBgAZKAFzAXgVABYCFkIWQiYISRwVABUAFQIAPCkGGTYAAAIAAAAmABwVBBklBgAZGAF4FQAWAhZCFkImSkkcFQAVABUCADwpBhkmAAIAAAAmABwVBBklBgAZGAFYFQAWAhZCFkImjAFJHBUAFQAVAgA8KQYZJgACAAAAFsYBFgImCBbGAQAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGTwcAAAcAAAcAAAA8gAAAFBBUjE='

/** One row, 1, 2, 3, in columns called nothing, `a`, and nothing. */
const noNames =
  'UEFSMRUAFRQVFCwVAhUAFQYVBhwAAAACAAAAAgEBAAAAFQAVFBUULBUCFQAVBhUGHAAAAAIAAAACAQIAAAAVABUUFRQsFQIVABUGFQYcAAAAAgAAAAIBAwAAABUEGUw1ABgGc2NoZW1hFQYAFQIlAhgAJR5MrBMIEQAAABUCJQIYAWElHkysEwgRAAAAFQIlAhgAJR5MrBMIEQAAABYCGRwZPCYAHBUCGSUGABkYABUAFgIWOhY6JghJHBUAFQAVAgA8KQYZJgACAAAAJgAcFQIZJQYAGRgBYRUAFgIWOhY6JkJJHBUAFQAVAgA8KQYZJgACAAAAJgAcFQIZJQYAGRgAFQAWAhY6FjomfEkcFQAVABUCADwpBhkmAAIAAAAWrgEWAiYIFq4BACggcGFycXVldC1jcHAtYXJyb3cgdmVyc2lvbiAyNi4wLjEZPBwAABwAABwAAAD9AAAAUEFSMQ=='

async function readOne(base64: string): Promise<FilesRead> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'a.parquet'), Buffer.from(base64, 'base64'))
  return readFiles(folder, 'a.parquet')
}

describe('a Parquet type that cannot be read exactly', () => {
  it('is refused where it is a decimal of more than 38 digits', async () => {
    const { run, message } = await readOne(wideDecimal)
    expect(run.error?.code).toBe('FILE_UNREADABLE')
    expect(message).toBe('a.parquet: column `d` has decimals of 40 digits; up to 38 can be read')
  })

  it('is reported where nanoseconds become microseconds, with the number of values', async () => {
    const { run, rows } = await readOne(nanoseconds)
    expect(rows).toEqual([{ n: '2023-11-14 22:13:20.123456+00' }])
    expect(run.log.map(({ message }) => message)).toContain('Column `n`, 1 value: truncated to microseconds')
  })
})

it('column names that differ in case at most are reported with what they are called', async () => {
  const { run, rows } = await readOne(sameNames)
  expect(rows).toEqual([{ s: { x: 1 }, x: 2, X_1: 3 }])
  expect(run.log.map(({ message }) => message).join('\n')).toContain(
    'a.parquet: column names are missing or used more than once: `X` in column 3 is called `X_1`',
  )
})

it('columns without a name are reported with what they are called', async () => {
  const { run, rows } = await readOne(noNames)
  expect(rows).toEqual([{ C0: 1, a: 2, _1: 3 }])
  expect(run.log.map(({ message }) => message).join('\n')).toContain(
    'a.parquet: column names are missing or used more than once: column 1 is called `C0`, column 3 is called `_1`',
  )
})

it('files with many columns are told apart by the last of them', async () => {
  const wide = Array.from({ length: 60 }, (_, at) => `${at} AS ${'long_'.repeat(40)}${at}`).join(', ')
  const found = await read([`SELECT ${wide}, 1 AS a`, `SELECT ${wide}, 2.5::DOUBLE AS a`])
  expect(values(found)).toEqual([1, 2.5])
})
