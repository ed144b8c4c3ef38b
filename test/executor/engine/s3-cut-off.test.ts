import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileConnector, runTask, temporaryFolder } from './run-task.ts'

const rows = 100_000
const lines = (name: string): string =>
  `id,name\n${Array.from({ length: rows }, (_, id) => `${id},${name} ${id}\n`).join('')}`
const [text, other] = [lines('old'), lines('new')]
const half = Math.floor(text.length / 2)
const time = 'Mon, 01 Jan 2024 00:00:00 GMT'
/** Not the MD5 of anything: objects that were put in parts are called so. */
const etag = '"00000000000000000000000000000000-2"'

/** A store that does not do all that S3 does. */
describe('an object', () => {
  let server: Server
  let endpoint = ''
  let serve: (request: IncomingMessage, response: ServerResponse, get: number) => void
  let gets = 0
  beforeEach(async () => {
    gets = 0
    server = createServer((request, response) => {
      request.resume()
      serve(request, response, request.method === 'GET' && !request.url?.includes('list-type') ? ++gets : 0)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The server has no port')
    endpoint = `http://127.0.0.1:${address.port}`
  })
  afterEach(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  })

  async function read(glob = 'a.csv') {
    const out = temporaryFolder()
    const run = await runTask(
      `etl: 1
kind: pipeline
name: read
connectors: {in: {type: s3, access: read}, out: {type: file, access: write}}
source: {connector: in, files: {glob: "${glob}"}}
target: {connector: out, file: {path: out.csv}}
`,
      {
        in: {
          id: 1,
          name: 'lake',
          type: 's3',
          config: { bucket: 'lake', endpoint, path_style: true, access_key_id: 'key' },
          secrets: { secret_access_key: 'secret' },
        },
        out: fileConnector(out),
      },
    )
    return { run, written: existsSync(join(out, 'out.csv')) }
  }

  const head = (response: ServerResponse, more: Record<string, string | number> = {}, status = 200): ServerResponse =>
    response.writeHead(status, { etag, 'last-modified': time, 'content-type': 'text/csv', ...more })
  const sized = (body: string): Record<string, number> => ({ 'content-length': Buffer.byteLength(body) })

  it('is read whole', async () => {
    serve = (_, response) => void head(response, sized(text)).end(text)
    expect((await read()).run).toMatchObject({ status: 'success', item_count: rows })
  })

  it.each<[string, typeof serve]>([
    [
      'is shorter than it was said to be',
      (_, response) => void head(response, sized(text.slice(0, 9001))).end(text.slice(0, 9001)),
    ],
    ['is longer than it was said to be', (_, response) => void head(response, sized(text + text)).end(text + text)],
    [
      'is another one by now',
      (_, response) => void head(response, { ...sized(other), etag: '"another-2"' }).end(other),
    ],
  ])('that %s, every time, fails the run', async (_, get) => {
    serve = (request, response, count) =>
      count === 0 ? void head(response, sized(text)).end() : get(request, response, count)
    const { run, written } = await read()
    expect(run.error?.message).toMatch(/keeps changing/)
    expect(written).toBe(false)
  })

  it('that has no ETag and another time by now fails the run', async () => {
    serve = (request, response, count) => {
      const changed = count === 0 ? time : new Date(Date.parse(time) + count * 1000).toUTCString()
      response.writeHead(200, { 'last-modified': changed, ...sized(text) }).end(request.method === 'HEAD' ? '' : text)
    }
    expect((await read()).run.error?.message).toMatch(/keeps changing/)
  })

  it('whose beginning comes again, where its rest was asked for, is not put together of both', async () => {
    serve = (_, response, count) => {
      if (count === 1) head(response, sized(text)).write(text.slice(0, text.length / 2), () => response.destroy())
      // The range is not heeded.
      else head(response, sized(text)).end(text)
    }
    const { run } = await read()
    expect(run).toMatchObject({ status: 'success', item_count: rows })
  })

  it.each<[string, number | undefined]>([
    ['by its length', undefined],
    ['in chunks', 1],
  ])('that ends early every time, told %s, fails the run', async (_, chunked) => {
    serve = (request, response, count) => {
      if (count === 0) return void head(response, sized(text)).end()
      const range = /bytes=(\d+)-/.exec(request.headers.range ?? '')
      const from = Number(range?.[1] ?? 0)
      head(
        response,
        {
          ...(chunked ? {} : { 'content-length': text.length - from }),
          ...(range ? { 'content-range': `bytes ${from}-${text.length - 1}/${text.length}` } : {}),
        },
        range ? 206 : 200,
      )
      // Nothing more comes once half of it is there.
      response.flushHeaders()
      if (from >= half) return void response.destroy()
      response.write(text.slice(from, half), () => response.destroy())
    }
    const { run, written } = await read()
    expect(run.error).toMatchObject({ retryable: true })
    expect(written).toBe(false)
  })

  it('of which the store doesn’t report the size of it fails the run', async () => {
    serve = (request, response) => void head(response).end(request.method === 'HEAD' ? undefined : text)
    const { run } = await read()
    expect(run.error?.message).toMatch(/doesn’t report the size/)
  })

  it('is not missed because a list ends early', async () => {
    const list = (more: string): string =>
      `<?xml version="1.0"?><ListBucketResult><Name>lake</Name>${more}<Contents><Key>a.csv</Key><Size>${text.length}</Size><ETag>${etag}</ETag><LastModified>2024-01-01T00:00:00.123Z</LastModified></Contents></ListBucketResult>`
    let said = list('<IsTruncated>false</IsTruncated>')
    serve = (request, response) => {
      if (request.url?.includes('list-type') === true)
        response.writeHead(200, { 'content-type': 'application/xml', ...sized(said) }).end(said)
      else head(response, sized(text)).end(text)
    }
    expect((await read('*.csv')).run).toMatchObject({ status: 'success', item_count: rows })
    said = list('<IsTruncated>true</IsTruncated>')
    expect((await read('*.csv')).run.error?.message).toContain('there are more objects')
    said = list('').slice(0, -20)
    expect((await read('*.csv')).run.error).toBeDefined()
  })
})
