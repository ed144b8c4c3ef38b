import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { selfSignedCertificate } from '../../support/certificate.ts'
import {
  announcesTooMuch,
  answer,
  cutsOff,
  fails,
  gzipBomb,
  json,
  neverAnswers,
  neverEnds,
  pours,
  redirect,
  startMisbehavingHttp,
  type MisbehavingHttp,
} from '../../support/misbehaving-http.ts'
import { webConnector } from './http-connector.ts'
import { fileConnector, flow, runTask, sqliteConnector, temporaryFolder, type RunOptions } from './run-task.ts'

let server: MisbehavingHttp
let other: MisbehavingHttp
beforeEach(async () => {
  server = await startMisbehavingHttp()
  other = await startMisbehavingHttp()
})
afterEach(() => Promise.all([server.stop(), other.stop()]))

interface ReadOptions extends RunOptions {
  http?: string
  connector?: BoundConnector
}

/** Reads a path into JSON lines. */
async function read(path: string, { http = '', connector, ...options }: ReadOptions = {}) {
  const out = temporaryFolder()
  const run = await runTask(
    `etl: 1
kind: pipeline
name: read
connectors: {api: {type: http}, out: {type: file, access: write}}
source: {connector: api, http: {path: ${path}${http === '' ? '' : `, ${http}`}}}
target: {connector: out, file: {path: rows.jsonl}}
`,
    { api: connector ?? webConnector(server.url), out: fileConnector(out) },
    options,
  )
  const lines = (): string[] => readFileSync(join(out, 'rows.jsonl'), 'utf8').trimEnd().split('\n')
  return { ...run, lines }
}

const ids = (from: number, count: number): { id: number }[] =>
  Array.from({ length: count }, (_, index) => ({ id: from + index }))

describe('records of an API', () => {
  it('become columns with every digit, nested values as JSON, missing ones as NULL', async () => {
    server.on(
      '/rows',
      answer(
        '{"data": {"items": [{"id": 9007199254740993, "price": 12345678901234567.89, "rate": 1.5, "ok": true, "name": "hé😀", "tags": ["a"]}, {"id": 2, "price": 0.10, "rate": 2.0, "late": null, "name": ""}]}}',
      ),
    )
    const run = await read('/rows', { http: 'records: data.items' })
    expect(run.error).toBeUndefined()
    expect(run.steps[0]?.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'id BIGINT',
      'price DECIMAL(38,2)',
      'rate DOUBLE',
      'ok BOOLEAN',
      'name VARCHAR',
      'tags JSON',
      'late VARCHAR',
    ])
    expect(run.lines()).toEqual([
      '{"id":9007199254740993,"price":"12345678901234567.89","rate":1.5,"ok":true,"name":"hé😀","tags":["a"],"late":null}',
      '{"id":2,"price":0.10,"rate":2.0,"ok":null,"name":"","tags":null,"late":null}',
    ])
  })

  it('a declared type is a cast, and makes an answer without records an empty table', async () => {
    server.on('/rows', json([]))
    const run = await read('/rows', { http: 'columns: {id: integer, at: datetime}' })
    expect(run.error).toBeUndefined()
    expect(run.steps[0]?.columns.map(({ type }) => type)).toEqual(['BIGINT', 'TIMESTAMP'])
    expect(run.steps[0]?.rows_out).toBe(0)
    const without = await read('/rows')
    expect(without.error).toMatchObject({ code: 'VALUE_INVALID', hint: expect.stringContaining('`columns`') as string })
  })

  it('parameters, headers and bodies arrive as written, and secrets by the connector', async () => {
    server.on('/v1/rows', json([{ id: 1 }]))
    const run = await read('/rows?fixed=1', {
      http: 'method: POST, query: {tag: [a, "b c"], none: null, at: "${{ run.logical_date }}"}, headers: {X-Lang: nø}, body: {n: 1}',
      connector: webConnector(
        `${server.url}/v1`,
        { auth: 'api_key', api_key_in: 'query', api_key_name: 'key', headers: { 'X-Team': 'blue' } },
        { api_key: 'sécret key' },
      ),
    })
    expect(run.error).toBeUndefined()
    const [seen] = server.seen
    expect([...(seen?.query ?? [])]).toEqual([
      ['fixed', '1'],
      ['tag', 'a'],
      ['tag', 'b c'],
      ['at', '2026-03-01T00:00:00.000Z'],
      ['key', 'sécret key'],
    ])
    expect(seen?.headers['x-team']).toBe('blue')
    expect(seen?.headers['x-lang']).toBe('nø')
    expect(seen?.body).toBe('{"n":1}')
    expect(JSON.stringify(run.log)).not.toMatch(/s%C3%A9cret|sécret/)
  })

  it('odd values and names do no harm', async () => {
    server.on(
      '/odd',
      answer(
        '[{"__proto__":{"x":1},"constructor":"c","toString":null,"nul":"a\\u0000b","half":"\\ud83d","nested":{"half":"\\ud83d","one":1.0},"huge":1e400,"a\\"b":-0}]',
      ),
    )
    const run = await read('/odd')
    expect(run.error).toBeUndefined()
    expect(run.lines()).toEqual([
      '{"__proto__":{"x":1},"constructor":"c","toString":null,"nul":"a\\u0000b","half":"\ufffd","nested":{"half":"\ufffd","one":1.0},"huge":"1e400","a\\"b":0}',
    ])
    const change = 'half a character (a lone surrogate), read as U+FFFD'
    expect(run.steps[0]?.changes).toMatchObject([
      { column: 'half', change, count: 1 },
      { column: 'nested', change, count: 1 },
      { column: 'huge', code: 'change_numbers_as_text', count: 1 },
    ])
    expect(run.log.map(({ message }) => message)).toContain(`Column \`nested\`, 1 value: ${change}`)
    server.on('/nameless', answer('[{"":1}]'))
    expect((await read('/nameless')).error).toMatchObject({ code: 'RESPONSE_INVALID' })
    server.on('/one', answer('{"id":1}'))
    expect((await read('/one')).lines()).toEqual(['{"id":1}'])
    server.on('/plain', answer('[1,2]'))
    expect((await read('/plain')).lines()).toEqual(['{"value":1}', '{"value":2}'])
  })

  it('packed answers are unpacked', async () => {
    server.on('/gzip', answer(gzipSync('[{"id":1}]'), { headers: { 'content-encoding': 'gzip' } }))
    server.on('/br', answer(brotliCompressSync('[{"id":2}]'), { headers: { 'content-encoding': 'br' } }))
    server.on('/odd', answer('x', { headers: { 'content-encoding': 'lzma' } }))
    server.on('/broken', answer(gzipSync('[{"id":1}]').subarray(0, 20), { headers: { 'content-encoding': 'gzip' } }))
    expect((await read('/gzip')).lines()).toEqual(['{"id":1}'])
    expect((await read('/br')).lines()).toEqual(['{"id":2}'])
    expect((await read('/odd')).error).toMatchObject({ code: 'RESPONSE_INVALID' })
    server.on('/nothing', answer('', { status: 204, headers: { 'content-encoding': 'gzip' } }))
    expect((await read('/nothing', { http: 'columns: {id: integer}' })).error).toBeUndefined()
    expect((await read('/broken')).error?.message).toContain('cannot be unpacked')
  })
})

describe('pages', () => {
  it('by number end at an empty page', async () => {
    server.on('/rows', (response, { query }) =>
      json(query.get('page') === '3' ? [] : ids(Number(query.get('page')) * 10, Number(query.get('n'))))(
        response,
        server.seen[0]!,
        1,
      ),
    )
    const run = await read('/rows', {
      http: 'paginate: {kind: page, param: page, start: 0, size_param: n, size: 2, max_pages: 3}',
    })
    expect(run.error).toBeUndefined()
    expect(run.lines()).toHaveLength(6)
    expect(server.seen.map(({ query }) => query.get('page'))).toEqual(['0', '1', '2', '3'])
    const few = await read('/rows', {
      http: 'paginate: {kind: page, param: page, start: 0, size_param: n, size: 2, max_pages: 2}',
    })
    expect(few.error).toMatchObject({ code: 'PAGES_INVALID', message: expect.stringContaining('max_pages') as string })
  })

  it('by offset, whatever a page holds', async () => {
    const all = ids(0, 7)
    server.on('/rows', (response, { query }, count) => {
      const from = Number(query.get('skip'))
      json(all.slice(from, from + count))(response, server.seen[0]!, 1)
    })
    const run = await read('/rows', { http: 'paginate: {kind: offset, param: skip, max_pages: 10}' })
    expect(run.lines()).toEqual(all.map((row) => JSON.stringify(row)))
  })

  it('by cursor, until there is none or nothing more', async () => {
    server.on('/rows', (response, { query }, count) => {
      const after = query.get('after')
      const page = after === null ? 0 : Number(after)
      // The second page is empty, and yet there is more.
      json({ data: page === 1 ? [] : ids(page * 2, 2), paging: { next: page + 1, more: page < 3 } })(
        response,
        server.seen[0]!,
        count,
      )
    })
    const http =
      'records: data, paginate: {kind: cursor, from: paging.next, param: after, has_more: paging.more, max_pages: 4}'
    const run = await read('/rows', { http })
    expect(run.error).toBeUndefined()
    expect(run.lines()).toHaveLength(6)
    expect((await read('/rows', { http: http.replace('max_pages: 4', 'max_pages: 3') })).error?.code).toBe(
      'PAGES_INVALID',
    )
    // Without `has_more` the empty page ends.
    const plain = await read('/rows', {
      http: 'records: data, paginate: {kind: cursor, from: paging.next, param: after, max_pages: 9}',
    })
    expect(plain.lines()).toHaveLength(2)
  })

  it('by links in headers and bodies, relative ones too, but never to another server', async () => {
    server.on('/links', (response, { query }, count) => {
      const page = Number(query.get('page') ?? 1)
      const link = `<${server.url}/links?page=1>; rel="first", </links?page=${page + 1}>; rel="next"`
      json(ids(page, 1), page < 3 ? { headers: { link } } : {})(response, server.seen[0]!, count)
    })
    expect((await read('/links', { http: 'paginate: {kind: link, max_pages: 3}' })).lines()).toHaveLength(3)
    server.on('/urls', (response, { query }, count) => {
      const next = query.get('$skip') === null ? { '@odata.nextLink': 'urls?$skip=1' } : {}
      json({ value: ids(count, 1), ...next })(response, server.seen[0]!, count)
    })
    const http = "records: value, paginate: {kind: next_url, from: '@odata.nextLink', max_pages: 3}"
    expect((await read('/urls', { http })).lines()).toHaveLength(2)
    server.on('/urls', json({ value: ids(1, 1), '@odata.nextLink': `${other.url}/urls` }))
    const away = await read('/urls', { http })
    expect(away.error).toMatchObject({
      code: 'PAGES_INVALID',
      message: expect.stringContaining('another server') as string,
    })
    expect(other.seen).toEqual([])
  })

  it('that come again are an error, however they are told', async () => {
    server.on('/deaf', json(ids(1, 2)))
    expect((await read('/deaf', { http: 'paginate: {kind: page, param: p, max_pages: 9}' })).error).toMatchObject({
      code: 'PAGES_INVALID',
      message: expect.stringContaining('gave the records of an earlier page again') as string,
    })
    server.on('/stuck', (response, request, count) =>
      json({ rows: ids(count * 2, 2), next: 'same' })(response, request, count),
    )
    const stuck = await read('/stuck', {
      http: 'records: rows, paginate: {kind: cursor, from: next, param: c, max_pages: 9}',
    })
    expect(stuck.error?.message).toContain('leads to a page that was read before')
    server.on('/round', json({ rows: ids(1, 2), next: '/round' }))
    const round = await read('/round', { http: 'records: rows, paginate: {kind: next_url, from: next, max_pages: 9}' })
    expect(round.error?.message).toContain('leads to a page that was read before')
    expect(server.seen.filter(({ path }) => path === '/round')).toHaveLength(1)
  })

  it('a preview reads no more of them than it shows', async () => {
    server.on('/rows', (response, { query }, count) =>
      json(ids(Number(query.get('p')) * 10, 10))(response, server.seen[0]!, count),
    )
    const result = await runCall(
      {
        kind: 'preview',
        yaml_content: `etl: 1
kind: pipeline
name: p
connectors: {api: {type: http}, out: {type: file, access: write}}
source: {connector: api, http: {path: /rows, paginate: {kind: page, param: p, max_pages: 99}}}
target: {connector: out, file: {path: o.csv}}
`,
        arguments: {},
        connectors: { api: webConnector(server.url), out: fileConnector(temporaryFolder()) },
        step: 0,
        limit: 15,
      },
      { signal: new AbortController().signal, tempDir: temporaryFolder() },
    )
    expect(result).toMatchObject({ kind: 'preview', value: { sampled_rows: 15 } })
    expect(server.seen).toHaveLength(2)
  })
})

describe('an incremental source', () => {
  const task = (more: string, path = 'rows.jsonl', columns = ''): string => `etl: 1
kind: pipeline
name: more
connectors: {api: {type: http}, db: {type: sqlite, access: write}, out: {type: file, access: write}}
state: {cursor: {field: updated_at, type: datetime}}
source: {connector: api, http: {path: /rows, query: {after: "\${{ state.cursor }}"}${columns}}}
${more}
target: ${path === '' ? '{connector: db, table: t, mode: upsert, key: [id]}' : `{connector: out, file: {path: ${path}}}`}
`

  it('goes on where it was, and a night without anything new is no failure', async () => {
    const connectors = {
      api: webConnector(server.url),
      db: sqliteConnector(join(temporaryFolder(), 'app.db')),
      out: fileConnector(temporaryFolder()),
    }
    server.on('/rows', json([{ id: 1, updated_at: '2024-01-01T10:00:00.123456+02:00' }]))
    const yaml = task('steps: [{select: [id, updated_at]}]', '')
    const first = await runTask(yaml, connectors)
    expect(first.error).toBeUndefined()
    expect(first.state).toEqual({ cursor: '2024-01-01T08:00:00.123456Z' })
    server.on('/rows', json([]))
    const second = await runTask(yaml, connectors, { state: first.state })
    expect(second.error).toBeUndefined()
    expect(second).toMatchObject({ status: 'success', item_count: 0, state: first.state })
    expect(flow(second)).toBe('source 0→0 | select 0→0 | target 0→0')
    expect(server.seen.map(({ query }) => query.get('after'))).toEqual([null, '2024-01-01T08:00:00.123456Z'])
    // Where no rows mean something, the columns must be known.
    expect((await runTask(task(''), connectors)).error).toMatchObject({ code: 'VALUE_INVALID', step: 'source' })
    const counted = task('steps: [{sql: SELECT count(*) AS n FROM stream}]', '')
    expect((await runTask(counted, connectors)).error?.message).toContain(
      'the step `sql` may make something of no rows',
    )
    const known = await runTask(task('', 'rows.jsonl', ', columns: {id: integer, updated_at: datetime}'), connectors)
    expect(known.error).toBeUndefined()
  })

  it('whose cursor no record has is an error', async () => {
    server.on('/rows', json([{ id: 1, Updated: 'x' }]))
    const run = await runTask(task(''), {
      api: webConnector(server.url),
      db: sqliteConnector(join(temporaryFolder(), 'app.db')),
      out: fileConnector(temporaryFolder()),
    })
    expect(run.error).toMatchObject({
      code: 'COLUMN_NOT_FOUND',
      message: 'No record has a field `updated_at`, which `state.cursor` names',
    })
  })
})

describe('a server that fails', () => {
  it.each([
    ['thrice with 500', fails(3, answer('no', { status: 500 }), json([{ id: 1 }]))],
    ['by cutting off', fails(1, cutsOff, json([{ id: 1 }]))],
    ['by announcing too much', fails(1, announcesTooMuch, json([{ id: 1 }]))],
    [
      'by asking to wait',
      fails(1, answer('slow down', { status: 429, headers: { 'retry-after': '1' } }), json([{ id: 1 }])),
    ],
    [
      'by being away until a date',
      fails(1, answer('', { status: 503, headers: { 'retry-after': new Date(0).toUTCString() } }), json([{ id: 1 }])),
    ],
  ])('%s is asked again', async (_how, behave) => {
    server.on('/rows', behave)
    const run = await read('/rows')
    expect(run.error).toBeUndefined()
    expect(run.lines()).toEqual(['{"id":1}'])
    expect(run.log.some(({ level, message }) => level === 'warn' && message.includes('trying again in'))).toBe(true)
  })

  it('for good is told with its status and what it said', async () => {
    server.on('/rows', answer('{"message":"out of order"}', { status: 500 }))
    const run = await read('/rows')
    expect(run.error).toMatchObject({
      code: 'REQUEST_FAILED',
      retryable: true,
      message: `api: GET ${server.url}/rows answered 500 Internal Server Error: “{"message":"out of order"}”`,
    })
    expect(server.seen).toHaveLength(5)
    server.on('/no', answer('bad <b>request</b>', { status: 400 }))
    expect((await read('/no')).error).toMatchObject({ code: 'REQUEST_REFUSED', retryable: false })
    expect(server.seen).toHaveLength(6)
  })

  it('to answer in time is given up on', async () => {
    server.on('/mute', neverAnswers)
    server.on('/drip', neverEnds)
    const connector = webConnector(server.url, { timeout_seconds: 1 })
    expect((await read('/mute', { connector })).error).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('no answer came within 1 s') as string,
    })
    expect((await read('/drip', { connector })).error?.message).toContain('the answer did not end within 1 s')
  })

  it('with a body without end does not fill the memory', async () => {
    server.on('/bomb', gzipBomb)
    server.on('/pours', pours)
    expect((await read('/bomb')).error).toMatchObject({
      code: 'RESPONSE_INVALID',
      message: expect.stringContaining('larger than 64 MiB') as string,
    })
    expect((await read('/pours')).error?.message).toContain('larger than 64 MiB')
  })

  it('with something else than JSON is quoted', async () => {
    server.on(
      '/html',
      answer('<html><body>Sign in</body></html>', { headers: { 'content-type': 'text/html; charset=utf-8' } }),
    )
    expect((await read('/html')).error).toMatchObject({
      code: 'RESPONSE_INVALID',
      message: `The answer to GET ${server.url}/html is not JSON but text/html: “<html><body>Sign in</body></html>”`,
    })
    server.on('/half', answer('[{"id": 1}, {'))
    expect((await read('/half')).error?.message).toContain('is not JSON but application/json')
    server.on('/latin', answer(Buffer.from([0x5b, 0x22, 0xe9, 0x22, 0x5d])))
    expect((await read('/latin')).error?.message).toContain('is not text in utf-8')
    server.on('/odd', json({ items: [] }))
    expect((await read('/odd', { http: 'records: data' })).error).toMatchObject({
      hint: 'Check `records`. It has `items`.',
    })
  })

  it('nobody is there', async () => {
    await other.stop()
    const run = await read('/rows', { connector: webConnector(other.url) })
    expect(run.error).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('nothing is listening') as string,
    })
  })

  it('a run that is stopped stops the request at once', async () => {
    server.on('/drip', neverEnds)
    const stop = new AbortController()
    const run = read('/drip', { signal: stop.signal })
    await vi.waitFor(() => expect(server.open()).toBe(1), { timeout: 60_000 })
    stop.abort()
    expect((await run).error?.code).toBe('CANCELLED')
    await vi.waitFor(() => expect(server.open()).toBe(0), { timeout: 60_000 })
    // …and a wait for a busy server, too.
    server.on('/busy', answer('', { status: 503, headers: { 'retry-after': '500' } }))
    const again = new AbortController()
    const waiting = read('/busy', { signal: again.signal })
    await vi.waitFor(() => expect(server.seen.some(({ path }) => path === '/busy')).toBe(true), { timeout: 60_000 })
    again.abort()
    expect((await waiting).error?.code).toBe('CANCELLED')
  })
})

describe('addresses', () => {
  const closed = (url: string): BoundConnector => webConnector(url, { allow_private: false })

  it.each([
    ['127.0.0.1', 'http://127.0.0.1'],
    ['localhost', 'http://localhost'],
    ['a decimal one', 'http://2130706433'],
    ['an octal one', 'http://0177.0.0.1'],
    ['IPv4 in IPv6', 'http://[::ffff:127.0.0.1]'],
    ['a private one', 'http://10.1.2.3'],
    ['CGNAT', 'http://100.64.0.1'],
    ['link-local', 'http://169.254.1.1'],
    ['unique local', 'http://[fc00::1]'],
  ])('%s is refused unless private ones are allowed', async (_what, base) => {
    const run = await read('/rows', { connector: closed(`${base}:${new URL(server.url).port}`) })
    expect(run.error).toMatchObject({
      code: 'ADDRESS_NOT_ALLOWED',
      hint: expect.stringContaining('Allow private') as string,
    })
    expect(server.seen).toEqual([])
  })

  it.each([
    'http://169.254.169.254',
    'http://[fd00:ec2::254]',
    'http://100.100.100.200',
    'http://metadata.google.internal',
    'http://[::ffff:169.254.169.254]',
    'http://[64:ff9b::a9fe:a9fe]',
    'http://2852039166',
    'http://0.0.0.0',
    'http://224.0.0.1',
  ])('%s is refused always', async (base) => {
    expect((await read('/rows', { connector: webConnector(base) })).error).toMatchObject({
      code: 'ADDRESS_NOT_ALLOWED',
      retryable: false,
      message: expect.stringMatching(/^Connections to .* are never allowed/) as string,
    })
  })

  it('a redirect to one is refused, too', async () => {
    server.on('/away', redirect('http://169.254.169.254/latest/meta-data/'))
    expect((await read('/away')).error?.code).toBe('ADDRESS_NOT_ALLOWED')
  })
})

describe('signing in', () => {
  const bearer =
    (token: string) =>
    (response: Parameters<ReturnType<typeof json>>[0], request: MisbehavingHttp['seen'][0], count: number) =>
      (request.headers.authorization === `Bearer ${token}`
        ? json([{ id: 1 }])
        : answer('{"error":"token"}', { status: 401 }))(response, request, count)

  it('by user and password, and by a key in a header', async () => {
    server.on('/rows', json([{ id: 1 }]))
    await read('/rows', { connector: webConnector(server.url, { auth: 'basic', user: 'ada' }, { password: 'pä:ss' }) })
    await read('/rows', { connector: webConnector(server.url, { auth: 'api_key' }, { api_key: 'k3y' }) })
    expect(server.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from('ada:pä:ss').toString('base64')}`)
    expect(server.seen[1]?.headers['x-api-key']).toBe('k3y')
  })

  it('that is refused says so, and never what the secret was', async () => {
    server.on('/rows', (response, request, count) =>
      answer(`{"error":"bad key ${String(request.headers['x-api-key'])}"}`, { status: 401 })(response, request, count),
    )
    const run = await read('/rows', {
      connector: webConnector(server.url, { auth: 'api_key' }, { api_key: 'top-secret' }),
    })
    expect(run.error).toMatchObject({
      code: 'AUTHENTICATION_FAILED',
      message: expect.stringContaining('bad key ***') as string,
    })
    expect(JSON.stringify([run.error, run.log])).not.toContain('top-secret')
    const none = await read('/rows', { connector: webConnector(server.url, { auth: 'bearer' }) })
    expect(none.error?.message).toContain('has no bearer token')
  })

  it('with client credentials asks for a token once, and again when it is refused', async () => {
    let token = 'first-token'
    server.on('/token', (response, request, count) =>
      json({ access_token: token, token_type: 'bearer', expires_in: 3600 })(response, request, count),
    )
    server.on('/rows', (response, request, count) => bearer(token)(response, request, count))
    const connector = webConnector(
      server.url,
      { auth: 'oauth2', token_url: `${server.url}/token`, client_id: 'me:you', scope: 'read all' },
      { client_secret: 'shh&shh' },
    )
    expect((await read('/rows', { connector })).error).toBeUndefined()
    expect((await read('/rows', { connector })).error).toBeUndefined()
    const asked = server.seen.filter(({ path }) => path === '/token')
    expect(asked).toHaveLength(1)
    expect(asked[0]?.body).toBe('grant_type=client_credentials&scope=read+all')
    expect(asked[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me%3Ayou:shh%26shh').toString('base64')}`)
    token = 'second-token'
    expect((await read('/rows', { connector })).error).toBeUndefined()
    expect(server.seen.filter(({ path }) => path === '/token')).toHaveLength(2)
    // A token that stays refused is not asked for again and again.
    server.on('/rows', answer('', { status: 401 }))
    expect((await read('/rows', { connector })).error?.code).toBe('AUTHENTICATION_FAILED')
    expect(server.seen.filter(({ path }) => path === '/token')).toHaveLength(3)
  })

  it('a token that lives shortly is not kept, and a client in the form is tried', async () => {
    server.on('/token', (response, request, count) =>
      (request.headers.authorization === undefined
        ? json({ access_token: 'short', expires_in: 0.001 })
        : json({ error: 'invalid_client' }, { status: 400 }))(response, request, count),
    )
    server.on('/rows', bearer('short'))
    const connector = webConnector(
      server.url,
      { auth: 'oauth2', token_url: `${server.url}/token`, client_id: 'me' },
      { client_secret: 'shh' },
    )
    for (let time = 0; time < 2; time++) expect((await read('/rows', { connector })).error).toBeUndefined()
    expect(server.seen.filter(({ path }) => path === '/token').map(({ body }) => body)).toEqual([
      'grant_type=client_credentials',
      'grant_type=client_credentials&client_id=me&client_secret=shh',
      'grant_type=client_credentials',
      'grant_type=client_credentials&client_id=me&client_secret=shh',
    ])
  })

  it('the token server’s own words are told, and it obeys the same rules', async () => {
    server.on('/token', json({ error: 'invalid_scope', error_description: 'no such scope' }, { status: 400 }))
    const config = { auth: 'oauth2', client_id: 'me', token_url: `${server.url}/token` }
    const run = await read('/rows', { connector: webConnector(server.url, config, { client_secret: 'shh!' }) })
    expect(run.error).toMatchObject({
      code: 'AUTHENTICATION_FAILED',
      message: expect.stringContaining('invalid_scope: no such scope') as string,
    })
    const meta = webConnector(
      server.url,
      { ...config, token_url: 'http://169.254.169.254/token' },
      { client_secret: 'shh!' },
    )
    expect((await read('/rows', { connector: meta })).error?.code).toBe('ADDRESS_NOT_ALLOWED')
  })
})

describe('requests a second', () => {
  it('are spaced evenly', async () => {
    const at: number[] = []
    server.on('/rows', (response, request, count) => {
      at.push(performance.now())
      json(count < 5 ? [{ id: count }] : [])(response, request, count)
    })
    const run = await read('/rows', {
      http: 'paginate: {kind: page, param: p, max_pages: 9}',
      connector: webConnector(server.url, { requests_per_second: 20 }),
    })
    expect(run.lines()).toHaveLength(4)
    expect((at.at(-1) ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(4 * 50 - 25)
  })
})

describe('TLS', () => {
  let secure: MisbehavingHttp
  beforeAll(async () => {
    secure = await startMisbehavingHttp(selfSignedCertificate())
  })
  afterAll(() => secure.stop())

  it('a certificate that nobody vouches for is refused', async () => {
    secure.on('/rows', json([{ id: 1 }]))
    const run = await read('/rows', { connector: webConnector(secure.url) })
    expect(run.error).toMatchObject({
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('certificate of the server is not trusted: it is self-signed') as string,
    })
    expect(secure.seen).toEqual([])
  })

  it('is never left by a redirect, and a server without it is told', async () => {
    expect(
      (await read('/rows', { connector: webConnector(server.url.replace('http:', 'https:')) })).error?.message,
    ).toContain('does not speak TLS')
  })

  it('is a stage of the connector’s test', async () => {
    const result = await runCall(
      { kind: 'test', connector: webConnector(secure.url) },
      { signal: new AbortController().signal, tempDir: temporaryFolder() },
    )
    expect(result).toMatchObject({
      value: {
        ok: false,
        checks: [
          { name: 'resolve', ok: true },
          { name: 'connect', ok: true },
          { name: 'tls', ok: false, error: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } },
        ],
      },
    })
  })
})

describe('testing a connector', () => {
  const test = async (connector: BoundConnector) => {
    const result = await runCall(
      { kind: 'test', connector },
      { signal: new AbortController().signal, tempDir: temporaryFolder() },
    )
    if (result.kind !== 'test') throw new Error('no test')
    return result.value
  }
  const stages = (result: Awaited<ReturnType<typeof test>>): string =>
    result.checks.map(({ name, ok }) => `${name} ${ok}`).join(', ')

  it('a root that has nothing is reachable all the same', async () => {
    expect(stages(await test(webConnector(server.url)))).toBe(
      'resolve true, connect true, authenticate true, read_probe true',
    )
  })

  it('says at which stage it fails', async () => {
    server.on('/', answer('who?', { status: 401 }))
    expect(stages(await test(webConnector(server.url)))).toBe('resolve true, connect true, authenticate false')
    server.on('/', answer('ill', { status: 500 }))
    expect(stages(await test(webConnector(server.url)))).toBe(
      'resolve true, connect true, authenticate true, read_probe false',
    )
    expect(stages(await test(webConnector('http://no-such-host.invalid')))).toBe('resolve false')
    expect(stages(await test(webConnector(server.url, { allow_private: false })))).toBe('resolve false')
    await other.stop()
    expect(stages(await test(webConnector(other.url)))).toBe('resolve true, connect false')
  })
})
