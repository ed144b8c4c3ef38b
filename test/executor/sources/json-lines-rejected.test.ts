import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { folderWith, readFiles } from '../engine/read-files.ts'

const more = 'dead_letter: {max_ratio: 1}\n'
const quarantine = ', on_error: quarantine'
const broken = [
  'x',
  '#c',
  'id,name',
  '}',
  '[1,',
  '"abc',
  'nul',
  'NaN',
  '1 2',
  '[1]',
  '"text"',
  '7',
  'null',
  '{"a":',
  '\0',
  '\ufeff',
]

describe('a line that is no record is rejected alone', () => {
  it.each(broken)('%j between others, first, last, and behind an empty line', async (line) => {
    const at = (lines: string[]) =>
      lines.flatMap((one, index) => (one === line ? [{ line: index + 1, text: one }] : []))
    for (const lines of [
      ['{"a":1}', line, '{"a":2}', '{"a":3}'],
      [line, '{"a":1}', '{"a":2}', '{"a":3}'],
      ['{"a":1}', '{"a":2}', '{"a":3}', line],
      ['{"a":1}', '', line, '{"a":2}', line, '{"a":3}'],
    ]) {
      for (const end of ['\n', '\r\n']) {
        const { run, rows } = await readFiles(folderWith({ 'a.jsonl': lines.join(end) }), 'a.jsonl', {
          files: quarantine,
          more,
        })
        // A mark at the beginning of a file is none of its first line.
        const isMark = line === '\ufeff' && lines[0] === line
        expect(run.status).toBe(isMark ? 'success' : 'completed')
        expect(rows).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }])
        const rejected = run.rejects.map(({ row }) => ({ ...row, text: String(row?.['text']).trimEnd() }))
        expect(rejected).toEqual(isMark ? [] : at(lines).map((one) => ({ ...one, text: one.text.trimEnd() })))
      }
    }
  })

  it('at the end of a file, before the first line of the next', async () => {
    const folder = folderWith({
      'a.jsonl': '{"a":1}\nx',
      'b.jsonl.gz': gzipSync('{"a":2}\nx\n'),
      'c.jsonl': '{"a":3}\n',
    })
    const { run, rows } = await readFiles(folder, '*.jsonl*', { files: `${quarantine}, format: jsonl`, more })
    expect(rows).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }])
    expect(run.rejects).toHaveLength(2)
  })

  it('as the last of 200,000', async () => {
    const lines = Array.from({ length: 200_000 }, (_, at) => `{"a":${at}}`)
    const content = [...lines.slice(0, -1), 'timeout', ...lines.slice(-1)].join('\n')
    const { run, rows } = await readFiles(folderWith({ 'a.jsonl': content }), 'a.jsonl', { files: quarantine, more })
    expect(rows).toHaveLength(200_000)
    expect(rows.at(-1)).toEqual({ a: 199_999 })
    expect(run.rejects.map(({ row }) => row)).toEqual([{ line: 200_000, text: 'timeout' }])
  })

  it('with half of a character, at the top and nested', async () => {
    const sound = String.raw`{"a":"\ud83d\ude00","b":{"c":"\uD83D\uDE00"}}`
    const halves = [
      String.raw`{"a":"\ud800"}`,
      String.raw`{"a":"\udc00"}`,
      String.raw`{"a":"\ud800\n"}`,
      String.raw`{"a":"x","b":{"c":"\ud83d\u0041"}}`,
      String.raw`{"\ud800":1}`,
    ]
    const content = [sound, ...halves, sound].join('\n')
    const { run, rows } = await readFiles(folderWith({ 'a.jsonl': content }), 'a.jsonl', { files: quarantine, more })
    expect(rows).toEqual([
      { a: '😀', b: { c: '😀' } },
      { a: '😀', b: { c: '😀' } },
    ])
    expect(run.rejects.map(({ row }) => row?.['line'])).toEqual([2, 3, 4, 5, 6])
    const { message } = await readFiles(folderWith({ 'a.jsonl': content }), 'a.jsonl')
    expect(message).toBe('a.jsonl, line 2: half of a surrogate pair is not a character at byte 7')
  })
})

describe('records of which some are objects fail the run at the first that differs', () => {
  it.each([
    ['a.jsonl', '{"a":1}\n\n7\n', 'line 3'],
    ['a.json', '[{"a":1},{"a":2},7,{"a":3}]', 'record 3'],
    ['a.json', '[7,{"a":1}]', 'record 2'],
  ])('%s: %s', async (name, content, place) => {
    const { run, message } = await readFiles(folderWith({ [name]: content }), name)
    expect(run.error?.code).toBe('FILE_UNREADABLE')
    expect(message).toBe(
      `${name}, ${place}: the record differs from those before it: some are objects, and others are not`,
    )
  })
})

it.each([
  ['data', '{"data":[{"a":1}],"data":[{"a":2}]}', 'data'],
  ['x.y', '{"x":{"y":[{"a":1}],"y":[]}}', 'y'],
  ['x.y', '{"x":{"y":[{"a":1}]},"x":{}}', 'x'],
])('a key that is listed twice on the way to the records fails the run: %s in %s', async (path, content, key) => {
  const { run, message } = await readFiles(folderWith({ 'a.json': content }), 'a.json', { files: `, records: ${path}` })
  expect(run.error?.code).toBe('FILE_UNREADABLE')
  expect(message).toContain(`the key \`${key}\` is listed twice`)
})

it('records without a key are rows of the declared columns', async () => {
  for (const [name, content] of [
    ['a.jsonl', '{}\n{}\n{}\n'],
    ['a.json', '[{},{},{}]'],
  ] as const) {
    const { run, rows } = await readFiles(folderWith({ [name]: content }), name, {
      files: ', columns: {id: integer, name: string}',
    })
    expect(run).toMatchObject({ status: 'success', item_count: 3 })
    expect(rows).toEqual(Array.from({ length: 3 }, () => ({ id: null, name: null })))
  }
})

describe('numbers stay what they are in a column whose texts have another decimal mark', () => {
  it.each(['decimal(12,3)', 'number'])('%s', async (type) => {
    const files = `, columns: {a: {type: "${type}", decimal: ",", thousands: "."}}`
    const numbers = '{"a":1.234}\n{"a":-12.345}\n{"a":1000}\n{"a":0.5}\n'
    const alone = await readFiles(folderWith({ 'a.jsonl': numbers }), 'a.jsonl', { files })
    expect(alone.rows.map(({ a }) => Number(a))).toEqual([1.234, -12.345, 1000, 0.5])
    const mixed = await readFiles(folderWith({ 'a.jsonl': `${numbers}{"a":"1.234,5"}\n{"a":"1.234"}\n` }), 'a.jsonl', {
      files,
    })
    expect(mixed.rows.map(({ a }) => Number(a))).toEqual([1.234, -12.345, 1000, 0.5, 1234.5, 1234])
  })

  it('and a number with a fraction is no integer', async () => {
    const { run, message } = await readFiles(folderWith({ 'a.jsonl': '{"a":12.345}\n{"a":"1.000"}\n' }), 'a.jsonl', {
      files: ', columns: {a: {type: integer, decimal: ",", thousands: "."}}',
    })
    expect(run.status).toBe('failed')
    expect(message).toContain('12,345')
  })
})
