import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { retryRun } from '../../../src/contract/runs.ts'
import { createTask, getTask, updateTask } from '../../../src/contract/tasks.ts'
import type { Caller } from '../../../src/server/platform/caller.ts'
import { createHttpApp } from '../../../src/server/platform/http-app.ts'
import { type Handler, route } from '../../../src/server/platform/http.ts'
import { IDEMPOTENCY_MS } from '../../../src/server/platform/idempotency.ts'
import { conflict } from '../../../src/server/platform/refusal.ts'
import { type TestClock, type TestPlatform, createTestClock, openTestPlatform } from '../../support/platform.ts'

let opened: TestPlatform
let app: FastifyInstance
let clock: TestClock
/** What the handlers did. */
let work: number

const callers: Record<string, Caller> = Object.fromEntries(
  ['svc_one', 'svc_two'].map((key, index) => [
    key,
    { kind: 'api_key', user_id: 1, username: 'ada', role: 'editor', scopes: [], api_key_id: index + 1, pending: false },
  ]),
)

beforeEach(async () => {
  clock = createTestClock()
  opened = await openTestPlatform({ clock })
  opened.platform.store.sqlite.exec('CREATE TABLE work (n INTEGER) STRICT')
  app = createHttpApp(opened.platform, {
    session: () => undefined,
    apiKey: (key) => callers[key],
    stillValid: () => true,
  })
  work = 0
})
afterEach(async () => {
  await app.close()
  opened.close()
})

const json = (id: number) => ({
  id,
  name: `task ${id}`,
  description: null,
  current_version: 1,
  connector_refs: null,
  tags: [],
  archived: 0 as const,
  created_by: 1,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: null,
  yaml_content: 'x',
})
const body = { yaml_content: 'a: 1' }
const post = (key: string | undefined, options: { token?: string; body?: object; url?: string } = {}) =>
  app.inject({
    method: 'POST',
    url: options.url ?? '/api/tasks',
    headers: {
      authorization: `Bearer ${options.token ?? 'svc_one'}`,
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    payload: options.body ?? body,
  })
const done = () => opened.platform.store.sqlite.prepare<[], { n: number }>('SELECT count(*) AS n FROM work').get()!.n
const doWork = () =>
  opened.platform.store.transaction(() => opened.platform.store.sqlite.exec(`INSERT INTO work VALUES (${++work})`))

const synchronous: Handler<typeof createTask> = ({ etag }) => {
  doWork()
  etag(`v${work}`)
  return json(work)
}

test('the same key and body give the first answer again: status, body and ETag, and nothing is done', async () => {
  route(app, createTask, synchronous)
  const first = await post('k1')
  const again = await post('k1')
  expect(first.statusCode).toBe(201)
  expect(first.headers['idempotency-replayed']).toBeUndefined()
  expect([again.statusCode, again.body, again.headers.etag]).toEqual([201, first.body, '"v1"'])
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(done()).toBe(1)
})

test('without a key each request does its work', async () => {
  route(app, createTask, synchronous)
  await post(undefined)
  await post(undefined)
  expect(done()).toBe(2)
})

test('the same key with another body or address is a 409 that does nothing', async () => {
  route(app, createTask, synchronous)
  await post('k1')
  const other = await post('k1', { body: { yaml_content: 'b: 2' } })
  expect(other.statusCode).toBe(409)
  expect(other.json()).toMatchObject({ error: 'CONFLICT', message: expect.stringContaining('Use a new key') })
  expect(done()).toBe(1)
})

test('keys of different callers and operations have nothing to do with each other', async () => {
  route(app, createTask, synchronous)
  route(app, retryRun, () => {
    doWork()
    return {} as never
  })
  await post('k1')
  expect((await post('k1', { token: 'svc_two' })).json()).toMatchObject({ id: 2 })
  await post('k1', { url: '/api/runs/1/retry' })
  expect(done()).toBe(3)
})

test('what failed is not kept: the caller may try again', async () => {
  let fails = true
  route(app, createTask, (ctx) => {
    doWork()
    if (fails) conflict()
    return synchronous(ctx)
  })
  expect((await post('k1')).statusCode).toBe(409)
  expect(done()).toBe(0)
  fails = false
  expect((await post('k1')).statusCode).toBe(201)
})

test('work and record are one transaction: neither is there without the other', async () => {
  route(app, createTask, synchronous)
  opened.platform.store.sqlite.exec('DROP TABLE idempotency_keys; CREATE TABLE idempotency_keys (x TEXT) STRICT')
  expect((await post('k1')).statusCode).toBe(500)
  expect(done()).toBe(0)
})

test('an asynchronous handler remembers inside its own transaction', async () => {
  const { store } = opened.platform
  route(app, createTask, ({ remember }) =>
    store.group(() => {
      store.sqlite.exec(`INSERT INTO work VALUES (${++work})`)
      remember(json(work))
      expect(store.sqlite.inTransaction).toBe(true)
      return json(work)
    }),
  )
  const first = await post('k1')
  expect(first.statusCode).toBe(201)
  expect((await post('k1')).body).toBe(first.body)
  expect(done()).toBe(1)
})

test('of two at once with one key the second waits for the first', async () => {
  let release = () => {}
  const gate = new Promise<void>((resolve) => (release = resolve))
  route(app, createTask, async (ctx) => {
    await gate
    return synchronous(ctx)
  })
  const both = [post('k1'), post('k1')]
  release()
  const answers = await Promise.all(both)
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201])
  expect(answers.map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, 'true'])
  expect(done()).toBe(1)
})

test('after 24 hours a key is forgotten', async () => {
  route(app, createTask, synchronous)
  await post('k1')
  clock.advance(IDEMPOTENCY_MS + 1)
  await post('k1')
  expect(done()).toBe(2)
  expect(opened.platform.store.sqlite.prepare('SELECT count(*) AS n FROM idempotency_keys').get()).toEqual({ n: 1 })
})

test.each(['', ' ', 'a b', 'x'.repeat(201)])('the key %j is refused', async (key) => {
  route(app, createTask, synchronous)
  const answer = await post(key)
  expect(answer.json()).toMatchObject({ error: 'VALIDATION_ERROR', details: [{ path: 'headers.idempotency-key' }] })
  expect(done()).toBe(0)
})

test('If-Match lets the current ETag, * and its absence through, and nothing else', async () => {
  route(app, getTask, ({ etag }) => {
    etag('7-abc')
    return json(1)
  })
  route(app, updateTask, ({ ifMatch, etag }) => {
    ifMatch('7-abc')
    etag('8-def')
    return json(1)
  })
  const authorization = 'Bearer svc_one'
  const current = (await app.inject({ url: '/api/tasks/1', headers: { authorization } })).headers.etag
  expect(current).toBe('"7-abc"')
  const put = (ifMatch?: string) =>
    app.inject({
      method: 'PUT',
      url: '/api/tasks/1',
      headers: { authorization, ...(ifMatch && { 'if-match': ifMatch }) },
      payload: body,
    })
  for (const tag of [undefined, current as string, '*', `"old", ${String(current)}`]) {
    const answer = await put(tag)
    expect([answer.statusCode, answer.headers.etag]).toEqual([200, '"8-def"'])
  }
  for (const tag of ['"old"', '7-abc', 'W/"7-abc"', '""']) {
    expect((await put(tag)).json()).toMatchObject({
      error: 'CONFLICT',
      message: expect.stringContaining('changed since you read it'),
    })
  }
})
