import { appendFileSync, existsSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openLocalStore } from '../../../src/executor/connectors/file/local.ts'
import { fileConnector, runTask, temporaryFolder, type RunOptions } from './run-task.ts'

const rows = 200_000
const records = Array.from({ length: rows }, (_, i) => `{"id":${i},"name":"name ${(i * 7919) % 100_003}"}`)
const texts = {
  csv: `id,name\n${Array.from({ length: rows }, (_, i) => `${i},name ${(i * 7919) % 100_003}\n`).join('')}`,
  jsonl: `${records.join('\n')}\n`,
  json: `[${records.join(',\n')}]`,
}

async function read(name: string, content: string | Buffer, more = '', options: RunOptions = {}) {
  const [folder, out] = [temporaryFolder(), temporaryFolder()]
  writeFileSync(join(folder, name), content)
  const yaml = `etl: 1
kind: pipeline
name: files
connectors: {in: {type: file, access: read}, out: {type: file, access: write}}
source: {connector: in, files: {glob: ${name}${more}}}
target: {connector: out, file: {path: out.csv}}
`
  const run = await runTask(yaml, { in: fileConnector(folder), out: fileConnector(out) }, options)
  return { run, folder, written: existsSync(join(out, 'out.csv')) }
}

/** Why a run refused its file, before anything was written. */
async function refusal(name: string, content: string | Buffer, more = ''): Promise<string> {
  const { run, written } = await read(name, content, more)
  if (run.error?.code !== 'FILE_UNREADABLE' || run.error.step !== 'source' || written)
    throw new Error(`It was not refused: ${JSON.stringify(run.error ?? run.item_count)}`)
  return run.error.message.slice(run.error.message.indexOf(name))
}

/** With the byte at `at`, counted from the end, changed. */
function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[bytes.length - at] = (copy[bytes.length - at] ?? 0) ^ 0xff
  return copy
}

const cutOff = /is incomplete: its compressed data is cut off$/

describe.each(Object.entries(texts))('a compressed .%s file', (format, text) => {
  // A row's end in the middle: what comes before is a sound file of half the rows.
  const half = text.indexOf('\n', text.length / 2) + 1
  const gzip = gzipSync(text)
  const [first, second] = [gzipSync(text.slice(0, half)), gzipSync(text.slice(half))]
  const zstd = zstdCompressSync(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  const [frame, nextFrame] = [zstdCompressSync(text.slice(0, half)), zstdCompressSync(text.slice(half))]

  it.each([
    ['in one part', 'gz', gzip],
    ['in two parts', 'gz', Buffer.concat([first, second])],
    ['in one frame', 'zst', zstd],
    ['in two frames', 'zst', Buffer.concat([frame, nextFrame])],
  ])('is read whole %s (.%s)', async (_, ending, content) => {
    const { run } = await read(`a.${format}.${ending}`, content)
    expect(run).toMatchObject({ status: 'success', item_count: rows })
  })

  it.each([
    ['in the middle of a row', gzip.subarray(0, gzip.length / 2), cutOff],
    ['at the end of a row', first.subarray(0, -8), cutOff],
    ['before its trailer', gzip.subarray(0, -8), cutOff],
    ['in its trailer', gzip.subarray(0, -3), cutOff],
    ['in the header of its second part', Buffer.concat([first, second.subarray(0, 5)]), cutOff],
    ['in its second part', Buffer.concat([first, second.subarray(0, second.length / 2)]), cutOff],
    ['to nothing', Buffer.alloc(0), /cut off|is empty/],
  ])('is refused when gzip is cut off %s', async (_, content, message) => {
    expect(await refusal(`a.${format}.gz`, content)).toMatch(message)
  })

  it.each([
    ['another checksum', flipped(gzip, 6), /is damaged: the checksum does not match the content$/],
    ['another length', flipped(gzip, 1), /is damaged: the length does not match the content$/],
    ['something else behind it', Buffer.concat([gzip, Buffer.from('and more')]), /data that is not gzip follows/],
  ])('is refused when gzip has %s', async (_, content, message) => {
    expect(await refusal(`a.${format}.gz`, content)).toMatch(message)
  })

  it.each([
    ['in the middle', zstd.subarray(0, zstd.length / 2), cutOff],
    ['before its last byte', zstd.subarray(0, -1), cutOff],
    ['in its second frame', Buffer.concat([frame, nextFrame.subarray(0, -100)]), cutOff],
    ['in the header of its second frame', Buffer.concat([frame, nextFrame.subarray(0, 3)]), cutOff],
    ['to nothing', Buffer.alloc(0), /cut off|is empty/],
  ])('is refused when zstd is cut off %s', async (_, content, message) => {
    expect(await refusal(`a.${format}.zst`, content)).toMatch(message)
  })

  it('is refused when zstd has something else behind it', async () => {
    expect(await refusal(`a.${format}.zst`, Buffer.concat([zstd, Buffer.from('and more')]))).toMatch(
      /data that is not zstd follows/,
    )
  })
})

describe('a compressed file', () => {
  it('is refused at whatever byte it is cut', async () => {
    const text = `id\n${Array.from({ length: 5 }, (_, i) => `${i}\n`).join('')}`
    for (const [ending, pack] of [
      ['gz', gzipSync],
      ['zst', zstdCompressSync],
    ] as const) {
      const part = pack(text)
      const content = Buffer.concat([part, pack('20\n21\n')])
      for (let end = 0; end < content.length; end++) {
        const { run } = await read(`a.csv.${ending}`, content.subarray(0, end))
        // Behind the first part it is a sound file, of which nobody can say that another one followed.
        expect(`${end} ${run.status}`).toBe(`${end} ${end === part.length ? 'success' : 'failed'}`)
      }
    }
  })

  it('is refused in quarantine, too: what is missing is not a row that could be set aside', async () => {
    expect(await refusal('a.csv.gz', gzipSync(texts.csv).subarray(0, -2000), ', on_error: quarantine')).toMatch(cutOff)
  })
})

describe('JSON', () => {
  it.each([
    ['behind a comma', `[${records.slice(0, rows / 2).join(',\n')},`],
    ['behind a comma and blanks', `[${records.slice(0, rows / 2).join(',\n')},${' \n'.repeat(50_000)}`],
    ['behind a record', `[${records.slice(0, rows / 2).join(',\n')}`],
    ['before its bracket', texts.json.slice(0, -1)],
  ])('whose list is cut off %s is refused', async (_, content) => {
    expect(await refusal('a.json', content)).toMatch(/does not end with the `\]` of its list/)
  })

  it('that is compressed is looked at, too', async () => {
    const cut = texts.json.slice(0, texts.json.indexOf('\n', texts.json.length / 2) + 1)
    expect(await refusal('a.json.gz', gzipSync(cut))).toMatch(/does not end with the `\]` of its list/)
    const frames = [zstdCompressSync(cut.slice(0, 5000)), zstdCompressSync(cut.slice(5000))]
    expect(await refusal('a.json.zst', Buffer.concat(frames))).toMatch(/does not end with the `\]` of its list/)
  })

  it('with a byte order mark is the list that follows', async () => {
    const { run } = await read('a.json', `\uFEFF${texts.json}`)
    expect(run).toMatchObject({ status: 'success', item_count: rows })
  })

  it('of two lists is not taken for two records', async () => {
    expect(await refusal('a.json', texts.json + texts.json)).toMatch(/broken JSON/)
  })

  it.each([
    ['an empty file', ''],
    ['blanks', ' \n'],
    ['a byte order mark', '\uFEFF'],
  ])('of %s is refused', async (_, content) => {
    expect(await refusal('a.json', content)).toMatch(/is empty: it contains no JSON/)
  })
})

describe('CSV', () => {
  it.each([
    ['an empty file', 'a.csv', ''],
    ['a byte order mark', 'a.csv', '\uFEFF'],
    ['an empty file, compressed', 'a.csv.gz', gzipSync('')],
  ])('of %s lacks its header line', async (_, name, content) => {
    expect(await refusal(name, content)).toMatch(/is empty: it contains no header line/)
  })

  it('without a header line may be empty', async () => {
    const { run } = await read('a.csv', '', ', csv: {header: false}, columns: {a: integer}')
    expect(run.error).toBeUndefined()
  })

  it('in UTF-16 that ends in half a character is refused', async () => {
    const wide = Buffer.from(`\uFEFF${texts.csv}`, 'utf16le')
    const more = ', csv: {encoding: utf-16}'
    expect(await refusal('a.csv', wide.subarray(0, -1), more)).toMatch(/ends in the middle of a character/)
    expect(await refusal('a.csv.gz', gzipSync(wide.subarray(0, -1)), more)).toMatch(/ends in the middle of a character/)
    expect((await read('a.csv', wide, more)).run).toMatchObject({ status: 'success', item_count: rows })
  })
})

describe('a file of this machine', () => {
  it.each<[string, (path: string) => void]>([
    ['grows', (path) => appendFileSync(path, '1,a\n')],
    ['is written again with as many bytes', (path) => writeFileSync(path, texts.csv.replaceAll('name 1', 'name 2'))],
    ['is removed', (path) => rmSync(path)],
    [
      'is replaced by one of the same size and time',
      (path) => {
        const { atime, mtime } = statSync(path)
        writeFileSync(`${path}.new`, texts.csv.replaceAll('name 1', 'name 2'))
        utimesSync(`${path}.new`, atime, mtime)
        renameSync(`${path}.new`, path)
      },
    ],
  ])('that %s while it is read fails the run', async (_, change) => {
    const { path, verify } = await openedFile()
    await verify()
    change(path)
    await expect(verify()).rejects.toMatchObject({ code: 'FILE_CHANGED' })
  })

  async function openedFile() {
    const folder = temporaryFolder()
    const path = join(folder, 'a.csv')
    writeFileSync(path, texts.csv)
    // A whole second, as other systems keep it.
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    const { signal } = new AbortController()
    const store = await openLocalStore(fileConnector(folder), { signal, tempDir: folder, log: () => undefined })
    const file = await store.find('a.csv')
    const [opened] = file ? await store.open([file], null) : []
    if (!opened) throw new Error('nothing was opened')
    return { path, verify: opened.verify }
  }

  it('that is written again with its old time is not taken for the same', async () => {
    const { path, verify } = await openedFile()
    writeFileSync(path, texts.csv)
    utimesSync(path, 1_700_000_000, 1_700_000_000)
    await expect(verify()).rejects.toMatchObject({ code: 'FILE_CHANGED' })
  })

  it('that has changed since it was listed is not taken for what was listed', async () => {
    let path = ''
    const change = (message: string): void => {
      if (message.startsWith('Reading ')) appendFileSync(path, '1,a\n')
    }
    const folder = temporaryFolder()
    path = join(folder, 'a.csv')
    writeFileSync(path, texts.csv)
    const out = temporaryFolder()
    const yaml = `etl: 1
kind: pipeline
name: files
connectors: {in: {type: file, access: read}, out: {type: file, access: write}}
source: {connector: in, files: {glob: a.csv}}
target: {connector: out, file: {path: out.csv}}
`
    const run = await runTask(yaml, { in: fileConnector(folder), out: fileConnector(out) }, { heard: change })
    expect(run.error).toMatchObject({ code: 'FILE_CHANGED', step: 'source', retryable: true })
    expect(run.error?.message).toMatch(
      /a\.csv changed while it was being read\. It had [\d,]+ bytes and has [\d,]+ now/,
    )
    expect(existsSync(join(out, 'out.csv'))).toBe(false)
  })

  it('that an input reads is held to the same', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a.csv'), texts.csv)
    writeFileSync(join(folder, 'b.csv.gz'), gzipSync(texts.csv).subarray(0, -8))
    const out = temporaryFolder()
    const yaml = `etl: 1
kind: pipeline
name: files
connectors: {in: {type: file, access: read}, out: {type: file, access: write}}
source: {connector: in, files: {glob: a.csv}}
inputs: {b: {connector: in, files: {glob: b.csv.gz}}}
steps: [{sql: "SELECT stream.* FROM stream JOIN b ON stream.id = b.id"}]
target: {connector: out, file: {path: out.csv}}
`
    const run = await runTask(yaml, { in: fileConnector(folder), out: fileConnector(out) })
    expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE', step: 'sql' })
    expect(run.error?.message).toMatch(/^Input `b`: .*b\.csv\.gz is incomplete/)
  })
})
