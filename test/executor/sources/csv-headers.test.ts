import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { folderWith, readFiles } from '../engine/read-files.ts'

const read = (content: string | Buffer, files = '') => readFiles(folderWith({ 'a.csv': content }), 'a.csv', { files })

describe('a header that looks like one column but names several is warned about', () => {
  it.each([
    ['a;b\n1;2\n', '";"'],
    ['a\tb\n1\t2\n', '"\\t"'],
    ['a|b\n1|2\n', '"|"'],
  ])('%j', async (content, delimiter) => {
    for (const files of ['', ', on_error: quarantine']) {
      const { run } = await read(content, files)
      expect(run.status).toBe('success')
      expect(run.log.filter(({ level }) => level === 'warn').map(({ message }) => message)).toEqual([
        expect.stringContaining(`If ${delimiter} separates the columns, set \`csv: {delimiter: ${delimiter}}\``),
      ])
    }
  })

  it.each(['a\n1;2\n', 'a;b,c\n1,2\n'])('and no other: %j', async (content) => {
    const { run } = await read(content)
    expect(run.log.filter(({ level }) => level === 'warn')).toEqual([])
  })
})

it('a compressed file without `.gz` in its name is refused as such', async () => {
  const { run, message } = await read(gzipSync('a,b\n1,2\n'))
  expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE' })
  expect(message).toContain('a.csv is compressed with gzip, but its name doesn’t end in `.gz`')
})

it('a NUL in the name of a column is refused as such', async () => {
  const { run, message } = await read('a\0b,c\n1,2\n')
  expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE' })
  expect(message).toContain('The name of a column contains a NUL character: "a\\u0000b"')
})

it('a file of 1,500 columns is read within the time of the test, which a plan that takes minutes would exceed', async () => {
  const names = Array.from({ length: 1_500 }, (_, at) => `c${at}`)
  const { run, rows } = await read(`${names.join(',')}\n${names.map((_, at) => at).join(',')}\n`)
  expect(run).toMatchObject({ status: 'success', item_count: 1 })
  expect(Object.values(rows[0] ?? {}).map(Number)).toEqual(names.map((_, at) => at))
}, 60_000)
