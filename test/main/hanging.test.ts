import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startExecutorProcess } from '../../src/main/processes/executor-process.ts'
import type { Hanging } from '../../src/process/hang-watch.ts'
import { afterTick, ASK_EVERY_MS, hasWorked, HEARD, type Tick } from '../../src/process/hang.rules.ts'
import { startServerProcess } from '../../src/main/processes/server-process.ts'
import { words } from '../../src/main/words.ts'
import { forkNode, type ChildHandle, type Forker } from '../../src/process/child.ts'
import { cpuSeconds } from '../../src/process/cpu-seconds.ts'
import { createLocalExecutor } from '../../src/server/local-executor.ts'
import type { Running } from '../../src/server/serving.ts'
import { entryOf } from '../support/entries.ts'

const silent: Tick = { spoke: false, lateMs: 0, starting: null }
const spoke: Tick = { ...silent, spoke: true }
/** He who asks was stopped for an hour, with the machine or alone. */
const slept: Tick = { ...silent, lateMs: 3_600_000 }
/** A clock that was set back. */
const early: Tick = { ...silent, lateMs: -3_600_000 }
const idle: Tick = { ...silent, starting: { works: false } }
const busy: Tick = { ...silent, starting: { works: true } }
const times = (count: number, tick: Tick): Tick[] => Array.from({ length: count }, () => tick)

test.each([
  ['three questions in a row without a word', true, [silent, silent, silent]],
  ['a silence while the clock is set back', true, [early, silent, silent]],
  ['a job that takes less', false, [silent, silent, spoke, silent, silent]],
  ['a sleep of the machine between the questions', false, [silent, silent, slept, silent, silent]],
  ['many short awakenings', false, [slept, silent, slept, silent, slept, slept]],
  ['a quarter of an hour of a start without word or work', true, times(90, idle)],
  ['a start that takes its time', false, [...times(89, idle), busy, ...times(89, idle)]],
  ['an hour of work on a big store before it is ready', false, times(360, busy)],
])('%s: the process hangs: %s', (_what, hangs, ticks) => {
  let silence = HEARD
  for (const tick of ticks) silence = afterTick(silence, tick)
  expect(silence.hangs).toBe(hangs)
})

test('hearing questions is no work, and a process of which nobody knows is not taken for idle', () => {
  expect([hasWorked(1, 1.01), hasWorked(1, 1.02), hasWorked(1, undefined), hasWorked(undefined, 1)]).toEqual([
    false,
    true,
    true,
    true,
  ])
})

/** Processes that are watched for real; time passes when the test says so. */
function world() {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-hang-'))
  const logged: string[] = []
  const log = (text: string): void => void logged.push(text)
  const ends: (() => Promise<void>)[] = []
  onTestFinished(async () => {
    for (const end of ends.toReversed()) await end()
    rmSync(dataDir, { recursive: true, force: true })
  })

  function time(): { hanging: Hanging; passes: (ticks: number) => void } {
    let now = 0
    let tick = (): void => {}
    const hanging: Hanging = {
      cpuSeconds,
      now: () => now,
      every(_ms, callback) {
        tick = callback
        return () => (tick = () => {})
      },
    }
    const passes = (ticks: number): void => {
      for (let time = 0; time < ticks; time++) {
        now += ASK_EVERY_MS
        tick()
      }
    }
    return { hanging, passes }
  }

  const forker: Forker = (entry, options) => forkNode(entry, { ...options, output: 'ignore' })

  function server() {
    const { hanging, passes } = time()
    const started = startServerProcess({
      forker,
      entry: entryOf('server'),
      config: { dataDir, userDataDir: dataDir, port: '0', serviceEnv: {} },
      logTail: () => [],
      log,
      words: () => words('en'),
      keychain: () => Promise.resolve(null),
      hanging,
    })
    ends.push(() => started.drain())
    return { server: started, passes }
  }

  /** Forks, and hears what every child says. */
  function listening() {
    const children: { handle: ChildHandle; heard: unknown[] }[] = []
    const fork: Forker = (entry, options) => {
      const handle = forker(entry, options)
      const heard: unknown[] = []
      handle.onMessage((message) => heard.push(message))
      children.push({ handle, heard })
      return handle
    }
    return { children, fork }
  }

  function executor(of: ReturnType<typeof server>['server']) {
    const { hanging, passes } = time()
    const { children, fork } = listening()
    const started = startExecutorProcess({
      forker(entry, options) {
        const handle = fork(entry, options)
        // The first one hangs from its first moment on.
        if (children.length === 1) process.kill(handle.pid!, 'SIGSTOP')
        return handle
      },
      entry: entryOf('executor'),
      workerEntry: '/nobody/asks/for/this',
      server: of,
      log,
      hanging,
    })
    ends.push(() => started.drain())
    return { children, passes }
  }

  /** The executor of a server without the desktop app: what it hears of that server is said here. */
  function headless(of: ReturnType<typeof server>['server']) {
    const { hanging, passes } = time()
    if (of.state.name !== 'ready') throw new Error('The server is not ready')
    const { children, fork } = listening()
    const told: string[] = []
    const platform = {
      config: { executorKey: of.state.executorKey, localExecutor: true },
      logger: {
        info: () => {},
        error: (facts: object, text: string) => void logged.push(`${text} ${JSON.stringify(facts)}\n`),
      },
      store: { sqlite: { open: true } },
    }
    const app = { services: { executors: { ended: (name: string) => void told.push(name) } } }
    const started = createLocalExecutor(pathToFileURL(entryOf('server')).href, hanging, fork)
    ends.push(() => started.drain())
    // It reads no more than this.
    started.serve({ url: of.state.url, platform, app } as unknown as Running)
    return { children, told, passes }
  }

  return { server, executor, headless, logged }
}

test('a server that is stopped, before it was ready once or later, is ended and comes back; one that answers is left alone', async () => {
  const { server: start, logged } = world()
  const { server, passes } = start()
  const first = server.pid
  process.kill(first!, 'SIGSTOP')
  // A look at what it has done, then a quarter of an hour in which it does nothing.
  passes(90)
  expect(logged).toEqual([])
  passes(1)
  await expect.poll(() => [server.state.name, server.pid === first]).toEqual(['ready', false])
  expect(logged.join('')).toMatch(/server lives, but has neither.*\n.*the server ended \(signal SIGKILL\)/)

  const { pid } = server
  const before = server.state
  for (let time = 0; time < 5; time++) {
    passes(1)
    // What it says on the same way comes after its answer.
    await server.launchToken()
  }
  expect(server.pid).toBe(pid)

  process.kill(pid!, 'SIGSTOP')
  passes(4)
  await expect.poll(() => [server.state.name, server.pid === pid]).toEqual(['ready', false])
  expect(server.state).toMatchObject({ name: 'ready', url: (before as { url: string }).url })
  expect(logged.join('')).toMatch(/server lives, but has not answered.*\n.*the server ended \(signal SIGKILL\)/)
})

async function answersFiveTimes({ heard }: { heard: unknown[] }, passes: (ticks: number) => void): Promise<void> {
  const pongs = (): number => heard.filter((message) => (message as { event?: string }).event === 'pong').length
  await expect.poll(() => heard).toContainEqual(expect.objectContaining({ event: 'ready' }))
  for (let time = 1; time <= 5; time++) {
    passes(1)
    await expect.poll(pongs).toBe(time)
  }
}

test('an executor that is stopped, at work or before it was ready once, is ended and started again; one that answers is left alone', async () => {
  const { server: startServer, executor, logged } = world()
  const { server } = startServer()
  const { children, passes } = executor(server)
  await expect.poll(() => children.length).toBe(1)
  passes(91)
  await expect.poll(() => children.length).toBe(2)
  expect(logged.join('')).toMatch(/executor lives, but has neither.*\n.*the executor ended \(signal SIGKILL\)/)

  const second = children[1]!
  await answersFiveTimes(second, passes)
  expect(children).toHaveLength(2)
  process.kill(second.handle.pid!, 'SIGSTOP')
  passes(4)
  await expect.poll(() => children.length).toBe(3)
  expect(logged.join('')).toMatch(/executor lives, but has not answered.*\n.*the executor ended \(signal SIGKILL\)/)
})

test('without the desktop app the server watches its executor: one that is stopped is ended, told of and started again; one that answers is left alone', async () => {
  const { server: startServer, headless, logged } = world()
  const { server } = startServer()
  await expect.poll(() => server.state.name).toBe('ready')
  const { children, told, passes } = headless(server)
  const [first] = children
  await answersFiveTimes(first!, passes)
  expect([logged, children.length]).toEqual([[], 1])
  process.kill(first!.handle.pid!, 'SIGSTOP')
  passes(3)
  expect(logged).toEqual([])
  passes(1)
  await expect.poll(() => told).toEqual(['local'])
  await expect
    .poll(() => logged.join(''))
    .toMatch(/^The local executor lives, but has not answered.*\n.*ended unexpectedly .*SIGKILL.*"restart_in_ms":\d/)
})
