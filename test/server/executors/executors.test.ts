import { describe, expect, test, vi } from 'vitest'
import { ownPlaces } from '../../../src/process/own-places.ts'
import { deal } from '../../../src/server/features/executors/executors.rules.ts'
import { createRunsStore } from '../../../src/server/features/runs/runs.store.ts'
import { controlPlane, movableClock, pass, taskYaml } from '../runs/control-plane.ts'
import { executorClient, failure, fakeExecutor, registration } from '../runs/fake-executor.ts'

const retrying = taskYaml('demo.retry', 'retries: {max: 1, delay: 0s}\n')

describe('registering', () => {
  test('gives id, credential and intervals; the list shows it', async () => {
    const plane = await controlPlane()
    const { body } = await plane.asExecutor().post('/api/executors/register', registration('berlin-1'))
    expect(body).toMatchObject({ id: 1, lease_ms: 20_000, heartbeat_ms: 5_000 })
    const list = (await plane.editor.get('/api/server/executors')).body
    expect(list).toMatchObject([{ id: 1, name: 'berlin-1', status: 'online', slots: 4, busy: 0, address: '127.0.0.1' }])
  })

  test('refuses another protocol, a wrong key and a caller of the interface', async () => {
    const plane = await controlPlane()
    const older = { ...registration('old'), protocol: 0 }
    expect((await plane.asExecutor().post('/api/executors/register', older)).body).toMatchObject({
      error: 'VALIDATION_ERROR',
      details: [
        { path: 'request', message: 'The executor uses a different protocol version' },
        { path: 'body.protocol' },
      ],
    })
    expect((await plane.client.post('/api/executors/register', registration('x'))).status).toBe(401)
    expect((await plane.editor.post('/api/executors/register', registration('x'))).status).toBe(401)
  })

  test('a name that is online under another process is taken until its lease ends', async () => {
    const clock = movableClock()
    const plane = await controlPlane({ clock })
    const first = await fakeExecutor(plane, 'one', 'process-1')
    expect((await plane.asExecutor().post('/api/executors/register', registration('one', 'process-2'))).status).toBe(
      409,
    )
    pass(plane, clock, 21)
    const second = await fakeExecutor(plane, 'one', 'process-2')
    expect(second.id).toBe(first.id)
    expect((await first.heartbeat([])).status).toBe(409)
    await expect(first.claim()).rejects.toThrow('409')
    expect((await second.heartbeat([])).status).toBe(200)
  })

  test('the same process comes back at once, and what it runs goes on', async () => {
    const plane = await controlPlane()
    const first = await fakeExecutor(plane, 'one', 'process-1')
    await plane.trigger()
    const plan = (await first.claim()).runs[0]!
    const again = await fakeExecutor(plane, 'one', 'process-1')
    expect((await again.heartbeat([plan])).body).toEqual({ cancel: [], drain: false })
    expect((await again.complete(plan)).status).toBe(200)
  })
})

describe('an executor that is not heard of', () => {
  async function loseExecutor(yaml?: string) {
    const clock = movableClock()
    const plane = await controlPlane({ clock, yaml })
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim()).runs[0]!
    pass(plane, clock, 19)
    expect(await plane.run(id)).toMatchObject({ status: 'running' })
    pass(plane, clock, 2)
    expect((await plane.editor.get('/api/server/executors')).body).toMatchObject([{ status: 'lost', busy: 0 }])
    return { plane, executor, id, plan }
  }

  test('is lost when its lease ends, and its run fails', async () => {
    const { plane, id } = await loseExecutor()
    expect(await plane.run(id)).toMatchObject({ status: 'failed', error_code: 'EXECUTOR_LOST', attempt: 1 })
  })

  test('that was only stopped and goes on is told so: its word does not count any more', async () => {
    const { plane, executor, id, plan } = await loseExecutor()
    expect((await executor.complete(plan)).status).toBe(409)
    expect((await executor.logs(plan, 1, [])).status).toBe(409)
    expect((await executor.state(plan)).status).toBe(409)
    const cancel = [{ run_id: id, attempt: 1, reason: 'lost' }]
    expect((await executor.heartbeat([plan])).body).toMatchObject({ cancel })
    expect((await plane.editor.get('/api/server/executors')).body).toMatchObject([{ status: 'online' }])
    expect(await plane.run(id)).toMatchObject({ status: 'failed' })
  })

  test('leaves its run to others while attempts remain, and cannot interfere', async () => {
    const { plane, executor, id, plan } = await loseExecutor(retrying)
    expect(await plane.run(id)).toMatchObject({ status: 'pending', error_code: 'EXECUTOR_LOST', attempt: 2 })
    const other = await fakeExecutor(plane, 'other')
    const second = (await other.claim()).runs[0]!
    expect(second).toMatchObject({ run_id: id, attempt: 2 })
    expect((await executor.complete(plan)).status).toBe(409)
    expect((await other.complete(second)).status).toBe(200)
    expect((await executor.complete(plan)).status).toBe(409)
    expect(await plane.run(id)).toMatchObject({ status: 'success', attempt: 2, error_code: null })
  })

  async function inDoubt() {
    const plane = await controlPlane({ yaml: retrying })
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const first = (await executor.claim()).runs[0]!
    expect((await executor.state(first, { state: 'committing', repeatable: true })).status).toBe(200)
    const { attempts } = plane.services.runs
    attempts.giveUp({ run_id: id, attempt: 1 }, 'executor_lost')
    expect(await plane.run(id)).toMatchObject({ status: 'pending', attempt: 2, error_code: 'OUTCOME_UNKNOWN' })
    return { plane, executor, id, attempts }
  }

  test.each([
    { end: 'lost', message: /it is not known whether the rows were written/ },
    { end: 'failed', message: /An earlier attempt may have written/ },
    { end: 'cancelled', message: /An earlier attempt may have written/ },
  ])(
    'that may have written leaves the doubt to the next attempt, which was $end before it wrote',
    async ({ end, message }) => {
      const { plane, executor, id, attempts } = await inDoubt()
      const second = (await executor.claim()).runs[0]!
      if (end === 'cancelled') attempts.cancel(id)
      if (end === 'lost') attempts.giveUp({ run_id: id, attempt: 2 }, 'executor_gone')
      else await executor.complete(second, failure(false))
      const run = await plane.run(id)
      expect(run).toMatchObject({ status: 'failed', error_code: 'OUTCOME_UNKNOWN', error_message: message })
    },
  )

  test('that may have written leaves the doubt to a run that is cancelled while it waits', async () => {
    const { plane, id, attempts } = await inDoubt()
    attempts.cancel(id)
    expect(await plane.run(id)).toMatchObject({ status: 'cancelled', error_code: 'OUTCOME_UNKNOWN' })
  })

  test('heartbeats keep the lease, whatever the time of day does', async () => {
    const clock = movableClock()
    const plane = await controlPlane({ clock })
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim()).runs[0]!
    for (let i = 0; i < 12; i++) {
      pass(plane, clock, 5)
      expect((await executor.heartbeat([plan])).status).toBe(200)
    }
    expect(await plane.run(id)).toMatchObject({ status: 'running' })
  })

  test('a pause of the server itself makes nobody look dead', async () => {
    const clock = movableClock()
    const plane = await controlPlane({ clock })
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    await executor.claim()
    clock.offset += 3_600_000
    plane.services.executors.sweep()
    expect(await plane.run(id)).toMatchObject({ status: 'running' })
    pass(plane, clock, 21)
    expect(await plane.run(id)).toMatchObject({ status: 'failed' })
  })

  test('its owner may say that it has ended, so that nobody waits for the lease', async () => {
    const plane = await controlPlane({ yaml: retrying })
    const executor = await fakeExecutor(plane, 'local', 'process-1')
    const { id } = await plane.trigger()
    await executor.claim()
    plane.services.executors.ended('local')
    expect(await plane.run(id)).toMatchObject({ status: 'pending', attempt: 2 })
    const next = await fakeExecutor(plane, 'local', 'process-2')
    expect((await next.claim()).runs).toMatchObject([{ run_id: id, attempt: 2 }])
  })
})

describe('heartbeats', () => {
  test('are shown immediately, and written once a minute or with what else changes', async () => {
    const clock = movableClock()
    const plane = await controlPlane({ clock })
    const executor = await fakeExecutor(plane)
    type Row = { status: string; last_heartbeat_at: string }
    const shown = async () => ((await plane.editor.get('/api/server/executors')).body as [Row])[0]
    const stored = () =>
      (plane.platform.store.sqlite.prepare('SELECT last_heartbeat_at AS at FROM executors').get() as { at: string }).at
    await executor.heartbeat([])
    const first = stored()
    for (let beat = 0; beat < 3; beat++) {
      const { last_heartbeat_at: before } = await shown()
      pass(plane, clock, 5)
      await executor.heartbeat([])
      expect(Date.parse((await shown()).last_heartbeat_at)).toBeGreaterThanOrEqual(Date.parse(before) + 5_000)
      expect(stored()).toBe(first)
    }
    const { last_heartbeat_at: last } = await shown()
    pass(plane, clock, 21)
    expect(await shown()).toMatchObject({ status: 'lost', last_heartbeat_at: last })
    expect(stored()).toBe(last)
    pass(plane, clock, 60)
    await executor.heartbeat([])
    expect(stored()).toBe((await shown()).last_heartbeat_at)
    expect(stored() > last).toBe(true)
  })
})

describe('a claim that never arrived', () => {
  test('is given back as the same attempt after two heartbeats that do not list it', async () => {
    const clock = movableClock()
    const plane = await controlPlane({ clock })
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const lost = (await executor.claim()).runs[0]!
    for (let i = 0; i < 2; i++) {
      await executor.heartbeat([])
      pass(plane, clock, 5)
    }
    expect(await plane.run(id)).toMatchObject({ status: 'pending', attempt: 1, executor_id: null })
    const plan = (await executor.claim()).runs[0]!
    expect(plan).toMatchObject({ run_id: id, attempt: 1 })
    expect((await executor.complete(lost)).status).toBe(409)
    expect((await executor.complete(plan)).status).toBe(200)
  })

  test('work that the executor has spoken of is not taken away so fast', async () => {
    const clock = movableClock()
    const plane = await controlPlane({ clock })
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim()).runs[0]!
    await executor.state(plan)
    for (let i = 0; i < 3; i++) {
      await executor.heartbeat([])
      pass(plane, clock, 5)
    }
    expect(await plane.run(id)).toMatchObject({ status: 'running' })
    for (let i = 0; i < 3; i++) {
      await executor.heartbeat([])
      pass(plane, clock, 5)
    }
    expect(await plane.run(id)).toMatchObject({ status: 'failed', error_code: 'EXECUTOR_LOST' })
  })
})

describe('time limits that the executor does not keep', () => {
  test('end the run some time after', async () => {
    const clock = movableClock()
    const plane = await controlPlane({ clock, yaml: taskYaml('demo.slow', 'timeout: 10s\n') })
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim()).runs[0]!
    expect(plan.timeout_ms).toBe(10_000)
    for (let i = 0; i < 7; i++) {
      pass(plane, clock, 5)
      await executor.heartbeat([plan])
    }
    expect(await plane.run(id)).toMatchObject({ status: 'running' })
    pass(plane, clock, 6)
    expect(await plane.run(id)).toMatchObject({ status: 'failed', error_code: 'TIMEOUT' })
    expect((await executor.heartbeat([plan])).body).toMatchObject({ cancel: [{ run_id: id, reason: 'lost' }] })
  })

  test('a wish to cancel that nobody answers is fulfilled without it', async () => {
    const clock = movableClock()
    const plane = await controlPlane({ clock })
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim()).runs[0]!
    await plane.editor.post(`/api/runs/${id}/cancel`)
    for (let i = 0; i < 7; i++) {
      pass(plane, clock, 5)
      await executor.heartbeat([plan])
    }
    expect(await plane.run(id)).toMatchObject({ status: 'cancelled' })
    expect((await executor.complete(plan)).status).toBe(409)
  })
})

describe('draining', () => {
  test('finishes what runs, takes nothing new, and goes offline with its last word', async () => {
    const plane = await controlPlane()
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim({ slots: 1 })).runs[0]!
    expect((await plane.editor.post(`/api/server/executors/${executor.id}/drain`)).body).toEqual({ success: true })
    await plane.trigger()
    expect((await executor.claim()).runs).toEqual([])
    expect((await executor.heartbeat([plan])).body).toEqual({ cancel: [], drain: true })
    await executor.complete(plan)
    await executor.heartbeat([], true)
    expect(await plane.run(id)).toMatchObject({ status: 'success' })
    expect((await plane.editor.get('/api/server/executors')).body).toMatchObject([{ status: 'offline' }])
    expect((await executor.heartbeat([])).status).toBe(409)
    expect((await plane.editor.post(`/api/server/executors/${executor.id}/drain`)).body).toMatchObject({
      error: 'INVALID_STATE',
    })
    const next = await fakeExecutor(plane, 'fake', 'next')
    expect((await next.claim()).runs).toHaveLength(1)
  })

  test('is for admins', async () => {
    const plane = await controlPlane()
    const executor = await fakeExecutor(plane)
    expect((await plane.as('editor').post(`/api/server/executors/${executor.id}/drain`)).status).toBe(403)
    expect((await plane.editor.post('/api/server/executors/99/drain')).status).toBe(404)
  })
})

describe('a restart of the server', () => {
  test('leaves every run one fresh lease period to be heard of again', async () => {
    const first = await controlPlane()
    const executor = await fakeExecutor(first)
    const { id } = await first.trigger()
    const plan = (await executor.claim()).runs[0]!
    const { startTestServer } = await import('../../support/server.ts')
    const { cpSync, mkdtempSync, rmSync } = await import('node:fs')
    const copy = mkdtempSync(`${first.dataDir}-copy-`)
    first.platform.store.sqlite.pragma('wal_checkpoint(TRUNCATE)')
    cpSync(first.dataDir, copy, { recursive: true, filter: (file) => !/lock|endpoint/.test(file) })
    const clock = movableClock()
    const second = await startTestServer({ dataDir: copy, clock })
    try {
      const back = executorClient(second.asExecutor(), executor.id, executor.credential)
      pass(second, clock, 15)
      expect(second.services.runs.get(id)).toMatchObject({ status: 'running' })
      expect((await back.heartbeat([plan])).body).toEqual({ cancel: [], drain: false })
      pass(second, clock, 15)
      expect(second.services.runs.get(id)).toMatchObject({ status: 'running' })
      expect((await back.complete(plan)).status).toBe(200)
      expect(second.services.runs.get(id)).toMatchObject({ status: 'success' })
    } finally {
      await second.close()
      rmSync(copy, { recursive: true, force: true })
    }
  })
})

describe('handing out', () => {
  test('is fair: one each in turn, as far as the slots go', () => {
    const a = { slots: 3, ahead: 0 }
    const b = { slots: 1, ahead: 0 }
    const hands = deal([1, 2, 3, 4, 5], [a, b])
    expect([hands.get(a), hands.get(b)]).toEqual([[1, 3, 4], [2]])
    expect(deal([1], []).size).toBe(0)
  })

  test('deals ahead only what nobody could start now', () => {
    const a = { slots: 1, ahead: 10 }
    const b = { slots: 2, ahead: 1 }
    const hands = deal([1, 2, 3, 4, 5, 6, 7], [a, b])
    expect([hands.get(a), hands.get(b)]).toEqual([
      [1, 4, 6, 7],
      [2, 3, 5],
    ])
  })

  test('gives each run to one claim only, in the order in which they were started', async () => {
    const plane = await controlPlane()
    const ids: number[] = []
    for (let i = 0; i < 20; i++) ids.push((await plane.trigger()).id)
    const executors = await Promise.all(['a', 'b', 'c'].map((name) => fakeExecutor(plane, name)))
    const claims = await Promise.all(executors.map((one) => one.claim({ slots: 8 })))
    const given = claims.map((claim) => claim.runs.map(({ run_id }) => run_id))
    expect(given.flat().toSorted((x, y) => x - y)).toEqual(ids)
    for (const hand of given) expect(hand).toEqual(hand.toSorted((x, y) => x - y))
  })

  test('is found in an index in its order, however many runs wait', async () => {
    const { platform } = await controlPlane()
    const { sqlite } = platform.store
    const prepared = vi.spyOn(sqlite, 'prepare')
    createRunsStore(platform.store)
    const texts = prepared.mock.calls.map(([text]) => text).filter((text) => /'pending'[^)]*ORDER BY/.test(text))
    prepared.mockRestore()
    const plans = texts.map((text) => {
      const values = [...text.matchAll(/\?/g)].map(() => 1)
      return sqlite.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(...values)
    })
    expect(plans.map((plan) => plan.map(({ detail }) => detail))).toEqual([
      [expect.stringContaining('INDEX runs_ready')],
      [expect.stringContaining('INDEX runs_waiting')],
    ])
  })

  test('a newer claim of the same executor replaces the older one', async () => {
    const plane = await controlPlane()
    const executor = await fakeExecutor(plane)
    const older = executor.claim({ wait_ms: 30_000 })
    const newer = executor.claim({ wait_ms: 30_000 })
    expect((await older).runs).toEqual([])
    await plane.trigger()
    expect((await newer).runs).toHaveLength(1)
  })

  test('a waiting claim ends with the server', async () => {
    const plane = await controlPlane()
    const executor = await fakeExecutor(plane)
    const claim = executor.claim({ wait_ms: 30_000 })
    await executor.heartbeat([])
    const protected_places = ownPlaces([plane.dataDir])
    const closing = plane.close()
    expect(await claim).toEqual({
      runs: [],
      ahead: 0,
      calls: [],
      results: [],
      cancel: [],
      cancel_calls: [],
      protected_places,
    })
    await closing
  })

  test('a retry that waits for its time wakes the claim by itself', async () => {
    const plane = await controlPlane({ yaml: taskYaml('demo.later', 'retries: {max: 1, delay: 300ms}\n') })
    const executor = await fakeExecutor(plane)
    const { id } = await plane.trigger()
    const plan = (await executor.claim()).runs[0]!
    const claim = executor.claim({ wait_ms: 30_000 })
    await executor.complete(plan, { status: 'failed', error: { code: 'X', message: 'x', retryable: true } })
    const waiting = await plane.run(id)
    expect(waiting).toMatchObject({ status: 'pending', attempt: 2, error_code: 'X' })
    expect(Date.parse(waiting.next_attempt_at!) - Date.parse(waiting.updated_at)).toBe(300)
    expect((await claim).runs).toMatchObject([{ run_id: id, attempt: 2 }])
  })
})

describe('runs claimed ahead', () => {
  async function claimAhead() {
    const clock = movableClock()
    const plane = await controlPlane({ clock })
    const executor = await fakeExecutor(plane)
    for (let run = 0; run < 4; run++) await plane.trigger()
    const claimed = await executor.claim({ slots: 1, ahead: 2 })
    return { clock, plane, executor, claimed, status: async (id: number) => (await plane.run(id)).status }
  }

  test('are told apart from those that may begin, and do not count as busy slots', async () => {
    const { plane, claimed } = await claimAhead()
    expect(claimed.runs.map(({ run_id }) => run_id)).toEqual([1, 2, 3])
    expect(claimed.ahead).toBe(2)
    expect((await plane.editor.get('/api/server/executors')).body).toMatchObject([{ busy: 1 }])
  })

  test('wait again when their executor is lost, with no attempt lost; those that may have begun fail', async () => {
    const { clock, plane, executor, claimed } = await claimAhead()
    const [first, begun, waiting] = claimed.runs
    expect((await executor.begin([begun!])).body).toEqual({ cancel: [] })
    pass(plane, clock, 21)
    for (const run of [first, begun])
      expect(await plane.run(run!.run_id)).toMatchObject({ status: 'failed', error_code: 'EXECUTOR_LOST' })
    expect(await plane.run(waiting!.run_id)).toMatchObject({ status: 'pending', attempt: 1, started_at: null })
    const other = await fakeExecutor(plane, 'other')
    const [again] = (await other.claim()).runs
    expect(again).toMatchObject({ run_id: waiting!.run_id, attempt: 1 })
    // Should the lost one be heard of again, what it holds is not its any more.
    const cancel = [{ run_id: waiting!.run_id, attempt: 1, reason: 'lost' }]
    expect((await executor.begin([waiting!])).body).toEqual({ cancel })
    expect((await executor.complete(waiting!)).status).toBe(409)
    expect((await other.complete(again!)).status).toBe(200)
  })

  test('wait again at once when the process of their executor ends', async () => {
    const { plane, claimed, status } = await claimAhead()
    plane.services.executors.ended('fake')
    expect(await Promise.all(claimed.runs.map(({ run_id }) => status(run_id)))).toEqual([
      'failed',
      'pending',
      'pending',
    ])
  })

  test('go back when they are given back, in their place, and to whoever waits', async () => {
    const { plane, executor, claimed } = await claimAhead()
    const other = await fakeExecutor(plane, 'other')
    expect((await other.claim({ slots: 1 })).runs).toMatchObject([{ run_id: 4 }])
    const waiting = other.claim({ slots: 4, wait_ms: 30_000 })
    const [first, second, third] = claimed.runs
    expect((await executor.begin([], [first!, second!, third!])).body).toEqual({ cancel: [] })
    expect((await waiting).runs.map(({ run_id }) => run_id)).toEqual([1, 2, 3])
    // Said again because no answer came: they are under another lease by now.
    expect((await executor.begin([], [first!, second!, third!])).status).toBe(200)
    expect(await plane.run(first!.run_id)).toMatchObject({ status: 'running', executor_name: 'other' })
  })

  test('are cancelled at once: the next answer names them', async () => {
    const { plane, executor, claimed, status } = await claimAhead()
    const { run_id, attempt } = claimed.runs[2]!
    const news = executor.claim({ slots: 0, wait_ms: 30_000 })
    await plane.editor.post(`/api/runs/${run_id}/cancel`)
    expect((await news).cancel).toEqual([{ run_id, attempt, reason: 'cancelled' }])
    expect((await executor.begin([], [claimed.runs[2]!])).status).toBe(200)
    expect(await status(run_id)).toBe('cancelled')
  })
})
