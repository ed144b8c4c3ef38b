import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import {
  answer,
  cutsOff,
  fails,
  json,
  startMisbehavingHttp,
  type MisbehavingHttp,
} from '../../support/misbehaving-http.ts'
import { webConnector } from './http-connector.ts'
import { flow, runTask, type RunOptions } from './run-task.ts'

let server: MisbehavingHttp
beforeEach(async () => {
  server = await startMisbehavingHttp()
})
afterEach(() => server.stop())

interface SendOptions extends RunOptions {
  columns?: string
  connector?: BoundConnector
  more?: string
  steps?: string
}

function send(
  rows: string,
  target: string,
  { columns, connector, more = '', steps = '[]', ...options }: SendOptions = {},
) {
  return runTask(
    `etl: 1
kind: pipeline
name: send
connectors: {api: {type: http, access: write}}
source: {inline: {rows: ${rows}${columns === undefined ? '' : `, columns: ${columns}`}}}
steps: ${steps}
target: {connector: api, http: {${target}}}
${more}`,
    { api: connector ?? webConnector(server.url) },
    options,
  )
}

const bodies = (): string[] => server.seen.map(({ body }) => body)

describe('rows sent to an API', () => {
  it('go one by one, in order, with every digit', async () => {
    server.on('/rows', json({}, { status: 201 }))
    const run = await send(
      '[{i: "9007199254740993", d: "-0.50", b: true, day: "2024-02-29", at: "2024-01-01T10:00:00+02:00", bytes: "hé", j: {a: [1.10]}, n: 1.5, none: null, t: "a\\"\\n😀"}, {t: ""}]',
      'path: /rows',
      { columns: '{i: integer, d: "decimal(18,2)", day: date, at: datetime, bytes: binary, j: json, none: string}' },
    )
    expect(run.error).toBeUndefined()
    expect(bodies()).toEqual([
      '{"i":9007199254740993,"d":-0.50,"b":true,"day":"2024-02-29","at":"2024-01-01T08:00:00Z","bytes":"aMOp","j":{"a":[1.1]},"n":1.5,"none":null,"t":"a\\"\\n😀"}',
      '{"i":null,"d":null,"b":null,"day":null,"at":null,"bytes":null,"j":null,"n":null,"none":null,"t":""}',
    ])
    expect(run.item_count).toBe(2)
    expect(flow(run)).toBe('source 2→2 | target 2→2')
    expect(run.log.some(({ message }) => message === 'Sent 2 rows in 2 requests to POST /rows')).toBe(true)
  })

  it('write numbers below one with a digit before the point, in whatever they stand', async () => {
    server.on('/rows', json({}))
    const run = await send('[{d: "-0.0000000000000000000000000001", e: "0.5"}]', 'path: /rows', {
      columns: '{d: "decimal(28,28)", e: "decimal(1,1)"}',
      steps: '[{derive: {inside: "{x: d, y: [e]}", cast: e}}, {cast: {cast: json}}]',
    })
    expect(run.error).toBeUndefined()
    expect(bodies()).toEqual([
      '{"d":-0.0000000000000000000000000001,"e":0.5,"inside":{"x":-0.0000000000000000000000000001,"y":[0.5]},"cast":0.5}',
    ])
  })

  it('go in batches, wrapped, and to the address of their own values', async () => {
    server.on('/rows', json({}))
    await send('[{id: 1}, {id: 2}, {id: 3}]', 'path: /rows, send: batch, batch: {rows: 2}, wrap: rows')
    expect(bodies()).toEqual(['{"rows":[{"id":1},{"id":2}]}', '{"rows":[{"id":3}]}'])
    server.on('/at/a%2F..%20%7Bx%7D%3F/1', json({}))
    await send('[{id: 1, key: "a/.. {x}?"}]', 'path: "/at/{key}/{id}", method: DELETE')
    expect(server.seen.at(-1)).toMatchObject({ method: 'DELETE', path: '/at/a%2F..%20%7Bx%7D%3F/1', body: '' })
  })

  it('never go to another address by a value that is empty or leads up', async () => {
    for (const key of ['..', '.', '']) {
      const run = await send(`[{key: "${key}"}]`, 'path: "/at/{key}"')
      expect(run.error).toMatchObject({ code: 'VALUE_INVALID' })
    }
    const rejected = await send('[{key: null}, {key: x}]', 'path: "/at/{key}", on_error: quarantine', {
      columns: '{key: string}',
    })
    expect(rejected.rejects).toMatchObject([
      { step: 'target', reason: 'Column `key`, which the path names, is NULL', row: { key: null } },
      expect.objectContaining({ row: { key: 'x' } }),
    ])
    expect(server.seen.map(({ path }) => path)).toEqual(['/at/x'])
  })

  it('are sent again after a failure under the same key, in every attempt', async () => {
    server.on(
      '/rows',
      fails(1, cutsOff, fails(2, answer('', { status: 503, headers: { 'retry-after': '0' } }), json({}))),
    )
    expect((await send('[{id: 1}, {id: 1}]', 'path: /rows')).error).toBeUndefined()
    const keys = server.seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys).toHaveLength(4)
    expect(new Set(keys.slice(0, 3)).size).toBe(1)
    expect(keys[3]).not.toBe(keys[0])
    expect((await send('[{id: 1}, {id: 1}]', 'path: /rows')).error).toBeUndefined()
    expect(server.seen.slice(4).map(({ headers }) => headers['idempotency-key'])).toEqual([keys[0], keys[3]])
  })

  it('that are refused stop the run, which says what was sent before', async () => {
    server.on('/rows', (response, request, count) =>
      (count === 3 ? answer('{"error":"no such thing"}', { status: 422 }) : json({}))(response, request, count),
    )
    const run = await send('[{id: 1}, {id: 2}, {id: 3}, {id: 4}]', 'path: /rows')
    expect(run.error).toMatchObject({
      code: 'REQUEST_REFUSED',
      step: 'target',
      message: expect.stringContaining('answered 422 Unprocessable Entity: “{"error":"no such thing"}”') as string,
      hint: expect.stringContaining('The service keeps the rows it accepted before the failure: 2 rows.') as string,
    })
    expect(server.seen).toHaveLength(3)
  })

  it('whose answer is lost may have arrived, and the run says so', async () => {
    server.on('/rows', (response, request, count) =>
      count < 3 ? json({})(response, request, count) : void response.socket?.end('no HTTP'),
    )
    const run = await send(
      '[{id: 1}, {id: 2}, {id: 3}, {id: 4}, {id: 5}]',
      'path: /rows, send: batch, batch: {rows: 2}',
    )
    expect(run.error).toMatchObject({
      code: 'CONNECTION_FAILED',
      step: 'target',
      hint: expect.stringContaining('before the failure: 4 rows, and up to 1 of the request that failed') as string,
    })
  })

  it('that are refused go to the rejects, but not when we are', async () => {
    server.on('/rows', (response, request, count) =>
      (request.body.includes('9007199254740993') ? answer('too big', { status: 400 }) : json({}))(
        response,
        request,
        count,
      ),
    )
    const run = await send('[{id: 1}, {id: "9007199254740993"}, {id: 3}]', 'path: /rows, on_error: quarantine', {
      columns: '{id: integer}',
    })
    expect(run.error).toBeUndefined()
    expect(run.status).toBe('completed')
    expect(run.item_count).toBe(2)
    expect(run.rejects).toMatchObject([
      {
        step: 'target',
        reason: `POST ${server.url}/rows answered 400 Bad Request: too big`,
        row: { id: '9007199254740993' },
      },
    ])
    server.on('/rows', answer('', { status: 403 }))
    expect((await send('[{id: 1}]', 'path: /rows, on_error: quarantine')).error?.code).toBe('AUTHENTICATION_FAILED')
  })

  it('beyond what the task allows are an error', async () => {
    server.on('/rows', answer('no', { status: 400 }))
    const run = await send('[{id: 1}, {id: 2}]', 'path: /rows, on_error: quarantine', {
      more: 'dead_letter: {max_ratio: 0.5}',
    })
    expect(run.error).toMatchObject({ code: 'TOO_MANY_REJECTS', step: 'target' })
  })

  it('are only sent once all steps have done their work', async () => {
    server.on('/rows', json({}))
    const run = await send('[{v: "1"}, {v: x}]', 'path: /rows', { steps: '[{cast: {v: integer}}]' })
    expect(run.error?.code).toBe('CAST_FAILED')
    expect(server.seen).toEqual([])
  })

  it('stop with the run', async () => {
    server.on('/rows', () => undefined)
    const stop = new AbortController()
    const run = send('[{id: 1}]', 'path: /rows', { signal: stop.signal })
    await vi.waitFor(() => expect(server.open()).toBe(1), { timeout: 60_000 })
    stop.abort()
    expect((await run).error?.code).toBe('CANCELLED')
    await vi.waitFor(() => expect(server.open()).toBe(0), { timeout: 60_000 })
  })
})

describe('a task of kind http', () => {
  const call = (http: string, more = '', options: RunOptions = {}) =>
    runTask(
      `etl: 1
kind: http
name: call
connectors: {api: {type: http, access: read_write}}
http: {connector: api, ${http}}
${more}`,
      { api: webConnector(server.url) },
      options,
    )

  it('gives its response to the outputs', async () => {
    server.on(
      '/jobs',
      answer('{"id": 9007199254740993, "state": "queued"}', { status: 202, headers: { 'x-job': 'j1' } }),
    )
    const run = await call(
      'path: /jobs, method: POST, body: {day: "${{ run.logical_date }}"}',
      'outputs: {id: "${{ response.body.id }}", state: "${{ response.body.state }}", status: "${{ response.status }}"}',
    )
    expect(run.error).toBeUndefined()
    expect(run.outputs).toEqual({ id: '9007199254740993', state: 'queued', status: 202 })
    expect(bodies()).toEqual(['{"day":"2026-03-01T00:00:00.000Z"}'])
    server.on('/text', answer('plain words', { headers: { 'content-type': 'text/plain' } }))
    expect((await call('path: /text', 'outputs: {body: "${{ response.body }}"}')).outputs).toEqual({
      body: 'plain words',
    })
  })

  it('succeeds by its status, or by what `success` says', async () => {
    server.on('/jobs', json({ ok: false }))
    expect((await call('path: /jobs')).error).toBeUndefined()
    const said = await call('path: /jobs, success: "${{ response.body.ok }}"')
    expect(said.error).toMatchObject({
      code: 'REQUEST_REFUSED',
      message: expect.stringContaining('{"ok":false}') as string,
    })
    server.on('/gone', json({}, { status: 404 }))
    expect((await call('path: /gone')).error?.code).toBe('REQUEST_REFUSED')
    expect((await call('path: /gone, success: "${{ response.status = 404 }}"')).error).toBeUndefined()
    expect((await call('path: /gone, success: "${{ response.body }}"')).error?.code).toBe('REQUEST_REFUSED')
  })

  it('is not sent twice where that could do harm', async () => {
    server.on('/jobs', cutsOff)
    expect((await call('path: /jobs, method: POST')).error?.code).toBe('CONNECTION_FAILED')
    server.on('/jobs', answer('', { status: 500 }))
    expect((await call('path: /jobs, method: POST')).error?.code).toBe('REQUEST_FAILED')
    expect(server.seen).toHaveLength(2)
    server.on('/busy', fails(1, answer('', { status: 503, headers: { 'retry-after': '0' } }), json({})))
    expect((await call('path: /busy, method: POST')).error).toBeUndefined()
    expect(server.seen).toHaveLength(4)
  })
})
