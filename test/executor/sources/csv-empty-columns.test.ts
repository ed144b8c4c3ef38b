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

describe.each(beginnings)('a file whose column is empty says nothing of its type (%s)', (files) => {
  it.each<[string, Record<string, string>, unknown]>([
    ['integers', { 'a.csv': empty, 'b.csv': 'name,a\nx,\n', 'c.csv': 'name,a\ny,5\n' }, 5],
    ['numbers that would lose zeros stay text', { 'a.csv': empty, 'b.csv': 'name,a\ny,007\n' }, '007'],
    ['numbers behind other lines', { 'a.csv': '\ufeffname,a\r\nx,\r\n', 'b.csv': '\nname,a\ny,2.5\n' }, 2.5],
    ['dates in quotes', { 'a.csv': empty, 'b.csv': '\nname,a\ny,"2024-01-31"\n' }, '2024-01-31'],
    ['text of another file', { 'a.csv': 'name,a\nx,q\n', 'b.csv': '\nname,a\ny,5\n' }, '5'],
    ['nothing in any of them', { 'a.csv': 'name,a\nx,\n', 'b.csv': '\nname,a\ny,\n' }, null],
  ])('%s', async (_, contents, value) => {
    const { run, rows } = await readFiles(folderWith(contents), '*.csv', { files })
    expect(run.error).toBeUndefined()
    expect(rows.at(-1)).toEqual({ name: 'y', a: value })
  })
})

it('a text far behind an empty beginning fails the run with its line where another file has numbers', async () => {
  const folder = folderWith({ 'a.csv': `${empty}x,text\n`, 'b.csv': 'name,a\ny,5\n' })
  const { message } = await readFiles(folder, '*.csv')
  expect(message).toMatch(/^a\.csv, line 21002: Column `a` holds “text”/)
})
