import { expect, test } from 'vitest'
import type { ConnectorTestResult } from '../../../src/contract/connectors.ts'
import { controlPlane, movableClock, pass } from '../runs/control-plane.ts'
import { type FakeExecutor, fakeExecutor } from '../runs/fake-executor.ts'

const ok: ConnectorTestResult = { ok: true, checks: [{ name: 'connect', ok: true, duration_ms: 1 }] }
const answer = (executor: FakeExecutor, callId: string, body: object) =>
  executor.client.post(`/api/executor/calls/${callId}/result`, body, {
    headers: { 'x-executor-credential': executor.credential },
  })

test('a call goes to a waiting executor with its secrets, and its answer to whoever asked', async () => {
  const plane = await controlPlane()
  const executor = await fakeExecutor(plane)
  const claim = executor.claim({ slots: 0, wait_ms: 30_000 })
  await executor.heartbeat([])
  const asked = plane.editor.post(`/api/connectors/${plane.mapping.out}/test`)
  const [call] = (await claim).calls
  expect(call).toMatchObject({ timeout_ms: 30_000, work: { kind: 'test', connector: { id: plane.mapping.out } } })
  const body = { result: { kind: 'test', value: ok } }
  expect(await answer(executor, call!.call_id, body)).toMatchObject({ status: 200, body: { accepted: true } })
  expect(await asked).toMatchObject({ status: 200, body: ok })
  // The same answer again changes nothing; one for a call that nobody waits for is unknown.
  expect(await answer(executor, call!.call_id, body)).toMatchObject({ status: 200, body: { accepted: true } })
  expect((await answer(executor, 'nobody', body)).status).toBe(404)
})

test('a call that came before the claim waits for it; one without call slots leaves it', async () => {
  const plane = await controlPlane()
  const executor = await fakeExecutor(plane)
  const asked = plane.services.calls.call({ kind: 'test', connector: bound() }, 30_000)
  expect((await executor.claim({ call_slots: 0 })).calls).toEqual([])
  const [call] = (await executor.claim()).calls
  await answer(executor, call!.call_id, { result: { kind: 'test', value: ok } })
  expect(await asked).toEqual(ok)
})

test('without an executor the answer says what to do', async () => {
  const plane = await controlPlane()
  const refused = await plane.editor.post(`/api/connectors/${plane.mapping.out}/test`)
  expect(refused).toMatchObject({ status: 503, body: { error: 'UNAVAILABLE' } })
  expect((refused.body as { message: string }).message).toContain('npm run executor')
})

test("the executor's own error is the caller's", async () => {
  const plane = await controlPlane()
  const executor = await fakeExecutor(plane)
  const asked = plane.editor.get(`/api/connectors/${plane.mapping.out}/resources`)
  const [call] = (await executor.claim({ wait_ms: 10_000 })).calls
  const details = [{ path: 'connector.root', message: 'no such folder', code: 'ENOENT', name: 'Error' }]
  await answer(executor, call!.call_id, {
    error: { code: 'CONNECTOR_ERROR', message: 'The folder is not there.', details },
  })
  expect(await asked).toMatchObject({ status: 502, body: { error: 'CONNECTOR_ERROR', details } })
})

test('an answer of another kind is no answer', async () => {
  const plane = await controlPlane()
  const executor = await fakeExecutor(plane)
  const asked = plane.services.calls.call({ kind: 'test', connector: bound() }, 30_000)
  const outcome = outcomeOf(asked)
  const [call] = (await executor.claim()).calls
  const value = { resources: [], truncated: false }
  await answer(executor, call!.call_id, { result: { kind: 'list_resources', value } })
  expect(await outcome).toMatchObject({ code: 'UNAVAILABLE', reason: { code: 'call_answer_wrong' } })
})

test('a check of SQL that is answered with another kind leaves the SQL unchecked', async () => {
  const plane = await controlPlane()
  const executor = await fakeExecutor(plane)
  const { yaml_content } = (await plane.editor.get(`/api/tasks/${plane.taskId}`)).body as { yaml_content: string }
  const asked = plane.editor.post('/api/tasks/validate', { yaml_content })
  const [call] = (await executor.claim({ wait_ms: 10_000 })).calls
  const value = { resources: [], truncated: false }
  await answer(executor, call!.call_id, { result: { kind: 'list_resources', value } })
  expect(await asked).toMatchObject({ status: 200, body: { sql_checked: false } })
})

test('whoever goes away cancels the work on the executor', async () => {
  const plane = await controlPlane()
  const executor = await fakeExecutor(plane)
  const caller = new AbortController()
  const asked = plane.services.calls.call({ kind: 'test', connector: bound() }, 30_000, caller.signal)
  const [call] = (await executor.claim()).calls
  const claim = executor.claim({ wait_ms: 30_000 })
  await executor.heartbeat([])
  caller.abort()
  await expect(asked).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect((await claim).cancel_calls).toEqual([call!.call_id])
  expect(plane.services.calls.waiting).toBe(0)
})

test('a cancelled call that the executor could not hear of comes with its next claim', async () => {
  const plane = await controlPlane()
  const executor = await fakeExecutor(plane)
  const caller = new AbortController()
  const asked = plane.services.calls.call({ kind: 'test', connector: bound() }, 30_000, caller.signal)
  const [call] = (await executor.claim()).calls
  caller.abort()
  await expect(asked).rejects.toThrow('The client disconnected')
  expect((await executor.claim()).cancel_calls).toEqual([call!.call_id])
  expect((await executor.claim()).cancel_calls).toEqual([])
})

test('a call whose executor is lost is answered at once', async () => {
  const clock = movableClock()
  const plane = await controlPlane({ clock })
  const executor = await fakeExecutor(plane)
  const asked = plane.services.calls.call({ kind: 'test', connector: bound() }, 60_000)
  const outcome = outcomeOf(asked)
  await executor.claim()
  pass(plane, clock, 21)
  expect(await outcome).toMatchObject({ code: 'UNAVAILABLE' })
})

test('a call without answer times out, and the late answer is refused', async () => {
  const plane = await controlPlane()
  const executor = await fakeExecutor(plane)
  const asked = plane.services.calls.call({ kind: 'test', connector: bound() }, -1_990)
  const outcome = outcomeOf(asked)
  const [call] = plane.services.calls.take(executor.id, 1)
  expect(await outcome).toMatchObject({ code: 'TIMEOUT' })
  expect((await answer(executor, call!.call_id, { result: { kind: 'test', value: ok } })).status).toBe(404)
})

/** What came of it, the error as well; asked for at once, so that no rejection goes unheard. */
const outcomeOf = (work: Promise<unknown>) => work.catch((error: unknown) => error)
const bound = () => ({ id: 1, name: 'folder', type: 'file', config: { root: '/nowhere' }, secrets: {} })

const explain = { kind: 'explain', query: 'SELECT 1', parameters: {}, analyze: false, timeout_ms: 30_000 } as const

test('a user has a share of the calls: the next one is a 429 with the time to wait, another user’s is taken first', async () => {
  const plane = await controlPlane()
  const executor = await fakeExecutor(plane)
  const { calls } = plane.services
  const own = new AbortController()
  const ask = (userId: number, connector = bound()) =>
    calls.call({ kind: 'test', connector }, 30_000, own.signal, { userId })
  const many = Array.from({ length: 20 }, () => ask(1).catch((error: unknown) => error))
  await expect(ask(1)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 2 })
  const other = { ...bound(), name: 'of the other' }
  const asked = ask(2, other)
  const server = calls.call({ kind: 'test', connector: bound() }, 30_000, own.signal).catch(() => null)
  expect(calls.take(executor.id, 1)).toMatchObject([{ work: { kind: 'test' } }])
  // One of the first user’s is under way: the other one comes before the rest.
  const [next] = calls.take(executor.id, 1)
  expect(next).toMatchObject({ work: { connector: { name: 'of the other' } } })
  calls.report(next!.call_id, executor.id, { result: { kind: 'test', value: ok } })
  expect(await asked).toEqual(ok)
  own.abort()
  await Promise.all([...many, server])
  expect(calls.waiting).toBe(0)
})

test('plans and profiles leave a worker to others: an executor has one at a time, and the next one follows at once', async () => {
  const plane = await controlPlane()
  const executor = await fakeExecutor(plane)
  const { calls } = plane.services
  const first = calls.call({ ...explain, connector: bound() }, 30_000, undefined, { userId: 1 })
  const second = calls.call({ ...explain, connector: bound() }, 30_000, undefined, { userId: 2 })
  const third = calls.call({ kind: 'test', connector: bound() }, 30_000, undefined, { userId: 1 })
  const taken = calls.take(executor.id, 5)
  expect(taken.map(({ work }) => work.kind)).toEqual(['explain', 'test'])
  calls.report(taken[1]!.call_id, executor.id, { result: { kind: 'test', value: ok } })
  await third
  const claim = executor.claim({ slots: 0, wait_ms: 30_000 })
  await executor.heartbeat([])
  calls.report(taken[0]!.call_id, executor.id, { error: { code: 'TIMEOUT', message: 'late' } })
  await expect(first).rejects.toMatchObject({ code: 'TIMEOUT' })
  expect((await claim).calls.map(({ work }) => work.kind)).toEqual(['explain'])
  calls.executorGone(executor.id)
  await expect(second).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test('a process that ends in the middle of a call is said as that, not as a fault of the server', async () => {
  const plane = await controlPlane()
  const executor = await fakeExecutor(plane)
  const asked = plane.editor.get(`/api/connectors/${plane.mapping.out}/resources`)
  const [call] = (await executor.claim({ wait_ms: 10_000 })).calls
  const reason = { code: 'call_worker_ended', params: { how: 'signal SIGKILL' } }
  await answer(executor, call!.call_id, { error: { code: 'UNAVAILABLE', message: 'It ended', reason } })
  expect(await asked).toMatchObject({ status: 503, body: { error: 'UNAVAILABLE', message: 'It ended' } })
})
