import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createHandover, forgetHandovers } from '../../../src/renderer/api/handover.ts'
import type { IncomingFile } from '../../../src/renderer/features/incoming/incoming.store.ts'
import { sniff } from '../../../src/renderer/features/incoming/opening.ts'
import { togetherOf } from '../../../src/renderer/features/incoming/together.rules.ts'
import { sheetsOf } from '../../../src/renderer/features/incoming/xlsx-sheets.ts'

function fileOf(name: string, content: string | Buffer, path: string | null = null): IncomingFile {
  const bytes = new Uint8Array(Buffer.from(content))
  return { name, size: bytes.length, path, isFolder: false,
  blob: null, read: async (start, end) => bytes.slice(start, end) }
}

/** A zip archive with one part. */
function zipOf(name: string, text: string, packed: boolean): Buffer {
  const data = packed ? deflateRawSync(text) : Buffer.from(text)
  const method = packed ? 8 : 0
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(name.length, 26)
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(method, 10)
  entry.writeUInt32LE(data.length, 20)
  entry.writeUInt16LE(name.length, 28)
  const before = Buffer.concat([local, Buffer.from(name), data])
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt32LE(46 + name.length, 12)
  end.writeUInt32LE(before.length, 16)
  return Buffer.concat([before, entry, Buffer.from(name), end])
}

const workbook =
  '<workbook><sheets><sheet name="Q1 &amp; Q2" sheetId="1"/><sheet sheetId="2" name="K&#228;ufe"/></sheets></workbook>'

test.each([true, false])('sheets of a workbook are read from its directory (packed: %s)', async (packed) => {
  expect(await sheetsOf(fileOf('b.xlsx', zipOf('xl/workbook.xml', workbook, packed)))).toEqual(['Q1 & Q2', 'Käufe'])
})

test('what is no whole workbook has no sheets to choose from', async () => {
  const whole = zipOf('xl/workbook.xml', workbook, true)
  expect(await sheetsOf(fileOf('b.xlsx', whole.subarray(0, 60)))).toBeNull()
  expect(await sheetsOf(fileOf('b.xlsx', ''))).toBeNull()
  expect(await sheetsOf(fileOf('b.xlsx', zipOf('other.xml', 'x', false)))).toBeNull()
})

test('a workbook that was made to hang the window does not', async () => {
  const sheets = (xml: string) => sheetsOf(fileOf('b.xlsx', zipOf('xl/workbook.xml', xml, true)))
  expect(await sheets(' '.repeat(40 * 1024 * 1024))).toBeNull()
  expect(await sheets('<sheet '.repeat(290_000))).toBeNull()
  expect(await sheets('<sheet name="&#x110000; &#9999999999; &amp;"/>')).toEqual(['&#x110000; &#9999999999; &'])
})

test('rows of one format in one folder are read together, others one by one', async () => {
  const csv = (name: string, path: string | null = null) => sniff(fileOf(name, 'id,name\n1,a\n', path))
  const together = async (...files: ReturnType<typeof csv>[]) =>
    togetherOf(await Promise.all(files))?.map(({ name }) => name)
  expect(await together(csv('a.csv'), csv('b.csv'))).toEqual(['a.csv', 'b.csv'])
  expect(await together(csv('a.csv', '/x/a.csv'), csv('b.csv', '/y/b.csv'))).toBeUndefined()
  expect(await together(csv('a.csv'), sniff(fileOf('b.json', '[{"a": 1}]')))).toBeUndefined()
  expect(await together(csv('a.csv'), csv('a.csv'))).toBeUndefined()
})

test('a folder and a file that has gone say so', async () => {
  expect(await sniff({ ...fileOf('data', ''), isFolder: true })).toMatchObject({ kind: { why: 'folder' } })
  const gone = { ...fileOf('a.csv', 'x'), read: () => Promise.reject(new Error('Nothing is at /a.csv')) }
  expect(await sniff(gone)).toMatchObject({ kind: { why: 'gone' }, problem: 'Nothing is at /a.csv' })
})

test('what is handed over waits for its taker, is taken once, and goes at once to one that is there', () => {
  const handover = createHandover<'k', string>()
  const taken: string[] = []
  handover.give('k', 'early')
  const leave = handover.take('k', (value) => taken.push(value))
  handover.give('k', 'late')
  leave()
  expect(handover.awaited('k')).toBe(false)
  handover.take('k', (value) => taken.push(value))
  expect(taken).toEqual(['early', 'late'])
})

test('what was handed to a page that nobody went to after all is forgotten', () => {
  const handover = createHandover<'k', string>()
  handover.give('k', 'unwanted')
  forgetHandovers()
  const taken: string[] = []
  handover.take('k', (value) => taken.push(value))
  expect(taken).toEqual([])
})
