import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fileExtensions, kindOfFile } from '../../src/main/incoming/file-kinds.ts'
import { openedFiles } from '../../src/main/incoming/opened-files.ts'
import { words } from '../../src/main/words.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'headgate-opened-'))))
afterEach(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

test('a page reads a part of the file that it was given', async () => {
  const files = openedFiles(() => words('en'))
  const path = file('größe & co.csv', 'id,name\n1,a\n')
  const opened = await files.open(1, path)
  expect(opened).toMatchObject({ name: 'größe & co.csv', path, kind: 'data', size: 12 })
  const text = async (start: number, end: number) =>
    new TextDecoder().decode(await files.read(1, { token: opened.token, start, end }))
  expect(await text(0, 7)).toBe('id,name')
  expect(await text(8, 1_000)).toBe('1,a\n')
  expect(await text(12, 20)).toBe('')
  expect(await text(500, 600)).toBe('')
})

test('a token is good for its own page, and ends with it unless no page has got it yet', async () => {
  const files = openedFiles(() => words('en'))
  const [heard, waiting] = [await files.open(1, file('a.csv', 'a')), await files.open(1, file('b.csv', 'b'))]
  expect(heard.token).not.toBe(waiting.token)
  const read = (owner: number, token: string) => files.read(owner, { token, start: 0, end: 1 })
  await expect(read(2, heard.token)).rejects.toThrow('Open it again')
  files.forget(1, [waiting.token])
  await expect(read(1, heard.token)).rejects.toThrow('Open it again')
  expect(await read(1, waiting.token)).toHaveLength(1)
  files.forget(1)
  await expect(read(1, waiting.token)).rejects.toThrow('Open it again')
})

test('a file that went or has shrunk says so; one that has grown is read on', async () => {
  const files = openedFiles(() => words('en'))
  const path = file('a.csv', '12345678')
  const { token } = await files.open(1, path)
  const read = () => files.read(1, { token, start: 0, end: 100 })
  writeFileSync(path, '1234567890')
  expect(await read()).toHaveLength(10)
  truncateSync(path, 3)
  await expect(read()).rejects.toThrow('shrank from 8 to 3 bytes')
  rmSync(path)
  await expect(read()).rejects.toThrow(`${path} doesn’t exist`)
})

test('only regular files are opened, named by absolute paths', async () => {
  const files = openedFiles(() => words('en'))
  mkdirSync(join(folder, 'sub.csv'))
  symlinkSync(join(folder, 'loop.csv'), join(folder, 'loop.csv'))
  for (const [path, reason] of [
    [join(folder, 'sub.csv'), 'is a folder'],
    ['/dev/null', 'not a regular file'],
    [join(folder, 'loop.csv'), 'Can’t read'],
    [join(folder, 'none.csv'), 'doesn’t exist'],
    [join(file('x.csv', ''), 'below.csv'), 'doesn’t exist'],
    ['a.csv', 'not an absolute path'],
    ['/a\0.csv', 'not an absolute path'],
  ] as const) {
    await expect(files.open(1, path)).rejects.toThrow(reason)
  }
})

test('of a file that Headgate does not know the page learns the name, and reads nothing', async () => {
  const files = openedFiles(() => words('en'))
  const opened = await files.open(1, file('id_rsa', 'secret'))
  expect(opened).toMatchObject({ kind: 'unknown', token: '', size: 6 })
  await expect(files.read(1, { token: '', start: 0, end: 6 })).rejects.toThrow('Open it again')
})

test.each([
  ['backup.headgate.ndjson', 'bundle'],
  ['BACKUP.Headgate.NDJSON', 'bundle'],
  ['orders.ndjson', 'data'],
  ['orders.csv', 'data'],
  ['orders.csv.gz', 'data'],
  ['orders.jsonl.zst', 'data'],
  ['orders.parquet', 'data'],
  ['orders.xlsx', 'data'],
  ['shop.sqlite3', 'data'],
  ['shop.db', 'data'],
  ['ware.house.duckdb', 'data'],
  ['task.yaml', 'document'],
  ['task.YML', 'document'],
  ['orders.parquet.gz', 'unknown'],
  ['backup.headgate.ndjson.gz', 'data'],
  ['archive.gz', 'unknown'],
  ['notes.txt', 'unknown'],
  ['csv', 'unknown'],
  ['a.csv ', 'unknown'],
])('%s is taken for %s', (name, kind) => {
  expect(kindOfFile(name)).toBe(kind)
})

test('the dialog offers what is known', () => {
  for (const kind of ['bundle', 'document', 'data'] as const)
    for (const extension of fileExtensions[kind]) expect(extension).toMatch(/^[a-z0-9]+$/)
})
