import { createServer, type Server, type Socket } from 'node:net'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { webConnector } from './http-connector.ts'
import { fileConnector, runTask, temporaryFolder } from './run-task.ts'

/** A server that says exactly the bytes of a test; `count` says how often it was asked. */
let server: Server
let url = ''
let asked = 0
let answerWith: (socket: Socket, count: number) => void
beforeEach(async () => {
  asked = 0
  server = createServer((socket) => {
    socket.on('error', () => undefined) // the client may be gone first
    socket.on('data', (bytes) => {
      if (bytes.includes('HTTP/1.1\r\n')) answerWith(socket, ++asked)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  url = `http://127.0.0.1:${address.port}`
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

async function read(http = '') {
  const out = temporaryFolder()
  const run = await runTask(
    `etl: 1
kind: pipeline
name: read
connectors: {api: {type: http}, out: {type: file, access: write}}
source: {connector: api, http: {path: /rows${http}}}
target: {connector: out, file: {path: rows.jsonl}}
`,
    { api: webConnector(url), out: fileConnector(out) },
  )
  const ids = (): number[] =>
    readFileSync(join(out, 'rows.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id)
  return { ...run, ids }
}

const head = (headers: string, status = '200 OK', version = 'HTTP/1.1'): string =>
  `${version} ${status}\r\ncontent-type: application/json\r\n${headers}\r\n`
const sized = (body: Buffer | string, more = ''): Buffer =>
  Buffer.concat([
    Buffer.from(head(`content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n${more}`)),
    Buffer.from(body),
  ])
const records = Array.from({ length: 50_000 }, (_, id) => ({ id, name: `name ${(id * 7919) % 10_007}` }))
const page = JSON.stringify(records)
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const half = page.slice(0, page.lastIndexOf(',{', page.length / 2))

/** A packed body whose first half is complete up to a place where everything was flushed. */
async function flushed(
  stream: ReturnType<typeof createGzip> | ReturnType<typeof createBrotliCompress>,
  kind: number,
): Promise<Buffer> {
  const parts: Buffer[] = []
  stream.on('data', (part: Buffer) => parts.push(part))
  stream.write(half)
  await new Promise<void>((resolve) => stream.flush(kind, resolve))
  return Buffer.concat(parts)
}

describe('an answer that was cut off', () => {
  const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
  it.each<[string, string]>([
    ['within its length', head(`content-length: ${page.length}\r\n`) + half],
    ['with nothing of its length', head(`content-length: ${page.length}\r\n`)],
    ['within a chunk', head('transfer-encoding: chunked\r\n') + chunk(page).slice(0, page.length / 2)],
    ['between two chunks', head('transfer-encoding: chunked\r\n') + chunk(half)],
    ['before its last chunk', head('transfer-encoding: chunked\r\n') + chunk(page)],
    ['in its headers', 'HTTP/1.1 200 OK\r\ncontent-le'],
  ])('%s is asked for again, and its rows come once', async (_, cut) => {
    answerWith = (socket, count) => void socket.end(count === 1 ? cut : sized(page))
    const run = await read()
    expect(run.error).toBeUndefined()
    expect(run.ids()).toEqual(records.map(({ id }) => id))
    expect(asked).toBe(2)
  })

  it('by a reset of the connection is asked for again', async () => {
    answerWith = (socket, count) => {
      if (count > 1) return void socket.end(sized(page))
      socket.write(head(`content-length: ${page.length}\r\n`) + half, () => socket.resetAndDestroy())
    }
    const run = await read()
    expect(run.error).toBeUndefined()
    expect(run.ids()).toHaveLength(records.length)
  })

  it('every time fails the run', async () => {
    answerWith = (socket) => void socket.end(head('transfer-encoding: chunked\r\n') + chunk(page))
    const run = await read()
    expect(run.error).toMatchObject({ code: 'CONNECTION_FAILED', retryable: true })
  })

  it('in the second of three pages: the pages come once each', async () => {
    const pages = [records.slice(0, 20_000), records.slice(20_000, 40_000), records.slice(40_000), []].map((rows) =>
      JSON.stringify(rows),
    )
    let cuts = 0
    const told: number[] = []
    answerWith = (socket, count) => {
      const at = count - 1 - cuts
      told.push(at)
      if (at === 1 && cuts === 0) {
        cuts++
        return void socket.end(head(`content-length: ${pages[1]?.length}\r\n`) + pages[1]?.slice(0, 100_000))
      }
      socket.end(sized(pages[at] ?? '[]'))
    }
    const run = await read(', paginate: {kind: page, param: p, max_pages: 9}')
    expect(run.error).toBeUndefined()
    expect(run.ids()).toEqual(records.map(({ id }) => id))
    expect(told).toEqual([0, 1, 1, 2, 3])
  })

  it.each<[string, string, () => Promise<Buffer> | Buffer]>([
    ['gzip in the middle', 'gzip', () => gzipSync(page).subarray(0, 50_000)],
    ['gzip without its trailer', 'gzip', () => gzipSync(page).subarray(0, -8)],
    ['gzip with half of its trailer', 'gzip', () => gzipSync(page).subarray(0, -4)],
    ['gzip where it was flushed', 'gzip', () => flushed(createGzip(), constants.Z_SYNC_FLUSH)],
    ['deflate in the middle', 'deflate', () => deflateSync(page).subarray(0, 50_000)],
    ['deflate without its checksum', 'deflate', () => deflateSync(page).subarray(0, -4)],
    ['Brotli in the middle', 'br', () => brotliCompressSync(page, fast).subarray(0, 10_000)],
    ['Brotli before its last byte', 'br', () => brotliCompressSync(page, fast).subarray(0, -1)],
    ['Brotli where it was flushed', 'br', () => flushed(createBrotliCompress(fast), constants.BROTLI_OPERATION_FLUSH)],
    ['zstd in the middle', 'zstd', () => zstdCompressSync(page).subarray(0, 10_000)],
    ['zstd before its last byte', 'zstd', () => zstdCompressSync(page).subarray(0, -1)],
  ])('in %s, with the length that came, fails the run', async (_, encoding, body) => {
    const bytes = await body()
    answerWith = (socket) => void socket.end(sized(bytes, `content-encoding: ${encoding}\r\n`))
    const run = await read()
    expect(run.error).toMatchObject({ code: 'RESPONSE_INVALID' })
    expect(run.error?.message).toContain(`cannot be unpacked (${encoding})`)
  })

  it('by the end of the connection, where nothing says how long it is, fails the run', async () => {
    answerWith = (socket) => void socket.end(head('', '200 OK', 'HTTP/1.0') + half)
    expect((await read()).error?.code).toBe('RESPONSE_INVALID')
    answerWith = (socket) => void socket.end(head('', '200 OK', 'HTTP/1.0') + page)
    expect((await read()).ids()).toHaveLength(records.length)
  })
})

describe('packed answers of several parts', () => {
  const parts = [page.slice(0, 100_000), page.slice(100_000)]
  it('are read to their end', async () => {
    const body = Buffer.concat(parts.map((part) => gzipSync(part)))
    answerWith = (socket) => void socket.end(sized(body, 'content-encoding: gzip\r\n'))
    expect((await read()).ids()).toHaveLength(records.length)
  })

  it('of which only the first can be read are refused', async () => {
    const body = Buffer.concat(parts.map((part) => zstdCompressSync(part)))
    answerWith = (socket) => void socket.end(sized(body, 'content-encoding: zstd\r\n'))
    expect((await read()).error?.message).toContain('cannot be unpacked')
  })

  it('of which the first alone would be JSON are not taken for it', async () => {
    const body = Buffer.concat([zstdCompressSync('[{"id":1}]'), zstdCompressSync(' ')])
    answerWith = (socket) => void socket.end(sized(body, 'content-encoding: zstd\r\n'))
    expect((await read()).error?.message).toContain('cannot be unpacked')
  })
})

describe('an answer without content', () => {
  it.each([
    ['a length of 0', 'content-length: 0\r\nconnection: close\r\n'],
    ['nothing but its headers', ''],
    ['no chunk', 'transfer-encoding: chunked\r\nconnection: close\r\n', '0\r\n\r\n'],
    ['gzip of nothing', 'content-encoding: gzip\r\ncontent-length: 0\r\nconnection: close\r\n'],
    ['Brotli of nothing', 'content-encoding: br\r\ncontent-length: 0\r\nconnection: close\r\n'],
    ['blanks', 'content-length: 2\r\nconnection: close\r\n', ' \n'],
  ])('and 200 with %s is no end of the pages', async (_, headers, body = '') => {
    answerWith = (socket, count) => void socket.end(count === 1 ? sized(page) : head(headers) + body)
    const run = await read(', paginate: {kind: page, param: p, max_pages: 9}')
    expect(run.error).toMatchObject({ code: 'RESPONSE_INVALID', step: 'source' })
  })

  it.each(['204 No Content', '205 Reset Content'])('and %s ends the pages', async (status) => {
    answerWith = (socket, count) =>
      void socket.end(count === 1 ? sized(page) : head('content-length: 0\r\nconnection: close\r\n', status))
    const run = await read(', paginate: {kind: page, param: p, max_pages: 9}')
    expect(run.error).toBeUndefined()
    expect(run.ids()).toHaveLength(records.length)
  })
})
