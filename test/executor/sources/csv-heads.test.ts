import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { folderWith, readFiles } from '../engine/read-files.ts'

const more = 'dead_letter: {max_ratio: 0.9}\n'
const rowsOf = (rows: readonly Record<string, unknown>[]) => rows.map(({ id, name }) => [Number(id), name])
/** More rows than a buffer holds. */
const many = 200_000
const manyRows = Array.from({ length: many }, (_, at) => `${at},some text that fills the row ${at}`)

const onErrors = ['', ', on_error: quarantine']
const types = ['', ', columns: {id: integer, name: string}', ', columns: {id: string}']
const ends = ['\n', '\r\n', '\r']
/** What stands in front of the header, and how many lines of it are to be skipped. */
const heads: [name: string, lines: readonly string[], skipped: number][] = [
  ['an empty line', [''], 0],
  ['empty lines and blanks', ['', '', '   '], 0],
  ['a title', ['Report'], 1],
  ['a title and an empty line', ['Report', ''], 1],
  ['a title and an empty line, both skipped', ['Report', ''], 2],
  ['an open quote', ['"Report'], 1],
  ['an open quote behind a delimiter', ['Report,"of'], 1],
  ['quotes over two lines', ['"Report', 'of the year"'], 2],
  ['quotes over two lines behind text', ['Report, "of', 'the", year', ''], 2],
]

describe('rows begin behind the lines in front of the header, whatever these hold', () => {
  describe.each(heads)('%s', (_name, lines, skipped) => {
    it.each(ends)('with %j', async (end) => {
      const content = [...lines, 'id,name', '1,a', '2,"b, c"', '3,d', ''].join(end)
      for (const onError of onErrors) {
        for (const type of types) {
          const { run, rows } = await readFiles(folderWith({ 'a.csv': content }), 'a.csv', {
            files: `${onError}${type}, csv: {skip_lines: ${skipped}}`,
          })
          expect(run).toMatchObject({ status: 'success' })
          expect(rowsOf(rows)).toEqual([
            [1, 'a'],
            [2, 'b, c'],
            [3, 'd'],
          ])
        }
      }
    })

    it('in one of several files, packed or not', async () => {
      const odd = [...lines, 'id,name', '1,a', ''].join('\n')
      const usual = [...Array.from({ length: skipped }, () => 'x'), 'id,name', '2,b', ''].join('\n')
      for (const onError of onErrors) {
        for (const byName of ['', ', union_by_name: true']) {
          const folder = folderWith({ 'a.csv': usual, 'b.csv': odd, 'c.csv.gz': gzipSync(odd), 'd.csv': usual })
          const { run, rows } = await readFiles(folder, '*.csv*', {
            files: `, format: csv${onError}${byName}, csv: {skip_lines: ${skipped}}`,
          })
          expect(run).toMatchObject({ status: 'success' })
          expect(rowsOf(rows)).toEqual([
            [2, 'b'],
            [1, 'a'],
            [1, 'a'],
            [2, 'b'],
          ])
        }
      }
    })
  })

  describe.each(heads.filter(([name]) => / blanks| empty line$|over two lines$/.test(name)))(
    '%s',
    (_name, lines, skipped) => {
      it('names the line of a bad row among many, and rejects no other', async () => {
        const bad = [...manyRows.slice(0, -1), 'x,bad', ...manyRows.slice(-1), '7,too,many']
        const content = [...lines, 'id,name', ...bad, ''].join('\n')
        const folder = folderWith({ 'a.csv': content })
        const files = `, columns: {id: integer}, csv: {skip_lines: ${skipped}}`
        const line = lines.length + 1 + many
        const { run, rows } = await readFiles(folder, 'a.csv', { files: `${files}, on_error: quarantine`, more })
        expect(run.rejects.map(({ row }) => row)).toEqual([
          { line: line + 2, text: '7,too,many' },
          { line, text: 'x,bad' },
        ])
        expect(rows).toHaveLength(many)
        expect(rows.at(-1)).toEqual({ id: many - 1, name: `some text that fills the row ${many - 1}` })
        const failed = await readFiles(folder, 'a.csv', { files })
        expect(failed.run.error).toMatchObject({ code: expect.stringMatching(/FILE_UNREADABLE|CAST_FAILED/) })
        expect(failed.message).toMatch(new RegExp(`^a\\.csv, line (${line}|${line + 2}): `))
      })
    },
  )

  it.each([
    ['a title with CR LF, rows with LF', 'Report\r\nid,name\n1,a\n'],
    ['a title with LF, rows with CR LF', 'Report\nid,name\r\n1,a\r\n'],
    ['a title with CR, rows with LF', 'Report\rid,name\n1,a\n'],
    ['a separator line with another line end', 'sep=,\r\nid,name\n1,a\n'],
  ])('%s', async (name, content) => {
    for (const onError of onErrors) {
      const { run, rows } = await readFiles(folderWith({ 'a.csv': content }), 'a.csv', {
        files: `${onError}${name.includes('separator') ? '' : ', csv: {skip_lines: 1}'}`,
      })
      expect(run).toMatchObject({ status: 'success' })
      expect(rowsOf(rows)).toEqual([[1, 'a']])
    }
  })

  it('a title that is not text in the encoding of the file', async () => {
    const content = Buffer.from('Bericht f\u00fcr M\u00e4rz\nid,name\n1,a\n', 'latin1')
    const { run, rows } = await readFiles(folderWith({ 'a.csv': content }), 'a.csv', {
      files: ', csv: {skip_lines: 1}',
    })
    expect(run).toMatchObject({ status: 'success' })
    expect(rowsOf(rows)).toEqual([[1, 'a']])
  })

  it('one column, whose empty lines behind the header are rows', async () => {
    for (const onError of onErrors) {
      const { rows } = await readFiles(folderWith({ 'a.csv': '\n\nname\na\n\nb\n' }), 'a.csv', { files: onError })
      expect(rows).toEqual([{ name: 'a' }, { name: null }, { name: 'b' }])
    }
  })
})

it('files whose columns stand in another order behind an empty line differ', async () => {
  const folder = folderWith({ 'a.csv': '\na,b\n1,2\n', 'b.csv': '\nb,a\n1,2\n' })
  const { message } = await readFiles(folder, '*.csv')
  expect(message).toContain('b.csv does not match a.csv, the first file. It has the same columns in a different order')
})

describe('a header that is not UTF-8 fails the run, and names its line', () => {
  const header = (text: string) => Buffer.from(`${text}\n1,a\n2,b\n`, 'latin1')
  it.each([
    ['in the first line', header('id,stra\u00dfe'), '', 1],
    ['behind an empty line', header('\nid,stra\u00dfe'), '', 2],
    ['behind a title', header('Report\nid,stra\u00dfe'), ', csv: {skip_lines: 1}', 2],
    ['in a long header', header(`${'x'.repeat(12_000)},stra\u00dfe`), '', 1],
    ['with declared types', header('id,stra\u00dfe'), ', columns: {id: integer}', 1],
    ['with quarantine', header('id,stra\u00dfe'), ', on_error: quarantine', 1],
  ])('%s', async (_name, content, files, line) => {
    const { run, message } = await readFiles(folderWith({ 'a.csv': content }), 'a.csv', { files })
    expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE' })
    expect(message).toContain(`a.csv, line ${line}: the bytes are not text in utf-8`)
  })

  it('but is read where the encoding is set', async () => {
    const { rows } = await readFiles(folderWith({ 'a.csv': header('id,stra\u00dfe') }), 'a.csv', {
      files: ', csv: {encoding: latin-1}',
    })
    expect(rows).toEqual([
      { id: 1, 'stra\u00dfe': 'a' },
      { id: 2, 'stra\u00dfe': 'b' },
    ])
  })
})

describe('rows of several files are rejected each with its own line', () => {
  it('where columns are matched by name', async () => {
    const folder = folderWith({
      'a.csv': 'id,name\n1,a\nx,b\n2,"c" d\n',
      'b.csv': 'name,id,more\n\nc,3,m\nd,4\ne,y,m\n',
      'c.csv': 'id\n5\n\nz\n',
    })
    const { run, rows } = await readFiles(folder, '*.csv', {
      files: ', union_by_name: true, on_error: quarantine, columns: {id: integer}',
      more,
    })
    expect(run).toMatchObject({ status: 'completed' })
    expect(rows).toEqual([
      { id: 1, name: 'a', more: null },
      { id: 3, name: 'c', more: 'm' },
      { id: 5, name: null, more: null },
      { id: null, name: null, more: null },
    ])
    const rejected = run.rejects.map(
      ({ reason, row }) => `${basename(reason.split(':')[0] ?? '')}: ${JSON.stringify(row?.text)}`,
    )
    expect(rejected.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'a.csv, line 3: "x,b"',
      'a.csv, line 4: "2,\\"c\\" d"',
      'b.csv, line 4: "d,4"',
      'b.csv, line 5: "e,y,m"',
      'c.csv, line 4: "z"',
    ])
  })

  it('where they have different line ends', async () => {
    const folder = folderWith(
      Object.fromEntries(ends.map((end, at) => [`${at}.csv`, ['id,name', '1,a', '2', '3,c', ''].join(end)])),
    )
    const { run, rows } = await readFiles(folder, '*.csv', { files: ', on_error: quarantine', more })
    expect(run).toMatchObject({ status: 'completed' })
    expect(rows).toHaveLength(6)
    expect(run.rejects.map(({ row }) => row)).toEqual(ends.map(() => ({ line: 3, text: '2' })))
  })
})

it('text behind quotes in the first of several files is rejected with its line', async () => {
  const folder = folderWith({ 'a.csv': 'a,b\n1,2\n"x"y,5\n3,4\n', 'b.csv': 'a,b\n5,6\n' })
  const { run, rows } = await readFiles(folder, '*.csv', { files: ', on_error: quarantine', more })
  expect(rows.map(({ b }) => Number(b))).toEqual([2, 4, 6])
  expect(run.rejects.map(({ row }) => row)).toEqual([{ line: 3, text: '"x"y,5' }])
})

it('delimiters at the end of a row do not count, in several files either', async () => {
  const folder = folderWith({ 'a.csv': 'a,b\n1,x\n', 'b.csv': 'a,b\n2,y,,\n3,z,\n' })
  for (const files of [...onErrors, ', columns: {a: integer}']) {
    const { rows } = await readFiles(folder, '*.csv', { files })
    expect(rows.map(({ a, b }) => [Number(a), b])).toEqual([
      [1, 'x'],
      [2, 'y'],
      [3, 'z'],
    ])
  }
})

describe('a first line that names the delimiter is no row, in each file by itself', () => {
  it.each(['', ', union_by_name: true', ', header: false'])('in some of the files (%s)', async (more) => {
    const header = more.includes('header') ? '' : 'a;b\n'
    const folder = folderWith({
      'a.csv': `${header}1;x\n`,
      'b.csv': `sep=;\n${header}2;y\n`,
      'c.csv': `${header}3;z\n`,
    })
    for (const onError of onErrors) {
      const csv = more.includes('header') ? `, csv: {delimiter: ";"${more}}` : `, csv: {delimiter: ";"}${more}`
      const { rows } = await readFiles(folder, '*.csv', { files: `${csv}${onError}` })
      expect(rows.map((row) => Object.values(row).map(String))).toEqual([
        ['1', 'x'],
        ['2', 'y'],
        ['3', 'z'],
      ])
    }
  })

  it.each([
    ['sep=;\na;b\n1;2\n', 'sep=|\na|b\n1|2\n', ['b.csv', '"|"', 'a.csv', '";"']],
    ['sep=;\na;b\n1;2\n', 'a,b\n1,2\n', ['a.csv', '";"', 'b.csv', '","']],
    ['a,b\n1,2\n', 'sep=;\na;b\n1;2\n', ['b.csv', '";"', 'a.csv', '","']],
  ])('and fails the run where they differ: %j, %j', async (a, b, [naming, delimiter, other, delimiter2]) => {
    const folder = folderWith({ 'a.csv': a, 'b.csv': b })
    for (const files of ['', ', union_by_name: true', ', on_error: quarantine']) {
      const { message } = await readFiles(folder, '*.csv', { files })
      expect(message).toBe(
        `${naming} names ${delimiter} as its delimiter in its first line, but that of ${other} is ${delimiter2}`,
      )
    }
  })
})

describe('a file that ends within its skipped lines is empty', () => {
  it('and fails the run, alone or with others', async () => {
    for (const others of [{}, { 'b.csv': '1\n2\n3\na\n1\n' }] as Record<string, string>[]) {
      for (const byName of ['', ', union_by_name: true']) {
        const { run, message } = await readFiles(folderWith({ 'a.csv': '1\n2\n', ...others }), '*.csv', {
          files: `${byName}, csv: {skip_lines: 3}`,
        })
        expect(run.error?.code).toBe('FILE_UNREADABLE')
        expect(message).toContain('a.csv is empty')
      }
    }
  })

  it('but is no rows where the columns are declared', async () => {
    const { run, rows } = await readFiles(folderWith({ 'a.csv': '1\n2\n', 'b.csv': '1\n2\n3\na\n1\n' }), '*.csv', {
      files: ', columns: {a: integer}, csv: {skip_lines: 3}',
    })
    expect(run.status).toBe('success')
    expect(rows).toEqual([{ a: 1 }])
  })
})

describe('empty lines of a file with one column', () => {
  it('are rows where empty text is NULL, also if there is nothing else', async () => {
    for (const onError of onErrors) {
      const { rows } = await readFiles(folderWith({ 'a.csv': '\n\n' }), 'a.csv', {
        files: `, csv: {header: false}${onError}`,
      })
      expect(rows).toEqual([{ column0: null }, { column0: null }])
    }
  })

  it.each(['[NA]', '[]'])('fail the run where it is not (%s)', async (words) => {
    for (const onError of onErrors) {
      const { message } = await readFiles(folderWith({ 'a.csv': 'a\nx\n\ny\n' }), 'a.csv', {
        files: `, csv: {null_values: ${words}}${onError}`,
      })
      expect(message).toBe('a.csv, line 3: the line is empty: in a file with one column it can only be read as NULL')
    }
  })

  it.each(['[NA]', '[]'])('and empty text of several columns stays text (%s)', async (words) => {
    const { rows } = await readFiles(folderWith({ 'a.csv': 'a,b\n,x\nNA,y\n' }), 'a.csv', {
      files: `, csv: {null_values: ${words}}`,
    })
    expect(rows).toEqual([
      { a: '', b: 'x' },
      { a: words === '[]' ? 'NA' : null, b: 'y' },
    ])
  })
})

it.each([
  ['k\r\na,b\n1,2\nx,3\n', ', columns: {a: integer}, csv: {skip_lines: 1}', /^a\.csv, line 4: .*“x”/],
  ['\r\n\r\na,b\n1,2\n"x"y,3\n', '', /^a\.csv, line 5: text follows a value in quotes/],
  ['k\na,b\r\n1,2\r\n3,4\n', ', csv: {skip_lines: 1}', /^a\.csv, line 4: the line ends with LF/],
])('the line end of a line above the header says nothing of a fault below it: %j', async (content, files, message) => {
  const failed = await readFiles(folderWith({ 'a.csv': content }), 'a.csv', { files })
  expect(failed.message).toMatch(message)
})

it('many files that begin in different ways need no more memory than a run may use', async () => {
  const contents = Array.from({ length: 120 }, (_, at) => [`${at}.csv`, `${'\n'.repeat(at % 2)}id,name\n${at},x\n`])
  const { run, rows } = await readFiles(folderWith(Object.fromEntries(contents)), '*.csv')
  expect(run.error).toBeUndefined()
  expect(rows).toHaveLength(120)
})

it('a row of 4 MiB is read, also the last one with a line end', async () => {
  const long = `2,${'x'.repeat(4 * 1024 * 1024 - 2)}`
  for (const end of ends) {
    for (const onError of onErrors) {
      const { run, rows } = await readFiles(folderWith({ 'a.csv': ['id,name', '1,a', long, ''].join(end) }), 'a.csv', {
        files: onError,
      })
      expect(run).toMatchObject({ status: 'success', item_count: 2 })
      expect(String(rows[1]?.['name'])).toHaveLength(4 * 1024 * 1024 - 2)
    }
  }
})

it('rows that need more memory than a run may use end with the size of it, and what to do', async () => {
  const long = Array.from({ length: 80 }, (_, at) => `${at},${'x'.repeat(4_000_000)}\n`).join('')
  const { run, message } = await readFiles(folderWith({ 'a.csv': `id,name\n${long}` }), 'a.csv')
  expect(run.error).toMatchObject({ code: 'OUT_OF_MEMORY', hint: expect.stringContaining('2,048 at a time') })
  expect(message).toBe('The run needs more memory than it may use (289.9 MiB)')
}, 60_000)
