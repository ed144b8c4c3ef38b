import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith, readFiles } from './read-files.ts'
import { fileConnector, runTask, temporaryFolder } from './run-task.ts'

const rows = (count: number, value: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => `${i},${value(i)}\n`).join('')
const csv = (...lines: string[]): string => `id,v\n${lines.join('')}`
const read = (content: string | Buffer, files = '', steps = '[]') =>
  readFiles(folderWith({ 'a.csv': content }), 'a.csv', { files, steps })
const quarantine = ', on_error: quarantine'

/** Behind what DuckDB looks at to find the types. */
const far = 25_000
const late: [string, (i: number) => string, string, string][] = [
  ['a leading zero', (i) => `${i}`, '01234', 'integer'],
  ['a leading zero behind a sign', (i) => `${i}`, '-012', 'integer'],
  ['a plus', (i) => `${i}`, '+4722', 'integer'],
  ['a fraction', (i) => `${i}`, '1.5', 'integer'],
  ['an underscore', (i) => `${i}`, '1_000', 'integer'],
  ['hexadecimal digits', (i) => `${i}`, '0x1F', 'integer'],
  ['more digits than 64 bits hold', (i) => `${i}`, '12345678901234567890', 'integer'],
  ['more digits than floating point holds', (i) => `${i}.5`, '12345678901234567891.1234567890', 'number'],
  ['a number too large', (i) => `${i}.5`, '1e400', 'number'],
  ['a time of day', () => '2024-01-02', '2024-01-02 10:00:00', 'date'],
  ['nanoseconds', () => '2024-01-02 10:00:00', '2024-01-02 10:00:00.1234567', 'datetime'],
  ['an offset', () => '2024-01-02 10:00:00', '2024-01-02T10:00:00+02:00', 'datetime'],
  ['no offset', () => '2024-01-02T10:00:00Z', '2024-01-02T10:00:00', 'datetime'],
  ['a word for true', () => 'true', 'T', 'boolean'],
  ['a year of two digits', () => '2024-01-02', '05/06/24', 'date'],
  ['a month without its zero', () => '2024-01-02', '2024-1-2', 'date'],
  ['an hour without its zero', () => '10:00:00', '2:10', 'time'],
  ['parts of a microsecond', () => '10:00:00', '10:00:00.1234567', 'time'],
]

describe('a late value that the type of its column would change', () => {
  it.each(late)('fails the run with its line: %s', async (_, value, odd, type) => {
    const { run, message } = await read(csv(rows(far, value), `7,${odd}\n`, rows(10, value)))
    expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE', step: 'source' })
    expect(message).toBe(
      `a.csv, line ${far + 2}: Column \`v\` holds “${odd}”, which does not read as ${type} like the rows before it`,
    )
    expect(run.error?.hint).toContain('`columns: {v: string}`')
  })

  it.each(late)('is rejected with its line, and nothing else is: %s', async (_, value, odd) => {
    const content = csv(rows(far, value), `7,${odd}\n`, '8,1,2\n', rows(10, value))
    const { run, rows: good } = await read(content, quarantine)
    expect(run.error).toBeUndefined()
    expect(run.rejects.map(({ row }) => row)).toEqual([
      { line: far + 3, text: '8,1,2' },
      { line: far + 2, text: `7,${odd}` },
    ])
    expect(good.map(({ id }) => id)).toEqual([
      ...Array.from({ length: far }, (_v, i) => i),
      0,
      1,
      2,
      3,
      4,
      5,
      6,
      7,
      8,
      9,
    ])
  })

  it('is kept where the task says that the column is text', async () => {
    const { rows: read1 } = await read(csv(rows(far, String), '7,01234\n'), ', columns: {v: string}')
    expect(read1.at(-1)).toEqual({ id: 7, v: '01234' })
  })

  it('is found in the second of two files, behind a value with a line end', async () => {
    const folder = folderWith({
      'a.csv': 'id,v,t\n1,2,x\n',
      'b.csv': `id,v,t\n${Array.from({ length: far }, (_, i) => `${i},${i},"a\nb"\n`).join('')}1,01,x\n`,
    })
    const { message } = await readFiles(folder, '*.csv')
    expect(message).toMatch(new RegExp(`^b\\.csv, line ${2 * far + 2}: Column \`v\` holds “01”`))
  })
})

describe('the type of a column that nobody names', () => {
  it.each([
    ['12345678901234567891.1234567890', '0.5', 'DECIMAL(38,10)'],
    ['12345678901234567890', '1', 'DECIMAL(38,0)'],
    ['1e400', '1.5', 'VARCHAR'],
    ['-012', '5', 'VARCHAR'],
    ['02/03/2024', '03/03/2024', 'VARCHAR'],
    ['0.1', '1e5', 'DOUBLE'],
    ['0', '-5', 'BIGINT'],
    ['2024-01-02 10:00:00.1234567', '2024-01-02 10:00:00', 'VARCHAR'],
    // Neither days nor moments: a year of two digits, versions, and results of games.
    ['05/06/24', '11/07/24', 'VARCHAR'],
    ['24-01-02', '24-01-03', 'VARCHAR'],
    ['05/06/24 10:30', '05/07/24 10:30', 'VARCHAR'],
    ['1-2-3', '2-10-11', 'VARCHAR'],
    ['05 06 24', '1/2/3', 'VARCHAR'],
    ['2:10', '1:00', 'VARCHAR'],
    ['2024-1-2', '2024-1-3', 'VARCHAR'],
    // Words: of countries, sexes, and answers.
    ['f', 't', 'VARCHAR'],
    ['no', 'NO', 'VARCHAR'],
    ['yes', 'no', 'VARCHAR'],
    ['true', 'False', 'BOOLEAN'],
    // One number, two sections.
    ['1.1', '1.10', 'VARCHAR'],
    ['1', '1.0', 'VARCHAR'],
    ['1.10', '2.50', 'DOUBLE'],
    ['0', '0.00', 'DOUBLE'],
    ['-0.0', '0.5', 'DOUBLE'],
    ['12345678901234567891.10', '12345678901234567891.1', 'VARCHAR'],
    ['12345678901234567891.5', '-12345678901234567891.5', 'DECIMAL(38,1)'],
    ['0.1', '0.10000000000000001', 'VARCHAR'],
    // As small as the results of a test of significance.
    ['1.2e-20', '3e-25', 'DOUBLE'],
  ])('keeps %s beside %s', async (one, other, type) => {
    const { run, rows: found } = await read(csv(`1,${one}\n`, `2,${other}\n`), '', '[{cast: {v: string}}]')
    expect(run.steps[0]?.columns).toContainEqual({ name: 'v', type })
    const same = (a: unknown, b: string): boolean =>
      type === 'DOUBLE' ? Number(a) === Number(b) : String(a).startsWith(type === 'BOOLEAN' ? b.toLowerCase() : b)
    expect(same(found[0]?.['v'], one) && same(found[1]?.['v'], other)).toBe(true)
  })
})

it('types of 150 columns of numbers are found within the memory of a run', async () => {
  const wide = Array.from({ length: 150 }, (_, column) => `c${column}`)
  const line = (number: (column: number) => string) => `${wide.map((_, column) => number(column)).join(',')}\n`
  // As many places in all rows, and not: the second takes a longer look.
  for (const other of [2, 1]) {
    const content = [`${wide.join(',')}\n`, line((n) => (n + 0.25).toFixed(2)), line((n) => (n - 0.5).toFixed(other))]
    const { run, rows: found } = await read(content.join(''))
    expect(run.error).toBeUndefined()
    expect(new Set(run.steps[0]?.columns.map(({ type }) => type))).toEqual(new Set(['DOUBLE']))
    expect(Object.values(found[1] ?? {}).map(Number)).toEqual(wide.map((_, n) => n - 0.5))
  }
})

it('columns with the names of our own are columns like any others', async () => {
  const content = 'headgate_tried_0,Headgate_Tried_1,_headgate_tried_0\n7,1.5,2024-01-02\n8,2.5,2024-01-03\n'
  const { run, rows: found } = await read(content)
  expect(run.error).toBeUndefined()
  expect(run.steps[0]?.columns.map(({ type }) => type)).toEqual(['BIGINT', 'DOUBLE', 'DATE'])
  expect(found.map((row) => Object.values(row).map(String))).toEqual([
    ['7', '1.5', '2024-01-02'],
    ['8', '2.5', '2024-01-03'],
  ])
})

describe('a year of two digits', () => {
  const odd = ['05/06/24', '24-01-02', '-5-1-1', '2024 01 02', 'epoch', '1-2-3', '-024-01-02', ' 24-01-02']
  it.each(odd)('is no date where one is asked for: %s', async (value) => {
    for (const type of ['date', 'datetime']) {
      const { run } = await read(csv(`1,${value}\n`), `, columns: {v: ${type}}`)
      expect(run.error?.code).toBe('FILE_UNREADABLE')
      const rejected = await read(csv(`1,${value}\n`, '2,2024-01-02\n'), `, columns: {v: ${type}}${quarantine}`)
      expect([rejected.run.error, rejected.rows.map(({ id }) => id)]).toEqual([undefined, [2]])
      const cast = await read(csv(`1,${value}\n`), ', columns: {v: string}', `[{cast: {v: ${type}}}]`)
      expect(cast.run.error?.code).toBe('CAST_FAILED')
      const json = await readFiles(folderWith({ 'a.jsonl': `${JSON.stringify({ v: value })}\n` }), 'a.jsonl', {
        files: `, columns: {v: ${type}}`,
      })
      expect(json.run.error).toBeDefined()
    }
  })

  it.each([
    ['2024/1/2', 'date', '2024-01-02'],
    ['0044-03-15 (BC)', 'date', '-0043-03-15'],
    ['-0043-03-15', 'date', '-0043-03-15'],
    ['0000-03-15', 'date', '0000-03-15'],
    ['-0043-03-15 10:00:00', 'datetime', '-0043-03-15T10:00:00'],
    ['12345-01-01', 'date', '12345-01-01'],
    ['infinity', 'datetime', 'infinity'],
    ['2024-01-02T10:00:00+02', 'datetime', '2024-01-02T08:00:00'],
  ])('is not what %s has', async (value, type, shown) => {
    const { run, rows: found } = await read(csv(`1,${value}\n`), `, columns: {v: ${type}}`, '[{cast: {v: string}}]')
    expect([run.error, found.map(({ v }) => v)]).toEqual([undefined, [shown]])
  })
})

describe('the line of Excel that names the delimiter', () => {
  it.each([
    ['with line ends of Windows', 'sep=;\r\na;b\r\n1;x,y\r\n2;z\r\n', ''],
    ['behind a byte order mark', '\ufeffSEP=;\na;b\n1;"x,y"\n2;z\n', ''],
    ['where the task names it, too', 'sep=;\na;b\n1;x,y\n2;z\n', ', csv: {delimiter: ";"}'],
    ['of a tab', 'sep=\t\na\tb\n1\tx,y\n2\tz\n', ''],
  ])('is no header and no row, %s', async (_, content, files) => {
    for (const more of ['', quarantine]) {
      const { run, rows: found } = await read(content, files + more)
      expect([run.error, found]).toEqual([
        undefined,
        [
          { a: 1, b: 'x,y' },
          { a: 2, b: 'z' },
        ],
      ])
    }
  })

  it('counts as a line where a row is at fault', async () => {
    const { message } = await read('sep=;\na;b\n1;x\n2\n')
    expect(message).toMatch(/^a\.csv, line 4: /)
    const { run } = await read('sep=;\na;b\n1;x\n2\n', quarantine)
    expect(run.rejects.map(({ row }) => row)).toEqual([{ line: 4, text: '2' }])
  })

  it('must be in all files, so that no header is lost', async () => {
    const both = folderWith({ 'a.csv': 'sep=;\na;b\n1;x\n', 'b.csv': 'sep=;\na;b\n2;y\n' })
    expect((await readFiles(both, '*.csv')).rows).toHaveLength(2)
    const one = folderWith({ 'a.csv': 'sep=;\na;b\n1;x\n', 'b.csv': 'a;b\n2;y\n' })
    expect((await readFiles(one, '*.csv')).run.error?.code).toBeDefined()
  })
})

describe('a CSV file without rows', () => {
  const filter = '[{filter: "id > 0"}, {derive: {w: "lower(v)"}}, {dedupe: [id]}, {filter: "v = \'x\'"}]'
  it.each([
    ['with a header', 'id,v\n', '', 'VARCHAR'],
    ['with a header without a line end', 'id,v', '', 'VARCHAR'],
    ['with a header and declared columns', 'id,v\n', ', columns: {id: integer}', 'BIGINT'],
    ['with nothing but declared columns', '', ', columns: {id: integer, v: string}', 'BIGINT'],
  ])('%s goes through steps that use its columns as anything', async (_, content, files, type) => {
    for (const more of ['', quarantine]) {
      const { run } = await read(content, files + more, filter)
      expect(run.error).toBeUndefined()
      expect(run.item_count).toBe(0)
      expect(run.steps[0]?.columns[0]).toEqual({ name: 'id', type })
    }
  })

  it.each([
    ['', 'a.csv is empty: it contains no header line'],
    [', csv: {header: false}', 'a.csv is empty: it contains no row'],
  ])('and without anything is refused where nothing names its columns (%s)', async (files, words) => {
    const { run, message } = await read('', files)
    expect([run.error?.code, message]).toEqual(['FILE_UNREADABLE', words])
  })

  it('is left out beside others', async () => {
    const folder = folderWith({ 'a.csv': '', 'b.csv': 'id,v\n1,x\n' })
    const { rows: found } = await readFiles(folder, '*.csv', { files: ', columns: {id: integer, v: string}' })
    expect(found).toEqual([{ id: 1, v: 'x' }])
  })
})

describe('a CSV file that ends in NUL bytes', () => {
  it.each([1_000, 1_900_000, 5_000_000])('fails with their line (%i of them)', async (bytes) => {
    for (const files of ['', ', columns: {id: integer, v: integer}']) {
      const { run, message } = await read(
        Buffer.concat([Buffer.from(csv(rows(100, String))), Buffer.alloc(bytes)]),
        files,
      )
      expect([run.error?.code, message]).toEqual([
        'FILE_UNREADABLE',
        'a.csv, line 102: the line is made of NUL bytes (0x00)',
      ])
    }
  })
})

describe('NULL and empty text', () => {
  const content = 'id,s,n\n1,"",\n2,,"5"\n3,"NA",""\n4,NA,7\n'
  it('are told apart by quotes, in columns of text only', async () => {
    for (const more of ['', quarantine]) {
      const { rows: found } = await read(content, `, csv: {null_values: ["", "NA"]}${more}`)
      expect(found).toEqual([
        { id: 1, s: '', n: null },
        { id: 2, s: null, n: 5 },
        { id: 3, s: 'NA', n: null },
        { id: 4, s: null, n: 7 },
      ])
    }
  })

  it('are the same where the task says so', async () => {
    const { rows: found } = await read(content, ', csv: {quoted_nulls: true}')
    expect(found.map(({ s }) => s)).toEqual([null, null, 'NA', 'NA'])
  })

  it('and bytes come back as they were written', async () => {
    const texts = ['', null, ' ', '"', 'a,b', 'NULL', 'a\r\nb', '\\x41']
    const folder = folderWith({ 'in.jsonl': texts.map((s, id) => `${JSON.stringify({ id, s })}\n`).join('') })
    const out = temporaryFolder()
    const copy = (from: string, to: string, glob: string, path: string, steps: string, more = '') =>
      runTask(
        `etl: 1
kind: pipeline
name: copy
connectors: {in: {type: file}, out: {type: file, access: write}}
source: {connector: in, files: {glob: ${glob}${more}}}
steps: ${steps}
target: {connector: out, file: {path: ${path}}}
`,
        { in: fileConnector(from), out: fileConnector(to) },
      )
    const bytes = '[{derive: {b: "CASE WHEN id < 4 THEN unhex(\'00ff\') || encode(s) END"}}]'
    const written = await copy(folder, out, 'in.jsonl', 'a.csv', bytes)
    expect(written.error).toBeUndefined()
    expect(readFileSync(join(out, 'a.csv'), 'utf8')).toContain('0,"",\\x00ff\n1,,\n')
    const again = await copy(out, out, 'a.csv', 'b.csv', '[]', ', columns: {b: binary}')
    expect(again.error).toBeUndefined()
    expect(readFileSync(join(out, 'b.csv'), 'utf8')).toBe(readFileSync(join(out, 'a.csv'), 'utf8'))
    const { rows: found } = await readFiles(out, 'a.csv')
    expect(found.map(({ s }) => s)).toEqual(texts)
  })
})

describe('what is said of a text that strptime cannot read', () => {
  it('names column and row, and the way out', async () => {
    const { run, message } = await read(
      csv('1,2024-01-02\n', '2,soon\n'),
      '',
      `[{derive: {d: "strptime(v, '%Y-%m-%d')"}}]`,
    )
    expect(message).toBe('Row 2, column `v`: “soon” doesn’t match the format `%Y-%m-%d`')
    expect(run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'derive' })
    expect(run.error?.hint).toContain('`try_strptime`')
  })
})
