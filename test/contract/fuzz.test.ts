// Whatever is sent, the answer is one that the document describes, it comes, and it is never a fault of ours.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OperationId, operations } from '../../src/contract/operations.ts'
import { policies } from '../../src/contract/policy.ts'
import type { Answer, TestClient } from '../support/server.ts'
import { type Known, requestsTo } from './support/arbitrary.ts'
import { type Interface, fetchInterface } from './support/interface.ts'
import { type Request, operationOf, pathOf, send } from './support/send.ts'
import { type ScriptedWorld, type World, createScriptedWorld, createWorld, taskYaml } from './support/worlds.ts'

/** Nothing of what is asked for here takes longer, even on a busy machine. */
const mostMs = 15_000
const ids = Object.keys(operations).map((id) => id as OperationId)
const isExecutors = (id: OperationId) => policies[id].access === 'executor'
/** A backup is a copy of the whole store, read again, and takes next to nothing that could be wrong. */
const runsOf = (id: OperationId) => (id === 'createBackup' ? 12 : 40)

let document: Interface
/** What went wrong inside, to be told with a failure. */
const faults: string[] = []
const note = (line: string) => void (line.includes('"level":"error"') && faults.push(line))
/** Without an executor, so that nothing waits for one. */
let world: World
let superadmin: TestClient
/** With one, for what executors say. */
let scripted: ScriptedWorld
let lease: { attempt: number; lease_token: string; run_id: number }
beforeAll(async () => {
  const options = { config: { limits: { requestsPerSecond: 100_000, burst: 100_000 } }, onLog: note }
  world = await createWorld(options)
  scripted = await createScriptedWorld(options)
  document = await fetchInterface(world.server.client)
  for (let n = 0; n < 5; n++) await world.run()
  // Keys of low ids are revoked in passing: this one's is higher.
  for (let n = 0; n < 5; n++) superadmin = world.server.as('superadmin')
  lease = await scripted.claimed()
})
afterAll(async () => {
  await world?.close()
  await scripted?.close()
})

const recordId = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constantFrom(0, -1, 1.5, 999_999, Number.MAX_SAFE_INTEGER))
const yaml = fc.oneof(
  fc.nat(5).map((n) => taskYaml(`fuzz_${n}`, `Fuzz ${n}`)),
  // A good task with one piece of it gone, doubled or replaced.
  fc.tuple(fc.nat(400), fc.nat(40), fc.string({ unit: 'binary', maxLength: 5 })).map(([at, length, text]) => {
    const good = taskYaml('fuzz')
    return good.slice(0, at) + text + good.slice(at + length)
  }),
)
const known: Known = {
  id: recordId,
  taskId: recordId,
  vid: recordId,
  connector_id: recordId,
  yaml_content: yaml,
  config: fc.constantFrom<Record<string, string | number>[]>(
    { root: '/tmp' },
    { path: '/tmp/a.db' },
    { host: 'localhost', database: 'd', user: 'u' },
    // Nobody listens there: what is sent fails at once.
    { url: 'http://127.0.0.1:9/' },
    { root: 7 },
  ),
  // Nothing waits longer than the test.
  wait_ms: fc.constantFrom(0, 1, -1, 30_001),
}

async function sendWithin(client: TestClient, id: OperationId, request: Request): Promise<Answer> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`${id} has not answered`)), mostMs)
  try {
    return await Promise.race([send(client, id, request), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** The beginning of an answer that may not end. */
async function sendToStream(client: TestClient, id: OperationId, { params, query, headers }: Request): Promise<Answer> {
  const controller = new AbortController()
  const url = new URL(pathOf(operationOf(id), params), world.server.url)
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, String(value))
  const response = await fetch(url, { headers: { ...client.headers, ...headers }, signal: controller.signal })
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const body: unknown = isJson ? await response.json() : ''
  controller.abort()
  return { status: response.status, headers: response.headers, body }
}

const complaintsOf = (id: OperationId, answer: Answer) =>
  answer.status === 500 ? [`${id} failed: ${faults.at(-1)}`] : document.complaints(id, answer)

describe('any request', () => {
  test.each(ids.filter((id) => !isExecutors(id)))('%s', async (id) => {
    const request = requestsTo(operationOf(id), known, {})
    await fc.assert(
      fc.asyncProperty(request, async (one) => {
        const { method, streams, bodyTypes } = operationOf(id)
        const perform = streams && method === 'GET' ? sendToStream : sendWithin
        const headers = { ...one.headers, ...(bodyTypes && { 'content-type': bodyTypes[0]! }) }
        expect(complaintsOf(id, await perform(superadmin, id, { ...one, headers }))).toEqual([])
      }),
      { numRuns: runsOf(id) },
    )
    expect((await superadmin.get('/api/auth/me')).status).toBe(200)
  })

  test.each(ids.filter(isExecutors))('%s', async (id) => {
    const own: Known = {
      ...known,
      id: fc.oneof(fc.constantFrom(lease.run_id, scripted.executor.id), recordId),
      attempt: fc.constantFrom(lease.attempt, lease.attempt + 1),
      lease_token: fc.constantFrom(lease.lease_token, lease.lease_token, 'older'),
      protocol: fc.constant(1),
    }
    const credential = fc.constantFrom(scripted.executor.credential, scripted.executor.credential, 'older')
    const request = requestsTo(operationOf(id), own, { 'x-executor-credential': credential })
    await fc.assert(
      fc.asyncProperty(request, async (one) => {
        expect(complaintsOf(id, await sendWithin(scripted.executor.client, id, one))).toEqual([])
      }),
      { numRuns: runsOf(id) },
    )
  })
})

describe('what is no request at all', () => {
  test.each(ids.filter((id) => operationOf(id).body))('%s: a body of anything', async (id) => {
    const client = isExecutors(id) ? scripted.executor.client : superadmin
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.json().map((json) => json.slice(1)),
      fc.constantFrom(
        '[',
        '{'.repeat(10_000),
        '['.repeat(100_000),
        '"\\ud800"',
        '\ufeff{}',
        '{"a":1,"a":2}',
        'NaN',
        '1e999',
      ),
    )
    const headers = fc.record({
      'content-type': fc.constantFrom(
        'application/json',
        'application/json; charset=utf-8',
        'application/json; charset=utf-16',
        'application/xml',
        'text/plain',
        ';',
      ),
    })
    await fc.assert(
      fc.asyncProperty(text, headers, async (body, more) => {
        const answer = await sendWithin(client, id, { params: { id: 1, taskId: 1, callId: 'x' }, body, headers: more })
        expect(complaintsOf(id, answer)).toEqual([])
      }),
      { numRuns: 15 },
    )
  })
})

test('the server that took all this is well, and what it knew is there', async () => {
  expect((await world.server.client.get('/api/health')).body).toMatchObject({ checks: { database: { status: 'ok' } } })
  expect(world.server.platform.store.sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(world.server.platform.store.sqlite.pragma('foreign_key_check')).toEqual([])
  expect(faults).toEqual([])
})
