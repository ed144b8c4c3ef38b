import { crc32, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { folderWith, readFiles } from './read-files.ts'

const rows = 3_000
const lines = (format: string): string[] =>
  Array.from({ length: rows }, (_, i) =>
    format === 'csv' ? `${i},x${i}\n` : `${JSON.stringify({ id: i, v: `x${i}` })}\n`,
  )
const wanted = Array.from({ length: rows }, (_, i) => ({ id: i, v: `x${i}` }))
const start = (format: string): string[] => (format === 'csv' ? ['id,v\n'] : [])
const members = (parts: readonly (string | Buffer)[]): Buffer => Buffer.concat(parts.map((part) => gzipSync(part)))

describe.each(['csv', 'jsonl'])('gzip of many members (.%s.gz) is read whole', (format) => {
  const all = [...start(format), ...lines(format)]
  it.each([
    ['of a line', members(all)],
    ['of a byte', members([...Buffer.from(all.join(''))].map((byte) => Buffer.from([byte])))],
    ['of a line, some of them empty', members(all.flatMap((line) => ['', line]))],
  ])('%s', async (_, content) => {
    const { run, rows: read } = await readFiles(folderWith({ [`a.${format}.gz`]: content }), `a.${format}.gz`)
    expect(run.error).toBeUndefined()
    expect(read).toEqual(wanted)
  })

  it('as one of several files, and in quarantine', async () => {
    const folder = folderWith({
      [`a.${format}.gz`]: members(all),
      [`b.${format}.gz`]: gzipSync(all.join('')),
    })
    const { rows: read } = await readFiles(folder, `*.${format}.gz`, { files: ', on_error: quarantine' })
    expect(read).toEqual([...wanted, ...wanted])
  })
})

describe('gzip with an unusual header or end is read', () => {
  const plain = gzipSync('id,v\n1,a\n')
  /** With further fields behind the ten bytes of every header. */
  const headed = (flags: number, fields: Buffer, sum = false): Buffer => {
    const header = Buffer.concat([plain.subarray(0, 10), fields])
    header[3] = flags
    const sums = Buffer.alloc(sum ? 2 : 0)
    if (sum) sums.writeUInt16LE(crc32(header) & 0xffff)
    return Buffer.concat([header, sums, plain.subarray(10)])
  }
  const extra = Buffer.from([3, 0, 1, 2, 3])
  it.each([
    ['FNAME', headed(8, Buffer.from('a.csv\0'))],
    ['FEXTRA', headed(4, extra)],
    ['FCOMMENT', headed(16, Buffer.from('daily\0'))],
    ['FTEXT', headed(1, Buffer.alloc(0))],
    ['FHCRC', headed(2, Buffer.alloc(0), true)],
    ['all of them', headed(31, Buffer.concat([extra, Buffer.from('a\0b\0')]), true)],
    ['zeros behind it', Buffer.concat([plain, Buffer.alloc(512)])],
  ])('%s', async (_, content) => {
    const { run, rows: read } = await readFiles(folderWith({ 'a.csv.gz': content }), 'a.csv.gz')
    expect(run.error).toBeUndefined()
    expect(read).toEqual([{ id: 1, v: 'a' }])
  })

  it('a damaged one is refused by its own name', async () => {
    const content = headed(2, Buffer.alloc(0), true)
    content[10] = (content[10] ?? 0) ^ 1
    const { run, message } = await readFiles(folderWith({ 'a.csv.gz': content }), 'a.csv.gz')
    expect(run.error?.code).toBe('FILE_UNREADABLE')
    expect(message).toBe('a.csv.gz is damaged: header crc mismatch')
  })

  it('a broken line of it is named by the file, not by the copy', async () => {
    const content = members(['id,v\n', '1,a\n', '2,b,c\n'])
    const { message } = await readFiles(folderWith({ 'a.csv.gz': content }), 'a.csv.gz')
    expect(message).toBe('a.csv.gz, line 3: the row has 3 fields, the header has 2: 2,b,c')
  })
})
