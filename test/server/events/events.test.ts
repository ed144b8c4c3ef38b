import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isWanted, resumeFrom } from '../../../src/server/features/events/events.rules.ts'
import { type SseClient, type SseEvent, openSse } from '../../support/sse.ts'
import { getMe } from '../../../src/contract/auth.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
let clients: SseClient[]
beforeEach(async () => {
  server = await startTestServer()
  clients = []
})
afterEach(async () => {
  for (const client of clients) client.close()
  await Promise.all(clients.map(({ ended }) => ended))
  await server.close()
})

const append = (
  type: 'task.changed' | 'run.changed' | 'run.progress',
  entity: number,
  data: Record<string, unknown> = {},
) => server.platform.store.transaction(() => server.platform.events.append(type, entity, data))
async function open(query = '', headers: Record<string, string> = {}): Promise<SseClient> {
  const client = await openSse(`${server.url}/api/events${query}`, { ...server.as('viewer').headers, ...headers })
  clients.push(client)
  return client
}
const entity = (id: number) => (event: SseEvent) => (event.data as { entity_id?: number }).entity_id === id
const entities = (client: SseClient) => client.events.map(({ data }) => (data as { entity_id: number }).entity_id)

test('a new client hears what comes from now on, with id, type and the whole event', async () => {
  append('task.changed', 1)
  const client = await open()
  append('task.changed', 2, { name: 'x' })
  const event = await client.next(entity(2))
  expect(event).toEqual({
    id: '2',
    event: 'task.changed',
    data: { id: 2, type: 'task.changed', at: expect.any(String), entity_id: 2, data: { name: 'x' } },
  })
  expect(entities(client)).toEqual([2])
})

test('a client that comes back gets everything it missed, once and in order, and goes on', async () => {
  for (let id = 1; id <= 1_200; id++) append('task.changed', id)
  const client = await open('', { 'last-event-id': '3' })
  append('task.changed', 1_201)
  await client.next(entity(1_201))
  expect(entities(client)).toEqual(Array.from({ length: 1_198 }, (_, index) => index + 4))
})

test('a client that has asked who it is hears from that moment on, also what happened before its stream was open', async () => {
  append('task.changed', 1)
  const { last_event_id } = await server.as('viewer').call(getMe)
  append('task.changed', 2)
  const client = await open(`?after=${last_event_id}`)
  append('task.changed', 3)
  await client.next(entity(3))
  expect(entities(client)).toEqual([2, 3])
})

test('what a client has seen last counts more than where it began', async () => {
  for (let id = 1; id <= 5; id++) append('task.changed', id)
  const client = await open('?after=1', { 'last-event-id': '4' })
  await client.next(entity(5))
  expect(entities(client)).toEqual([5])
})

test('nothing is lost or doubled between what is stored and what comes, however they interleave', async () => {
  for (let id = 1; id <= 600; id++) append('task.changed', id)
  const opening = open('', { 'last-event-id': '0' })
  for (let id = 601; id <= 900; id++) {
    append('task.changed', id)
    if (id % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  const client = await opening
  await client.next(entity(900))
  expect(entities(client)).toEqual(Array.from({ length: 900 }, (_, index) => index + 1))
})

test('a client whose last event is no longer kept is told to load afresh, and goes on from now', async () => {
  for (let id = 1; id <= 10; id++) append('task.changed', id)
  server.platform.store.sqlite.exec('DELETE FROM events WHERE id < 8')
  const client = await open('', { 'last-event-id': '2' })
  expect(await client.next(({ event }) => event === 'reset')).toMatchObject({
    id: '10',
    data: { reason: expect.any(String) },
  })
  append('task.changed', 11)
  await client.next(entity(11))
  expect(client.events.map(({ id }) => id)).toEqual(['10', '11'])
})

test('run_id keeps to one run', async () => {
  const client = await open('?run_id=7')
  append('run.changed', 6)
  append('task.changed', 7)
  append('run.progress', 7)
  append('run.changed', 7, { last: true })
  await client.next(({ event }) => event === 'run.changed')
  expect(client.events.map(({ event }) => event)).toEqual(['run.progress', 'run.changed'])
})

test('what rolls back is never told', async () => {
  const client = await open()
  expect(() =>
    server.platform.store.transaction(() => {
      server.platform.events.append('task.changed', 1, {})
      throw new Error('back')
    }),
  ).toThrow('back')
  append('task.changed', 2)
  await client.next(entity(2))
  expect(entities(client)).toEqual([2])
})

test('a stream ends when the server drains', async () => {
  const client = await open()
  server.platform.drain()
  await client.ended
  expect((await server.client.get('/api/health')).status).toBe(503)
})

test('a client that goes away is forgotten', async () => {
  const client = await open()
  expect(server.app.headgate.streams.open).toBe(1)
  client.close()
  await expect.poll(() => server.app.headgate.streams.open).toBe(0)
})

test('nobody listens without a key, and a bad run_id is refused', async () => {
  expect((await server.client.get('/api/events')).status).toBe(401)
  expect(await server.as('viewer').get('/api/events?run_id=x')).toMatchObject({
    status: 400,
    body: { details: [{ path: 'query.run_id' }] },
  })
})

test('job_run_id keeps to one job run and its task runs', () => {
  const told = [
    { type: 'job_run.changed', entity_id: 7, data: {} },
    { type: 'job_run.progress', entity_id: 8, data: {} },
    { type: 'run.changed', entity_id: 7, data: { job_run_id: 8 } },
    { type: 'run.changed', entity_id: 3, data: { job_run_id: 7 } },
    { type: 'run.created', entity_id: 4, data: { job_run_id: null } },
    { type: 'job.changed', entity_id: 7, data: {} },
  ] as const
  const heard = (query: { run_id?: number; job_run_id?: number }) =>
    told.flatMap((event, index) => (isWanted(event, query) ? [index] : []))
  expect(heard({})).toEqual([0, 1, 2, 3, 4, 5])
  expect(heard({ job_run_id: 7 })).toEqual([0, 3])
  expect(heard({ run_id: 7 })).toEqual([2])
  expect(heard({ run_id: 4, job_run_id: 7 })).toEqual([0, 3, 4])
})

describe('where a client goes on', () => {
  test.each([
    ['new', undefined, { oldest: 5, latest: 9 }, { kind: 'continue', after: 9 }],
    ['up to date', 9, { oldest: 5, latest: 9 }, { kind: 'continue', after: 9 }],
    ['a little behind', 6, { oldest: 5, latest: 9 }, { kind: 'continue', after: 6 }],
    ['just within what is kept', 4, { oldest: 5, latest: 9 }, { kind: 'continue', after: 4 }],
    ['one too far behind', 3, { oldest: 5, latest: 9 }, { kind: 'reset', after: 9 }],
    ['of another store', 12, { oldest: 5, latest: 9 }, { kind: 'reset', after: 9 }],
    ['with everything pruned', 3, { oldest: 0, latest: 9 }, { kind: 'reset', after: 9 }],
    ['of an empty store', 0, { oldest: 0, latest: 0 }, { kind: 'continue', after: 0 }],
  ])('%s', (_, last, log, expected) => {
    expect(resumeFrom(last, log)).toMatchObject(expected)
  })
})
