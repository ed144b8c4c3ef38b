import { describe, expect, it } from 'vitest'
import { folderWith, readFiles } from '../engine/read-files.ts'

const wide = (text: string, isMarked = true) => Buffer.from((isMarked ? '\ufeff' : '') + text, 'utf16le')
const loneHalf = Buffer.from([0x00, 0xdc])
const rows = [
  { id: 1, name: 'a' },
  { id: 2, name: 'b' },
]
const table = (end: string) => ['id,name', '1,a', '2,b', ''].join(end)
const onErrors = ['', ', on_error: quarantine']

describe('a skipped line need not be text in the encoding of the file', () => {
  it.each([
    ['latin-1', Buffer.from(`t \x81 "\n${table('\n')}`, 'latin1')],
    ['shift_jis', Buffer.from(`t \xfd "\r\n${table('\r\n')}`, 'latin1')],
    ['shift_jis', Buffer.from(`t \xfd\r${table('\r')}`, 'latin1')],
    ['shift_jis', Buffer.from(`t \x81\n${table('\n')}`, 'latin1')],
    ['utf-16', Buffer.concat([wide('t'), loneHalf, wide(`\r\n${table('\r\n')}`, false)])],
    ['utf-16', Buffer.concat([wide('t'), loneHalf, wide(`\n${table('\n')}`, false)]).swap16()],
  ])('%s', async (encoding, content) => {
    for (const onError of onErrors) {
      const { run, rows: read } = await readFiles(folderWith({ 'a.csv': content }), 'a.csv', {
        files: `${onError}, csv: {skip_lines: 1, encoding: ${encoding}}`,
      })
      expect(run.error).toBeUndefined()
      expect(read.map(({ id, name }) => ({ id: Number(id), name }))).toEqual(rows)
    }
  })
})

it.each(['utf-8', 'latin-1', 'utf-16'])('a skipped line may be longer than a row: %s', async (encoding) => {
  const text = `t\n${'x'.repeat(5 * 1024 * 1024)}\n${table('\n')}`
  const content = encoding === 'utf-16' ? wide(text) : Buffer.from(text)
  const { run, rows: read } = await readFiles(folderWith({ 'a.csv': content }), 'a.csv', {
    files: `, csv: {skip_lines: 2, encoding: ${encoding}}`,
  })
  expect(run.error).toBeUndefined()
  expect(read).toEqual(rows)
})

it('a row that is too long behind a skipped line is named with its line', async () => {
  const folder = folderWith({ 'a.csv': `t\nid,name\n1,${'x'.repeat(5 * 1024 * 1024)}\n` })
  const { message } = await readFiles(folder, 'a.csv', { files: ', csv: {skip_lines: 1}' })
  expect(message).toContain('a.csv, line 3: the row takes 5,242,882 bytes')
})

describe('bytes that are not text are named with their line', () => {
  const many = 200_000
  const fault = (text: string, bad: Buffer, encode: (text: string) => Buffer) =>
    Buffer.concat([encode(text), bad, encode('\n3,c\n')])
  const half = (text: string) => fault(text, loneHalf, (part) => wide(part, part === text))
  const latin = (text: string) => fault(text, Buffer.from([0xfd]), (part) => Buffer.from(part, 'latin1'))
  it.each([
    ['utf-16', half('id,name\n1,a\n2,'), 0, 3],
    ['utf-16', half('id,name\r\n1,\u0a0a\u0a41\r\n2,').swap16(), 0, 3],
    ['utf-16', half('t\nt\nid,name\n1,"a\nb"\n2,'), 2, 6],
    ['utf-16', half(`id,name\n${'1,some text\n'.repeat(many)}2,`), 0, many + 2],
    ['shift_jis', latin('id,name\r1,a\r2,'), 0, 3],
    ['shift_jis', latin('t\rid,name\r1,a\r'), 1, 4],
    ['shift_jis', latin(`t\nid,name\n${'1,some text\n'.repeat(many)}2,`), 1, many + 3],
  ])('%s (%#)', async (encoding, content, skipped, line) => {
    const { run, message } = await readFiles(folderWith({ 'a.csv': content }), 'a.csv', {
      files: `, csv: {skip_lines: ${skipped}, encoding: ${encoding}}`,
    })
    expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE', hint: expect.stringContaining('`csv.encoding`') })
    expect(message).toMatch(new RegExp(`^a\\.csv, line ${line}: the bytes are not text in ${encoding}`))
  })

  it('latin-1 with CR alone, behind a skipped line', async () => {
    const content = Buffer.from('\x80\rid,name\r1,a\r2,\x81\r', 'latin1')
    const { message } = await readFiles(folderWith({ 'a.csv': content }), 'a.csv', {
      files: ', csv: {skip_lines: 1, encoding: latin-1}',
    })
    expect(message).toBe('a.csv, line 4: the byte 0x81 is not a character in latin-1')
  })
})

describe('a line that names the delimiter', () => {
  it('counts behind the skipped ones', async () => {
    for (const onError of onErrors) {
      for (const content of ['t\nsep=;\nid;name\n1;a\n2;b\n', wide('t\r\nsep=;\r\nid;name\r\n1;a\r\n2;b\r\n')]) {
        const { rows: read } = await readFiles(folderWith({ 'a.csv': content }), 'a.csv', {
          files: `${onError}, csv: {skip_lines: 1, encoding: ${typeof content === 'string' ? 'utf-8' : 'utf-16'}}`,
        })
        expect(read.map(({ id, name }) => ({ id: Number(id), name }))).toEqual(rows)
      }
    }
  })

  it('is skipped like any other if it is one of those', async () => {
    const { rows: read } = await readFiles(folderWith({ 'a.csv': `sep=;\n${table('\n')}` }), 'a.csv', {
      files: ', csv: {skip_lines: 1}',
    })
    expect(read).toEqual(rows)
  })
})
