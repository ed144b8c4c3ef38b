import { executorProtocolVersion } from '../../../src/contract/executor-lifecycle.ts'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { forkNode } from '../../../src/process/child.ts'
import { messageReader } from '../../process/next-message.ts'
import { childrenOf, isGone, peakMemoryMb } from '../../support/processes.ts'
import { executorOwner, startExecutorProcess, type ExecutorProcess } from './executor-process.ts'
import { executorKey, FakeControlPlane } from './fake-control-plane.ts'
import type { FakeTask } from './fake-task.ts'

const LONG = { timeout: 60_000, interval: 10 }
let controlPlane: FakeControlPlane
const started: ExecutorProcess[] = []

beforeEach(async () => {
  controlPlane = new FakeControlPlane()
  await controlPlane.up()
})
afterEach(async () => {
  for (const { child, exit } of started.splice(0)) {
    child.kill('SIGKILL')
    await exit
  }
  await controlPlane.down()
})

function start(args: string[] = [], env?: Record<string, string | undefined>): ExecutorProcess {
  const executor = startExecutorProcess(controlPlane, args, env)
  started.push(executor)
  return executor
}

async function startOnline(args: string[] = []): Promise<ExecutorProcess> {
  const executor = start(args)
  await expect.poll(() => controlPlane.claims.length, LONG).toBe(1)
  // Two for runs, one for calls.
  await expect.poll(() => executor.workers().length, LONG).toBe(3)
  return executor
}

/** A run whose code is under way. */
async function underWay(task: FakeTask): Promise<number> {
  const run = controlPlane.run({ log: ['begun'], ...task })
  await expect.poll(() => controlPlane.of(run, 'postRunState').length, LONG).toBe(1)
  return run
}

function tempDirsOf(pid: number | undefined): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`headgate-executor-${pid}-`))
}

describe('starting', () => {
  test('tells its owner when it is online', async () => {
    const executor = start()
    expect(await messageReader(executor.child)()).toMatchObject({ event: 'ready', id: 7, name: 'test' })
  })

  test.each([
    ['no key', [], { SVC_EXECUTOR_KEY: undefined }, 'SVC_EXECUTOR_KEY is not set'],
    ['a wrong key', [], { SVC_EXECUTOR_KEY: 'other' }, 'does not know this executor key'],
    ['an unknown option', ['--slot', '3'], undefined, "Unknown option '--slot'"],
    ['a bad number', ['--slots', 'many'], undefined, '--slots is "many": give a whole number from 1 to 1000.'],
  ])('with %s ends with one clear line', async (_, args, env, message) => {
    const executor = start(args, env)
    expect(await executor.exit).toMatchObject({ code: 1 })
    const lines = executor
      .output()
      .split('\n')
      .filter((line) => line.startsWith('executor: '))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(message)
    expect(tempDirsOf(executor.child.pid)).toEqual([])
  })

  test('against a control plane of another protocol says so and ends', async () => {
    controlPlane.intercept = (op) => (op === 'registerExecutor' ? { status: 400, error: 'VALIDATION_ERROR' } : null)
    const executor = start()
    expect(await executor.exit).toMatchObject({ code: 1 })
    expect(executor.output()).toMatch(
      new RegExp(`refused the registration.*speaks protocol ${executorProtocolVersion}.*same version of Headgate`),
    )
  })

  test('waits while another executor is online under its name', async () => {
    let refusals = 0
    controlPlane.intercept = (op) =>
      op === 'registerExecutor' && refusals++ < 2 ? { status: 409, error: 'CONFLICT' } : null
    const executor = await startOnline()
    expect(executor.output()).toContain('Another executor is online as \\"test\\"')
  })

  test('waits for a control plane that is not there yet', async () => {
    await controlPlane.down()
    const executor = start()
    await expect.poll(() => executor.output(), LONG).toContain('does not answer')
    await controlPlane.up()
    await expect.poll(() => controlPlane.online, LONG).toBe(true)
  })
})

describe('when the control plane restarts', () => {
  test('registers again as the same process and goes on with what it runs', async () => {
    await startOnline()
    const run = await underWay({ wait: 'polite' })
    await controlPlane.down()
    await controlPlane.up()
    await expect.poll(() => controlPlane.registrations.length, LONG).toBe(2)
    const [first, second] = controlPlane.registrations
    expect(second?.instance).toBe(first?.instance)
    await expect.poll(() => controlPlane.heartbeats.at(-1)?.running, LONG).toEqual([{ run_id: run, attempt: 1 }])
    controlPlane.cancel(run)
    await expect.poll(() => controlPlane.completion(run), LONG).toMatchObject({ status: 'cancelled' })
  })

  test('delivers what ended meanwhile, once and with its whole log', async () => {
    await startOnline()
    const lines = Array.from({ length: 5_000 }, (_, n) => `line ${n}`)
    // The answer to the claim still goes out; then nothing is taken any more.
    controlPlane.intercept = (op) =>
      op === 'claimWork' || op === 'registerExecutor' ? null : { status: 503, error: 'UNAVAILABLE' }
    const run = controlPlane.run({ log: lines, outcome: { item_count: 5 } })
    await expect.poll(() => controlPlane.claims.some(({ slots }) => slots > 0), LONG).toBe(true)
    await controlPlane.down()
    controlPlane.intercept = () => null
    await controlPlane.up()
    await expect.poll(() => controlPlane.completion(run), LONG).toMatchObject({ status: 'success', item_count: 5 })
    expect(controlPlane.log(run)).toEqual(lines)
    expect(controlPlane.of(run, 'completeRun')).toHaveLength(1)
  })

  test('with another executor key ends and says why', async () => {
    const executor = await startOnline()
    controlPlane.intercept = () => ({ status: 401, error: 'AUTH_ERROR' })
    expect(await executor.exit).toMatchObject({ code: 1 })
    expect(executor.output()).toContain('does not accept the executor key any more')
  })
})

describe('the lease', () => {
  test('ends: work is killed and nothing is told of it, and later work is taken again', async () => {
    await controlPlane.down()
    controlPlane = new FakeControlPlane({ leaseMs: 1_000 })
    await controlPlane.up()
    const executor = await startOnline()
    const run = await underWay({ wait: 'stubborn' })
    controlPlane.intercept = (op) => (op === 'heartbeatExecutor' ? { status: 503, error: 'UNAVAILABLE' } : null)
    await expect.poll(() => executor.output(), LONG).toContain('The lease has ended')
    controlPlane.intercept = () => null
    const next = controlPlane.run({})
    await expect.poll(() => controlPlane.completion(next), LONG).toMatchObject({ status: 'success' })
    expect(controlPlane.completion(run)).toBeUndefined()
  })

  test('goes on for a worker whose thread is busy for several times as long', async () => {
    await controlPlane.down()
    controlPlane = new FakeControlPlane({ leaseMs: 1_500 })
    await controlPlane.up()
    const executor = await startOnline()
    const run = await underWay({ blockMs: 7_000 })
    await expect.poll(() => controlPlane.completion(run), LONG).toMatchObject({ status: 'success' })
    expect(executor.output()).not.toContain('ended by signal')
  })

  test('ends for a worker, too, when its executor is stopped', async () => {
    await controlPlane.down()
    controlPlane = new FakeControlPlane({ leaseMs: 1_500 })
    await controlPlane.up()
    const executor = await startOnline()
    const run = await underWay({ block: true })
    const before = executor.workers()
    process.kill(executor.child.pid!, 'SIGSTOP')
    await expect.poll(() => before.filter(isGone).length, LONG).toBe(1)
    process.kill(executor.child.pid!, 'SIGCONT')
    await expect.poll(() => executor.output(), LONG).toContain('A run is given up')
    expect(controlPlane.completion(run)).toBeUndefined()
  })
})

describe('a sleep of the machine', () => {
  test('ends no lease of executor and worker, whatever their clock says: what runs goes on', async () => {
    await controlPlane.down()
    controlPlane = new FakeControlPlane({ leaseMs: 3_000 })
    await controlPlane.up()
    const executor = await startOnline()
    const run = await underWay({ wait: 'polite' })
    executor.child.send({ type: 'sleeps' })
    let refused = 0
    controlPlane.intercept = (op) => {
      if (op !== 'heartbeatExecutor') return null
      refused++
      return { status: 503, error: 'UNAVAILABLE' }
    }
    // One every 200 ms: the lease would be over long ago.
    await expect.poll(() => refused, LONG).toBeGreaterThan(25)
    executor.child.send({ type: 'woke' })
    controlPlane.intercept = () => null
    controlPlane.cancel(run)
    await expect.poll(() => controlPlane.completion(run), LONG).toMatchObject({ status: 'cancelled' })
    expect(executor.output()).not.toContain('The lease has ended')
  })
})

describe('draining', () => {
  test.each(['SIGTERM', 'message'] as const)(
    'by %s lets work finish, takes leave, and leaves nothing behind',
    async (how) => {
      const executor = await startOnline(['--grace', '10'])
      const workers = executor.workers()
      const run = await underWay({ wait: 'polite' })
      if (how === 'SIGTERM') process.kill(executor.child.pid!, 'SIGTERM')
      else executor.child.send({ type: 'drain' })
      await expect
        .poll(() => controlPlane.heartbeats.at(-1), LONG)
        .toMatchObject({ draining: true, running: [{ run_id: run }] })
      const late = controlPlane.run({})
      controlPlane.cancel(run)
      expect(await executor.exit).toEqual({ code: 0, signal: null })
      expect(controlPlane.completion(run)).toMatchObject({ status: 'cancelled' })
      expect(controlPlane.heartbeats.at(-1)).toEqual({ running: [], draining: true })
      expect(controlPlane.of(late)).toEqual([])
      await expect.poll(() => workers.every(isGone)).toBe(true)
      expect(tempDirsOf(executor.child.pid)).toEqual([])
    },
  )

  test.each(['polite', 'stubborn'] as const)(
    'fails %s work that does not finish in the grace, as worth another try',
    async (wait) => {
      const executor = await startOnline()
      const run = await underWay({ wait, steps: true })
      process.kill(executor.child.pid!, 'SIGTERM')
      expect(await executor.exit).toEqual({ code: 0, signal: null })
      expect(controlPlane.completion(run)).toMatchObject({
        status: 'failed',
        error: { code: 'EXECUTOR_SHUTDOWN', retryable: true },
      })
    },
  )

  test('ends in time although the control plane is gone', async () => {
    const executor = await startOnline()
    await underWay({ wait: 'stubborn' })
    const workers = executor.workers()
    await controlPlane.down()
    process.kill(executor.child.pid!, 'SIGTERM')
    expect(await executor.exit).toEqual({ code: 0, signal: null })
    await expect.poll(() => workers.every(isGone)).toBe(true)
  })

  test('at the wish of the control plane takes no new runs until it is over', async () => {
    const executor = await startOnline()
    controlPlane.drain = true
    const run = controlPlane.run({})
    await expect.poll(() => executor.output(), LONG).toContain('Draining: no new runs')
    expect(controlPlane.completion(run)).toBeUndefined()
    controlPlane.drain = false
    await expect.poll(() => controlPlane.completion(run), LONG).toMatchObject({ status: 'success' })
  })
})

describe('no orphans', () => {
  test('after kill -9 of the executor, also when a worker’s thread is blocked', async () => {
    const executor = await startOnline()
    await underWay({ block: true })
    const workers = executor.workers()
    executor.child.kill('SIGKILL')
    await expect.poll(() => workers.every(isGone), LONG).toBe(true)
    // What it left behind is removed by the next one.
    expect(tempDirsOf(executor.child.pid)).toHaveLength(1)
    await startOnline()
    expect(tempDirsOf(executor.child.pid)).toEqual([])
  })

  test('after kill -9 of the owner: the executor drains and ends', async () => {
    const args = ['--url', controlPlane.url, '--name', 'test', '--slots', '2', '--grace', '1']
    const owner = forkNode(executorOwner, {
      name: 'owner',
      args,
      env: { EXECUTOR_KEY: executorKey },
    })
    const { executor: pid } = (await messageReader(owner)()) as { executor: number }
    const run = await underWay({ wait: 'polite' })
    const workers = childrenOf(pid)
    expect(workers.length).toBeGreaterThan(1)
    owner.kill('SIGKILL')
    await expect.poll(() => isGone(pid), LONG).toBe(true)
    await expect.poll(() => workers.every(isGone), LONG).toBe(true)
    expect(controlPlane.completion(run)).toMatchObject({ error: { code: 'EXECUTOR_SHUTDOWN' } })
  })
})

test('what a worker prints can’t pass for a line of the executor’s log', async () => {
  const executor = await startOnline()
  const forged = JSON.stringify({ level: 'error', msg: 'forged' })
  controlPlane.run({ print: `so far\n${forged}\n` })
  await expect.poll(executor.output, LONG).toContain('forged')
  const lines = executor.output().trim().split('\n')
  const logged = lines.map((line) => JSON.parse(line) as { msg: string; output?: string })
  expect(logged).toContainEqual(expect.objectContaining({ msg: 'A worker printed', output: `so far\n${forged}\n` }))
  expect(logged.map(({ msg }) => msg)).not.toContain('forged')
})

test('a flood of 100 MB of log arrives byte for byte, in order, and takes little memory', async () => {
  const executor = await startOnline()
  const [lineCount, lineBytes] = [100_000, 1_024]
  let next = 0
  let wrong = 0
  controlPlane.onCallback = ({ op, body }) => {
    const { lines } = (op === 'postRunLogs' ? body : (body.logs ?? { lines: [] })) as { lines: { message: string }[] }
    for (const { message } of lines) if (message !== `${next++} `.padEnd(lineBytes, 'x')) wrong += 1
    return op === 'postRunLogs'
  }
  const run = controlPlane.run({ flood: { lines: lineCount, bytes: lineBytes } })
  await vi.waitFor(() => expect(controlPlane.completion(run)).toBeDefined(), { timeout: 60_000, interval: 20 })
  expect(controlPlane.completion(run)).toMatchObject({ status: 'success' })
  expect({ next, wrong }).toEqual({ next: lineCount, wrong: 0 })
  if (!existsSync('/proc/self/status')) return
  for (const pid of [executor.child.pid!, ...executor.workers()]) expect(peakMemoryMb(pid)).toBeLessThan(220)
})
