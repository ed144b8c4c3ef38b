import { describe, expect, it } from 'vitest'
import { folderWith, readFiles } from '../engine/read-files.ts'

/** More rows than are looked at to find types. */
const empty = `name,a\n${'x,\n'.repeat(21_000)}`
const beginnings = [
  '',
  ', on_error: quarantine',
  ', union_by_name: true',
  ', union_by_name: true, on_error: quarantine',
]

/** As many files, each with one row. */
const filesOf = (values: readonly (number | string)[]) =>
  Object.fromEntries(values.map((value, at) => [`${at + 100}.csv`, `name,a\ny,${value}\n`]))
const first = Array.from({ length: 11 }, () => '')

describe.each(beginnings)('a file whose column is empty says nothing of its type (%s)', (files) => {
  it.each<[string, Record<string, string>, unknown]>([
    ['integers', { 'a.csv': empty, 'b.csv': 'name,a\nx,\n', 'c.csv': 'name,a\ny,5\n' }, 5],
    ['numbers that would lose zeros stay text', { 'a.csv': empty, 'b.csv': 'name,a\ny,007\n' }, '007'],
    ['numbers behind other lines', { 'a.csv': '\ufeffname,a\r\nx,\r\n', 'b.csv': '\nname,a\ny,2.5\n' }, 2.5],
    ['dates in quotes', { 'a.csv': empty, 'b.csv': '\nname,a\ny,"2024-01-31"\n' }, '2024-01-31'],
    ['text of another file', { 'a.csv': 'name,a\nx,q\n', 'b.csv': '\nname,a\ny,5\n' }, '5'],
    ['numbers behind many files without a value', filesOf([...first, 2, 3]), 3],
    ['numbers and texts behind many files', filesOf([...first, 2, 'q', 3]), '3'],
    ['numbers with places behind many without', filesOf([...first.map((_, at) => at), 2.5]), 2.5],
    ['numbers in the last of many files', { '0.csv': empty, ...filesOf([...first, 2]) }, 2],
    ['nothing in any of them', { 'a.csv': 'name,a\nx,\n', 'b.csv': '\nname,a\ny,\n' }, null],
  ])('%s', async (_, contents, value) => {
    const { run, rows } = await readFiles(folderWith(contents), '*.csv', { files })
    expect(run.error).toBeUndefined()
    expect(rows.at(-1)).toEqual({ name: 'y', a: value })
  })
})

it.each(beginnings.slice(1, 2).concat(beginnings.slice(3)))(
  'broken quotes in a file that is asked for a type are rejected (%s)',
  async (quarantine) => {
    const folder = folderWith({ 'a.csv': empty, 'b.csv': 'name,a\n"x"y,5\ny,7\n' })
    const { run, rows } = await readFiles(folder, '*.csv', { files: quarantine })
    expect(run.rejects.map(({ row }) => row)).toEqual([{ line: 2, text: '"x"y,5' }])
    expect(rows.at(-1)).toEqual({ name: 'y', a: 7 })
  },
)

it('a text far behind an empty beginning fails the run with its line where another file has numbers', async () => {
  const folder = folderWith({ 'a.csv': `${empty}x,text\n`, 'b.csv': 'name,a\ny,5\n' })
  const { message } = await readFiles(folder, '*.csv')
  expect(message).toMatch(/^a\.csv, line 21002: Column `a` holds “text”/)
})
