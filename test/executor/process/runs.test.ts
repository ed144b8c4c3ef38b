import { executorProtocolVersion } from '../../../src/contract/executor-lifecycle.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { isGone } from '../../support/processes.ts'
import { startExecutorProcess, type ExecutorProcess } from './executor-process.ts'
import { FakeControlPlane, type Completion } from './fake-control-plane.ts'

const controlPlane = new FakeControlPlane()
let executor: ExecutorProcess

beforeAll(async () => {
  await controlPlane.up()
  executor = startExecutorProcess(controlPlane)
  await until(() => controlPlane.claims.length === 1)
})
afterAll(async () => {
  executor.child.kill('SIGKILL')
  await executor.exit
  await controlPlane.down()
})
beforeEach(() => {
  controlPlane.intercept = () => null
})
afterEach(async () => {
  // Nothing is left under way, and every slot has come back.
  await until(() => controlPlane.heartbeats.at(-1)?.running.length === 0)
  await until(() => controlPlane.claims.some(({ slots }) => slots > 0))
})

function until(condition: () => boolean): Promise<void> {
  const look = (): void => {
    if (!condition()) throw new Error(`Not yet: ${condition.toString()}`)
  }
  return vi.waitFor(look, { timeout: 60_000 })
}

async function completed(runId: number): Promise<Completion> {
  await expect.poll(() => controlPlane.completion(runId), { timeout: 60_000, interval: 5 }).toBeDefined()
  return controlPlane.completion(runId)!
}

test('registers with what it is, and waits for runs and for calls', () => {
  expect(controlPlane.registrations[0]).toMatchObject({ name: 'test', slots: 2, protocol: executorProtocolVersion })
  expect(controlPlane.claims).toEqual([{ slots: 2, ahead: 0, call_slots: 2, result_slots: 4, wait_ms: 25_000 }])
})

describe('a run that ends by itself', () => {
  test('tells its outcome and its log', async () => {
    const run = controlPlane.run({ log: ['one', 'two'], outcome: { item_count: 42, outputs: { rows: 42 } } })
    const completion = await completed(run)
    expect(completion).toMatchObject({ attempt: 1, lease_token: `lease-${run}`, status: 'success', item_count: 42 })
    expect(completion.outputs).toMatchObject({ rows: 42 })
    expect(controlPlane.log(run)).toEqual(['one', 'two'])
    expect(Date.parse(completion.completed_at)).toBeGreaterThanOrEqual(Date.parse(completion.started_at))
  })

  test('tells what it has written also when its temporary folder is gone, and the next run has one again', async () => {
    expect(await completed(controlPlane.run({ loseFolder: true }))).toMatchObject({ status: 'success' })
    const next = [controlPlane.run({ leave: 'a' }), controlPlane.run({ leave: 'b' })]
    for (const run of next) expect(await completed(run)).toMatchObject({ status: 'success' })
  })

  test('needs one request in all when it is short', async () => {
    const requests: number[] = []
    for (let n = 0; n < 20; n++) {
      const run = controlPlane.run({ log: ['one'] })
      await completed(run)
      requests.push(controlPlane.of(run).length)
    }
    // Some may be longer than they look, on a machine that is busy.
    expect(requests).toContain(1)
  })

  test('is carried out by a warm worker that served before', async () => {
    const pids = new Set<unknown>()
    for (let n = 0; n < 6; n++) pids.add((await completed(controlPlane.run({}))).outputs?.pid)
    expect(pids.size).toBeLessThanOrEqual(2)
  })

  test('finds its temporary folder empty although the run before left something', async () => {
    await completed(controlPlane.run({ leave: 'rest.tmp' }))
    expect((await completed(controlPlane.run({ leave: 'rest.tmp' }))).status).toBe('success')
  })

  test('that throws fails as a fault of ours, which another attempt would not mend', async () => {
    const completion = await completed(controlPlane.run({ throw: 'out of luck' }))
    expect(completion).toMatchObject({
      status: 'failed',
      error: { code: 'INTERNAL_ERROR', message: expect.stringContaining('out of luck'), retryable: false },
    })
  })

  test('tells rejected rows before its end', async () => {
    const run = controlPlane.run({ rejects: 4_500 })
    expect(await completed(run)).toMatchObject({ reject_count: 4_500 })
    const batches = controlPlane.of(run, 'postRunRejects')
    expect(batches.map(({ body }) => body.seq)).toEqual(batches.map((_, n) => n + 1))
    const rows = batches.flatMap(({ body }) => body.rejects as { row: { n: number } }[])
    expect(rows.map(({ row }) => row.n)).toEqual(Array.from({ length: 4_500 }, (_, n) => n))
  })

  test('sends no more rejected rows than are kept, and counts them all', async () => {
    const run = controlPlane.run({ rejects: 25_000 })
    expect(await completed(run)).toMatchObject({ reject_count: 25_000 })
    const sent = controlPlane.of(run, 'postRunRejects').flatMap(({ body }) => body.rejects as unknown[])
    expect(sent).toHaveLength(10_000)
  })
})

describe('a long run', () => {
  test('tells that it has begun, its first lines and its steps while it is under way', async () => {
    const run = controlPlane.run({ log: ['begun'], steps: true, wait: 'polite' })
    await expect.poll(() => controlPlane.of(run, 'postRunState').length).toBe(1)
    await expect.poll(() => controlPlane.log(run)).toEqual(['begun'])
    await expect.poll(() => controlPlane.of(run, 'postRunProgress').length).toBe(1)
    await expect.poll(() => controlPlane.heartbeats.at(-1)?.running).toEqual([{ run_id: run, attempt: 1 }])
    controlPlane.cancel(run)
    await completed(run)
  })

  test('is cancelled in good order, also while all slots are taken', async () => {
    const runs = [1, 2].map(() => controlPlane.run({ log: ['begun'], steps: true, wait: 'polite' }))
    for (const run of runs) await expect.poll(() => controlPlane.of(run, 'postRunProgress').length).toBe(1)
    await expect
      .poll(() => controlPlane.claims)
      .toEqual([{ slots: 0, ahead: 0, call_slots: 2, result_slots: 4, wait_ms: 25_000 }])
    for (const run of runs) controlPlane.cancel(run)
    for (const run of runs) {
      const completion = await completed(run)
      expect(completion).toMatchObject({ status: 'cancelled', steps: [{ status: 'cancelled' }, { status: 'skipped' }] })
      expect(completion).not.toHaveProperty('error')
      expect(controlPlane.log(run)).toEqual(['begun', 'Cancelled'])
    }
  })

  test.each([{ wait: 'stubborn' as const }, { block: true }])('is killed when it does not stop: %o', async (task) => {
    const run = controlPlane.run({ log: ['begun'], steps: true, ...task })
    await expect.poll(() => controlPlane.of(run, 'postRunState').length).toBe(1)
    controlPlane.cancel(run)
    expect(await completed(run)).toMatchObject({ status: 'cancelled' })
  })

  test('is stopped at its time limit, and says which one', async () => {
    const run = controlPlane.run({ steps: true, wait: 'polite' }, { timeout_ms: 500 })
    const completion = await completed(run)
    expect(completion).toMatchObject({
      status: 'failed',
      error: { code: 'TIMEOUT', message: expect.stringContaining('500 ms'), step: 'source', retryable: true },
      steps: [
        { key: 'source', status: 'failed' },
        { key: 'target', status: 'skipped' },
      ],
    })
    // A timer may come a moment early by the clock that measures.
    expect(completion.duration_ms).toBeGreaterThan(490)
    expect(controlPlane.log(run).at(-1)).toContain('500 ms')
  })

  test('that is lost to another executor is killed without a word', async () => {
    const run = controlPlane.run({ wait: 'stubborn' })
    await expect.poll(() => controlPlane.of(run, 'postRunState').length).toBe(1)
    const workers = executor.workers()
    controlPlane.cancel(run, 'lost')
    await expect.poll(() => workers.some(isGone)).toBe(true)
    await expect.poll(() => controlPlane.heartbeats.at(-1)?.running).toEqual([])
    expect(controlPlane.completion(run)).toBeUndefined()
  })

  test('is given up when a callback is refused as stale', async () => {
    controlPlane.intercept = (op) => (op === 'postRunLogs' ? { status: 409, error: 'CONFLICT' } : null)
    const run = controlPlane.run({ log: ['stale'], wait: 'stubborn' })
    await expect.poll(() => executor.output()).toContain(`"run_id":${run},"attempt":1,"why":"409 CONFLICT`)
    await expect.poll(() => controlPlane.heartbeats.at(-1)?.running).toEqual([])
    expect(controlPlane.completion(run)).toBeUndefined()
  })
})

describe('a worker that dies', () => {
  test('fails its run with the exit code, and the next run finds a worker', async () => {
    const run = controlPlane.run({ log: ['last words'], steps: true, exit: 3 })
    expect(await completed(run)).toMatchObject({
      status: 'failed',
      error: { code: 'WORKER_CRASHED', message: expect.stringContaining('exit code 3'), retryable: true },
    })
    expect((await completed(controlPlane.run({}))).status).toBe('success')
  })

  test('with exit code 0 and no result fails its run, too, after all that it has told', async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n}`)
    const run = controlPlane.run({ log: lines, rejects: 4_500, exit: 0 })
    expect(await completed(run)).toMatchObject({
      status: 'failed',
      error: { code: 'WORKER_CRASHED', message: expect.stringContaining('exit code 0'), retryable: true },
    })
    // What was told is told without a gap, and nothing of it twice.
    const told = controlPlane.log(run).slice(0, -1)
    expect(told).toEqual(lines.slice(0, told.length))
    expect((await completed(controlPlane.run({}))).status).toBe('success')
  })

  test('by kill -9 fails its run with the signal', async () => {
    const run = controlPlane.run({ log: ['begun'], wait: 'polite' })
    await expect.poll(() => controlPlane.log(run)).toEqual(['begun'])
    const before = executor.workers()
    for (const pid of before) process.kill(pid, 'SIGKILL')
    const completion = await completed(run)
    expect(completion.error).toMatchObject({ code: 'WORKER_CRASHED', message: expect.stringContaining('SIGKILL') })
    await expect.poll(() => executor.workers().filter((pid) => !before.includes(pid)).length).toBe(3)
    expect((await completed(controlPlane.run({}))).status).toBe('success')
  })

  test('of an exception that nobody caught leaves its cause in the log of the executor', async () => {
    const run = controlPlane.run({ throwLater: 'deep down' })
    expect((await completed(run)).error).toMatchObject({ code: 'WORKER_CRASHED' })
    expect(executor.output()).toContain('nobody catches this: deep down')
  })
})

describe('what leaves a worker', () => {
  const secret = 'p@ss "wörd"/42'
  const connectors = {
    db: { id: 1, name: 'db', type: 'postgres', config: {}, secrets: { password: secret, pin: '123' } },
  }

  test('holds no secret of the run’s connectors: neither in lines nor errors nor reasons', async () => {
    const url = `postgres://ada:${encodeURIComponent(secret)}@host`
    const run = controlPlane.run(
      {
        log: [`trying ${secret} 123`, url, JSON.stringify({ secret })],
        rejects: 1,
        reason: `no ${secret}`,
        throw: `bad ${secret}`,
      },
      { connectors },
    )
    await completed(run)
    const told = JSON.stringify(controlPlane.of(run))
    expect(told).not.toContain('wörd')
    expect(told).not.toContain(encodeURIComponent('wörd'))
    expect(controlPlane.log(run).slice(0, 2)).toEqual(['trying *** 123', 'postgres://ada:***@host'])
    expect(controlPlane.completion(run)?.error?.message).toContain('bad ***')
  })

  test('is split where a message is longer than a line may be', async () => {
    const message = `${'x'.repeat(65_535)}😀${'y'.repeat(10)}`
    const run = controlPlane.run({ log: [message] })
    await completed(run)
    expect(controlPlane.log(run)).toHaveLength(2)
    expect(controlPlane.log(run).join('')).toBe(message)
  })
})

describe('a run that has committed', () => {
  const commit = { item_count: 7, cursor: '2026-01-01' }

  test('tells it ahead of its log', async () => {
    controlPlane.intercept = (op) => (op === 'postRunLogs' ? { status: 503, error: 'UNAVAILABLE' } : null)
    const run = controlPlane.run({ log: Array.from({ length: 3_000 }, (_, n) => `line ${n}`), commit })
    await expect
      .poll(() => controlPlane.of(run, 'postRunState').map(({ body }) => body))
      .toContainEqual(
        expect.objectContaining({ state: 'committed', item_count: 7, source_state: { cursor: '2026-01-01' } }),
      )
    expect(controlPlane.completion(run)).toBeUndefined()
    controlPlane.intercept = () => null
    expect((await completed(run)).status).toBe('success')
  })

  test('keeps what it has written when its worker is lost right afterwards', async () => {
    const run = controlPlane.run({ commit, exit: 9 })
    expect(await completed(run)).toMatchObject({
      status: 'failed',
      item_count: 7,
      state: { cursor: '2026-01-01' },
      error: { code: 'WORKER_CRASHED', retryable: false },
    })
  })
})

describe('a worker that asks to commit', () => {
  const asked = (run: number) =>
    controlPlane.of(run, 'postRunState').filter(({ body }) => body['state'] === 'committing')

  test('waits until the control plane knows of it', async () => {
    let refused = 0
    controlPlane.intercept = (op, { body }) => {
      const isQuestion = op === 'postRunState' && (body as { state: string }).state === 'committing'
      return isQuestion && ++refused < 3 ? { status: 503, error: 'UNAVAILABLE' } : null
    }
    const run = controlPlane.run({ permit: 'once' })
    expect((await completed(run)).status).toBe('success')
    expect(refused).toBe(3)
    expect(asked(run).map(({ body }) => body['repeatable'])).toEqual([false])
    expect(controlPlane.log(run)).toEqual(['permitted'])
  })

  test('is killed when the run is not its own any more', async () => {
    controlPlane.intercept = (op) => (op === 'postRunState' ? { status: 409, error: 'CONFLICT' } : null)
    const run = controlPlane.run({ permit: 'once', commit: { item_count: 7, cursor: 'a' } })
    await expect.poll(() => executor.output()).toContain(`"run_id":${run},"attempt":1,"why":"409 CONFLICT`)
    await expect.poll(() => controlPlane.heartbeats.at(-1)?.running).toEqual([])
    expect(controlPlane.log(run)).toEqual([])
    expect(controlPlane.completion(run)).toBeUndefined()
  })

  test('is stopped while it waits like any other', async () => {
    let questions = 0
    controlPlane.intercept = (op, { body }) => {
      if (op !== 'postRunState' || (body as { state: string }).state !== 'committing') return null
      questions++
      return 'hang'
    }
    const run = controlPlane.run({ permit: 'once' })
    await expect.poll(() => questions).toBe(1)
    controlPlane.cancel(run)
    expect((await completed(run)).status).toBe('cancelled')
  })

  test('and ends without a word leaves an unknown outcome, which is tried again only where that does no harm', async () => {
    const unknown = (retryable: boolean) => ({ status: 'failed', error: { code: 'OUTCOME_UNKNOWN', retryable } })
    expect(await completed(controlPlane.run({ permit: 'once', exit: 9 }))).toMatchObject(unknown(false))
    expect(await completed(controlPlane.run({ permit: 'repeatable', exit: 9 }))).toMatchObject(unknown(true))
  })

  test('and does not stop when it is told to has an unknown outcome, too', async () => {
    const run = controlPlane.run({ permit: 'repeatable', wait: 'stubborn' })
    await expect.poll(() => asked(run).length).toBe(1)
    await expect.poll(() => controlPlane.log(run)).toEqual(['permitted'])
    controlPlane.cancel(run)
    expect(await completed(run)).toMatchObject({ status: 'failed', error: { code: 'OUTCOME_UNKNOWN' } })
  })
})

describe('callbacks', () => {
  test('are repeated until there is an answer, in order and numbered without gaps', async () => {
    let failures = 0
    controlPlane.intercept = (op) => {
      if (op === 'registerExecutor' || op === 'claimWork' || failures++ % 3 === 0) return null
      return { status: 503, error: 'UNAVAILABLE' }
    }
    const lines = Array.from({ length: 3_000 }, (_, n) => `line ${n}`)
    const run = controlPlane.run({ log: lines })
    expect((await completed(run)).status).toBe('success')
    expect(controlPlane.log(run)).toEqual(lines)
    const seqs = controlPlane.of(run, 'postRunLogs').map(({ body }) => body.seq)
    expect([...seqs, controlPlane.completion(run)?.logs?.seq]).toEqual([...seqs, seqs.length + 1].map((_, n) => n + 1))
  })

  test('number the log to its end also when the end brings no line', async () => {
    expect((await completed(controlPlane.run({}))).logs).toEqual({ seq: 1, lines: [] })
  })

  test('of rejected rows that are refused are told in words, and the end reports the rows that were rejected', async () => {
    let refused = 0
    controlPlane.intercept = (op) =>
      op === 'postRunRejects' && refused++ < 1 ? { status: 413, error: 'PAYLOAD_TOO_LARGE' } : null
    const run = controlPlane.run({ rejects: 4_500 })
    // The control plane has fewer of them, and does not take this for a success.
    expect(await completed(run)).toMatchObject({ status: 'success', reject_count: 4_500 })
    const batches = controlPlane.of(run, 'postRunRejects').map(({ body }) => body)
    expect(batches.map(({ seq }) => seq)).toEqual(batches.map((_, n) => n + 1))
    expect(batches.flatMap(({ rejects }) => rejects as unknown[])).toHaveLength(2_500)
    expect(controlPlane.log(run)[0]).toMatch(/^2000 rejected rows could not be stored: 413/)
  })

  test('that are refused for what they hold are told in words instead', async () => {
    let refused = 0
    controlPlane.intercept = (op) => {
      const refuse = (op === 'postRunLogs' || op === 'completeRun') && refused++ < 1
      return refuse ? { status: 413, error: 'PAYLOAD_TOO_LARGE' } : null
    }
    const run = controlPlane.run({ log: Array.from({ length: 1_001 }, (_, n) => `line ${n}`) })
    expect((await completed(run)).status).toBe('success')
    expect(controlPlane.log(run)[0]).toMatch(/^\d+ log lines could not be stored: 413/)
    refused = 0
    const other = controlPlane.run({})
    expect(await completed(other)).toMatchObject({
      status: 'failed',
      error: {
        code: 'INTERNAL_ERROR',
        message: expect.stringMatching(/\(success\) could not be stored.*data of the run were written/),
      },
    })
  })
})

describe('calls', () => {
  const connector = { id: 1, name: 'files', type: 'file', config: {}, secrets: {} }

  test('are answered while every slot is taken by a run', async () => {
    const runs = [1, 2].map(() => controlPlane.run({ wait: 'polite' }))
    for (const run of runs) await expect.poll(() => controlPlane.of(run, 'postRunState').length).toBe(1)
    controlPlane.call('list', { kind: 'list_resources', connector, q: null })
    await expect.poll(() => controlPlane.callResults.get('list')).toMatchObject({ result: { kind: 'list_resources' } })
    for (const run of runs) controlPlane.cancel(run)
  })

  test('answer with the error that the engine gives', async () => {
    controlPlane.call('get', { kind: 'get_resource', connector, name: 'x.csv' })
    await expect
      .poll(() => controlPlane.callResults.get('get')?.error)
      .toMatchObject({ code: 'NOT_FOUND', message: 'no such file' })
  })

  test('whose worker ends without an answer, be it with exit code 0, fail', async () => {
    controlPlane.call('exit', { kind: 'list_resources', connector, q: 'exit' })
    await expect
      .poll(() => controlPlane.callResults.get('exit'))
      .toMatchObject({ error: { code: 'CONNECTOR_ERROR', message: expect.stringContaining('exit code 0') } })
  })

  test('time out with a word', async () => {
    controlPlane.call('slow', { kind: 'list_resources', connector, q: 'hang' }, 300)
    await expect.poll(() => controlPlane.callResults.get('slow')?.error).toMatchObject({ code: 'TIMEOUT' })
  })

  test('that are cancelled give their worker back and no answer', async () => {
    for (const id of ['a', 'b', 'c']) controlPlane.call(id, { kind: 'list_resources', connector, q: 'hang' }, 120_000)
    controlPlane.call('after', { kind: 'list_resources', connector, q: null }, 120_000)
    for (const id of ['a', 'b', 'c']) controlPlane.cancelCall(id)
    await expect.poll(() => controlPlane.callResults.get('after')).toMatchObject({ result: {} })
    expect(controlPlane.callResults.has('a')).toBe(false)
  })
})

describe('runs claimed ahead', () => {
  const short = (count: number): number[] => Array.from({ length: count }, () => controlPlane.run({}))
  const aheadOf = (runs: number[]): number[] => runs.filter((run) => controlPlane.ahead.has(run))

  test('begin once the control plane has said that they may, each once', async () => {
    // On a machine that is busy runs may look too long at first.
    await vi.waitFor(
      async () => {
        const runs = short(100)
        for (const run of runs) await completed(run)
        for (const run of runs) expect(controlPlane.of(run, 'completeRun')).toHaveLength(1)
        expect(aheadOf(runs).length).toBeGreaterThan(0)
      },
      { timeout: 60_000 },
    )
    expect(controlPlane.begunTooSoon).toEqual([])
  })

  test('go back when every slot has a long run, also those that may begin', async () => {
    for (let behind: number[] = []; aheadOf(behind).length === 0;) {
      for (const run of short(50)) await completed(run)
      const long = [1, 2].map(() => controlPlane.run({ log: ['begun'], wait: 'polite' }))
      behind = short(20)
      // They come while the long ones still look short, or stay where they are.
      for (const run of long)
        await expect.poll(() => controlPlane.of(run, 'postRunLogs').length, { timeout: 60_000 }).toBe(1)
      await until(() => aheadOf(behind).every((run) => controlPlane.givenBack.has(run)))
      for (const run of long) controlPlane.cancel(run)
      for (const run of [...long, ...behind.filter((one) => !controlPlane.ahead.has(one))]) await completed(run)
    }
  })
})
