import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { folderWith, readFiles } from './read-files.ts'
import { fileConnector, temporaryFolder } from './run-task.ts'

/** More rows than DuckDB looks at to find the columns. */
const many = 30_000
const good = (rows: number, value = 'c'): string => Array.from({ length: rows }, (_, i) => `${i},${value}\n`).join('')
const withHeader = (...rows: string[]): string => `id,x\n${rows.join('')}`

async function read(content: string | Buffer, files = '', more = '') {
  return readFiles(folderWith({ 'a.csv': content }), 'a.csv', { files, more })
}

const quarantine = ', on_error: quarantine'
const opens = 'a quote opens and is not closed before the end of the file'

describe('a quote that nothing closes fails the run, with the line in which it opens', () => {
  describe.each([
    ['on_error: fail', ''],
    ['on_error: quarantine', quarantine],
  ])('(%s)', (_, files) => {
    it.each([
      ['in the last row', withHeader(good(100), '2,"b'), 102],
      ['in the last row of many', withHeader(good(many), '2,"b\n'), many + 2],
      ['in the middle of a few rows', withHeader(good(10), '2,"b\n', good(10)), 12],
      ['in the middle of many rows', withHeader(good(200_000), '2,"b\n', good(200_000)), 200_002],
      [
        'in the middle of more than one part of the file',
        withHeader(good(1_000_000), '2,"b\n', good(1_000_000)),
        1_000_002,
      ],
      ['in the first row', withHeader('1,"b\n', good(many)), 2],
      ['behind a value with a line end', withHeader(good(many), '1,"a\nb"\n2,"b\n'), many + 4],
      ['behind doubled quotes', withHeader(good(many), '2,"b""\n'), many + 2],
    ])('%s', async (_place, content, line) => {
      const { run, message } = await read(content, files, 'dead_letter: {max_ratio: 0.9}\n')
      expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE', step: 'source' })
      expect(message).toMatch(new RegExp(`^a\\.csv, line ${line}: ${opens}: \\d,"b`))
    })

    // DuckDB reads so many files in another way, and then does not notice.
    it.each([
      ['plain', 'csv', (text: string) => Buffer.from(text)],
      ['compressed', 'csv.gz', (text: string) => gzipSync(text)],
    ])('in one of many files (%s)', async (_kind, ending, pack) => {
      const names = Array.from({ length: 40 }, (_file, at) => `f${100 + at}.${ending}`)
      const folder = folderWith(
        Object.fromEntries(names.map((name) => [name, pack(withHeader(good(1_000), '7,"q"\n'))])),
      )
      const sound = await readFiles(folder, `*.${ending}`, { files })
      expect(sound.run).toMatchObject({ status: 'success', item_count: 40 * 1_001 })
      const broken = folderWith(
        Object.fromEntries(
          names.map((name, at) => [name, pack(withHeader(good(many), at === 30 ? `2,"b\n${good(1_000)}` : ''))]),
        ),
      )
      const { run, message } = await readFiles(broken, `*.${ending}`, { files })
      expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE', step: 'source' })
      expect(message).toBe(`f130.${ending}, line ${many + 2}: ${opens}: 2,"b`)
    })
  })

  it('in UTF-16', async () => {
    const content = Buffer.from(`\uFEFF${withHeader(good(many), '2,"b\n', good(5))}`, 'utf16le')
    const { message } = await read(content, ', csv: {encoding: utf-16}')
    expect(message).toBe(`a.csv, line ${many + 2}: ${opens}: 2,"b`)
  })
})

describe('text behind a value in quotes', () => {
  it.each([
    [
      'among few rows',
      withHeader(good(10), '2,"b" c\n', good(10)),
      'a.csv, line 12: text follows a value in quotes: 2,"b" c',
    ],
    [
      'among many rows',
      withHeader(good(many), '2,"b" c\n'),
      `a.csv, line ${many + 2}: text follows a value in quotes: 2,"b" c`,
    ],
    [
      'in another line',
      withHeader('2,"b\nc" d\n', good(10)),
      'a.csv, line 3: text follows a value in quotes, which begins in line 2',
    ],
  ])('is named with its line: %s', async (_, content, message) => {
    const read_ = await read(content)
    expect(read_.run.error?.code).toBe('FILE_UNREADABLE')
    expect(read_.message).toBe(message)
    expect(read_.run.error?.hint).toContain('on_error: quarantine')
  })

  it.each([
    ['few', 10],
    ['many', many],
  ])('is rejected among %s rows, and the others are read with the types that they have', async (_, rows) => {
    const { run } = await read(withHeader(good(rows), '2,"b" c\n', good(5), '2,"b\nc",d\n', good(5)), quarantine)
    expect(run.error).toBeUndefined()
    expect(run).toMatchObject({ status: 'completed', item_count: rows + 10, reject_count: 2 })
    expect(run.steps[0]?.columns).toEqual([
      { name: 'id', type: 'BIGINT' },
      { name: 'x', type: 'VARCHAR' },
    ])
    expect(run.rejects.map(({ row }) => row)).toEqual([
      { line: rows + 2, text: '2,"b" c' },
      { line: rows + 8, text: '2,"b\nc",d' },
    ])
  })

  it.each([
    ['in rows next to each other', 0],
    ['with many rows in between', 49_000],
    ['with more rows in between than a row can hold', 400_000],
  ])('that begins in an earlier line fails the run, so that no row is lost: %s', async (_, between) => {
    const content = withHeader(good(1_000), '5,"b\n', good(between), '6,"d\n', good(many))
    const more = 'dead_letter: {max_ratio: 0.9}\n'
    const { run, message } = await readFiles(folderWith({ 'a.csv': content }), 'a.csv', { files: quarantine, more })
    expect(run.error?.code).toBe('FILE_UNREADABLE')
    expect(message).toBe(`a.csv, line ${1_003 + between}: text follows a value in quotes, which begins in line 1002`)
    expect(run.error?.hint).toContain('can’t reject a row whose end is unclear')
    expect(run.rejects).toEqual([])
  })

  it.each([
    ['values', '5,"b\n', '6,d",e\n', ''],
    ['types', '5,b,"\n', '6"\n', ', columns: {x: integer}'],
  ])(
    'a row of many lines with wrong %s fails the run if the rejects cannot keep it whole',
    async (_, open, close, files) => {
      const header = files === '' ? 'id,x\n' : 'id,x,y\n'
      const rows = (count: number): string => (files === '' ? good(count) : '1,2,3\n'.repeat(count))
      const content = `${header}${rows(100)}${open}${rows(3_000)}${close}${rows(many)}`
      const { run, message } = await read(content, `${quarantine}${files}`)
      expect(run.error?.code).toBe('FILE_UNREADABLE')
      expect(message).toMatch(
        /^a\.csv, line 102: the row continues to line 3103 because of its quotes; its [\d,]+ bytes can’t be kept among the rejects/,
      )
      const few = await read(`${header}${rows(100)}${open}${rows(300)}${close}${rows(many)}`, `${quarantine}${files}`)
      expect(few.run).toMatchObject({ status: 'completed', item_count: many + 100, reject_count: 1 })
      expect(few.run.rejects[0]?.row).toEqual({ line: 102, text: `${open}${rows(300)}${close}`.trimEnd() })
    },
  )

  it('over so many lines that rows cannot be told apart fails the run', async () => {
    const content = withHeader(good(2_500_000), '2,"b\n', good(600_000), '4,x"\n', good(2_200_000))
    const { run, message } = await read(content, quarantine)
    expect(run.error?.code).toBe('FILE_UNREADABLE')
    expect(message).toMatch(/^a\.csv, line 2500002: the row continues to line 3100003 because of its quotes; /)
  })
})

describe('line ends of different kinds', () => {
  const crlf = (rows: number): string => good(rows).replaceAll('\n', '\r\n')
  it.each([
    [
      'CR LF behind LF',
      withHeader(good(5), '2,b\r\n', crlf(5)),
      '',
      'a.csv, line 7: the line ends with CR LF, but the first one ends with LF',
    ],
    [
      'LF behind many CR LF',
      `id,x\r\n${crlf(many)}2,b\n`,
      '',
      `a.csv, line ${many + 2}: the line ends with LF, but the first one ends with CR LF`,
    ],
    [
      'CR behind LF',
      withHeader(good(many), '2,b\r3,d\n'),
      '',
      `a.csv, line ${many + 2}: the line ends with CR, but the first one ends with LF`,
    ],
    [
      'in quarantine, too',
      withHeader(good(many), '2,b\r\n'),
      quarantine,
      `a.csv, line ${many + 2}: the line ends with CR LF, but the first one ends with LF`,
    ],
  ])('are named with the line: %s', async (_, content, files, message) => {
    const { run, message: told } = await read(content, files)
    expect(run.error?.code).toBe('FILE_UNREADABLE')
    expect(told).toBe(message)
  })

  it.each([
    ['', ''],
    ['quarantine', quarantine],
  ])('are read where the others stand in quotes %s', async (_, files) => {
    const { run, rows } = await read(`id,"x\ny"\r\n1,"a\nb"\r\n${crlf(many)}`, files)
    expect(run).toMatchObject({ status: 'success', item_count: many + 1 })
    expect(rows[0]).toEqual({ id: 1, 'x\ny': 'a\nb' })
    const other = await read(`id,"x\r\ny"\n1,"a\r\nb"\n${good(many)}`, files)
    expect(other.rows[0]).toEqual({ id: 1, 'x\r\ny': 'a\r\nb' })
    expect(other.run.item_count).toBe(many + 1)
  })
})

it('a row that is too long is named with its line and size', async () => {
  const { message } = await read(withHeader(good(many), `2,${'x'.repeat(4_500_000)}\n`))
  expect(message).toMatch(/^a\.csv, line 30002: the row takes 4,500,002 bytes, and 4,194,304 are allowed: 2,xxx/)
  const { run } = await read(withHeader(good(many), `2,${'x'.repeat(4_500_000)}\n`), quarantine)
  expect(run).toMatchObject({ status: 'completed', item_count: many, reject_count: 1 })
})

it('a preview says the same', async () => {
  const folder = folderWith({ 'a.csv': withHeader(good(5), '2,"b" c\n') })
  const answer = await runCall(
    {
      kind: 'preview',
      yaml_content: `etl: 1
kind: pipeline
name: preview
connectors: {in: {type: file, access: read}, out: {type: file, access: write}}
source: {connector: in, files: {glob: a.csv}}
target: {connector: out, file: {path: out.jsonl}}
`,
      arguments: {},
      connectors: { in: fileConnector(folder), out: fileConnector(folder) },
      step: null,
      limit: 100,
    },
    { signal: new AbortController().signal, tempDir: temporaryFolder() },
  )
  if (answer.kind !== 'preview') throw new Error(answer.kind)
  expect(answer.value.stages[0]?.error?.message).toContain('a.csv, line 7: text follows a value in quotes: 2,"b" c')
})

const plenty = 200_000

interface Bad {
  line: number
  text: string
  reason: string
}

/** Lines are counted here in the text itself, as an editor counts them. */
function fileOf(lineEnd: string, seed: number): { content: string; bad: Bad[] } {
  const bad: Bad[] = []
  const lines: string[] = [`id,"c${lineEnd}d",e`]
  let line = 3
  const add = (text: string, reason: string | null): void => {
    if (reason !== null) bad.push({ line, text, reason })
    lines.push(text)
    line += text.split(lineEnd).length
  }
  for (let at = 0; at < plenty; at++) {
    const kind = (at + seed) % 9_973
    if (kind === 5) add(`${at},"é, ""x""${lineEnd}y",1,2,3`, 'the row has 5 fields, the header has 3')
    else if (kind === 6) add(`${at},"one${lineEnd}two"`, 'the row has 2 fields, the header has 3')
    else if (kind === 7) add(String(at), 'the row has 1 fields, the header has 3')
    else if (kind === 8)
      add(`bad,"first${lineEnd}second${lineEnd}third",6`, 'Column `id` holds “bad”, which is no integer')
    else if (kind === 9) add(`"z${lineEnd}",b,c,d,e,f,"g",h`, 'the row has 8 fields, the header has 3')
    else if (at % 7 === 0) add(`${at},"q${lineEnd}${lineEnd}w",${at}`, null)
    else add(`${at},é,${'x'.repeat(at % 50)}`, null)
  }
  return { content: lines.map((text) => text + lineEnd).join(''), bad }
}

const columns = ', columns: {id: integer}'

describe.each([
  ['LF', '\n'],
  ['CR LF', '\r\n'],
  ['CR', '\r'],
])('rows of another number of values, among rows of several lines (%s)', (_, lineEnd) => {
  it.each([
    ['plain', 'csv', (text: string) => Buffer.from(text)],
    ['compressed', 'csv.gz', (text: string) => gzipSync(text)],
  ])('are rejected whole, with line and count: several files, %s', async (_kind, ending, pack) => {
    const files = [fileOf(lineEnd, 0), fileOf(lineEnd, 4_000)]
    const folder = folderWith(Object.fromEntries(files.map(({ content }, at) => [`f${at}.${ending}`, pack(content)])))
    const { run, rows: kept } = await readFiles(folder, `*.${ending}`, { files: `${columns}, on_error: quarantine` })
    expect(run.error).toBeUndefined()
    const bad = files.flatMap((file, at) =>
      file.bad.map(({ line, text, reason }) => ({
        reason: `f${at}.${ending}, line ${line}: ${reason}`,
        row: { line, text },
      })),
    )
    expect(run.reject_count).toBe(bad.length)
    expect(kept.length).toBe(2 * plenty - bad.length)
    const found = run.rejects.map(({ reason, row }) => ({ reason: reason.replace(`${folder}/`, ''), row }))
    const inOrder = (all: typeof found): typeof found => all.toSorted((a, b) => (a.reason < b.reason ? -1 : 1))
    expect(inOrder(found)).toEqual(inOrder(bad))
  })

  it.each([
    ['plain', 'csv', (text: string) => Buffer.from(text)],
    ['compressed', 'csv.gz', (text: string) => gzipSync(text)],
  ])('fail the run with line, count and text of one of them: %s', async (_kind, ending, pack) => {
    const start = `id,"c${lineEnd}d",e${lineEnd}`
    const many = `1,"a${lineEnd}b",c${lineEnd}`.repeat(plenty)
    const broken = `7,"8${lineEnd}9",10,11,12`
    const folder = folderWith({ [`a.${ending}`]: pack(`${start}${many}${broken}${lineEnd}${many}`) })
    const { run, message } = await readFiles(folder, `a.${ending}`)
    expect(run.error?.code).toBe('FILE_UNREADABLE')
    expect(message).toBe(`a.${ending}, line ${3 + 2 * plenty}: the row has 5 fields, the header has 3: ${broken}`)
  })
})

it('a row of several lines without valid UTF-8 is named by its line', async () => {
  const content = Buffer.concat([Buffer.from('a,b\n1,"x\ny"\n2,y'), Buffer.from([0xff]), Buffer.from('\n3,z\n')])
  const { message } = await readFiles(folderWith({ 'u.csv': content }), 'u.csv')
  expect(message).toBe('u.csv, line 4: the text is not valid UTF-8')
})
