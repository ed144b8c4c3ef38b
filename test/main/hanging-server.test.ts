import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { afterTick, ASK_EVERY_MS, HEARD } from '../../src/main/hang.rules.ts'
import { startServerProcess } from '../../src/main/server-process.ts'
import { words } from '../../src/main/words.ts'
import { forkNode } from '../../src/process/child.ts'
import { entryOf } from '../support/entries.ts'

type Tick = Parameters<typeof afterTick>[1]

const silent: Tick = { spoke: false, lateMs: 0 }
const spoke: Tick = { spoke: true, lateMs: 0 }
/** He who asks was stopped for an hour, with the machine or alone. */
const slept: Tick = { spoke: false, lateMs: 3_600_000 }
/** A clock that was set back. */
const early: Tick = { spoke: false, lateMs: -3_600_000 }

test.each([
  ['three questions in a row without a word', true, [silent, silent, silent]],
  ['a silence while the clock is set back', true, [early, silent, silent]],
  ['a job that takes less', false, [silent, silent, spoke, silent, silent]],
  ['a sleep of the machine between the questions', false, [silent, silent, slept, silent, silent]],
  ['many short awakenings', false, [slept, silent, slept, silent, slept, slept]],
])('%s: the server hangs: %s', (_what, hangs, ticks) => {
  let silence = HEARD
  for (const tick of ticks) silence = afterTick(silence, tick)
  expect(silence.hangs).toBe(hangs)
})

/** A real server; time passes when the test says so. */
function realServer() {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-hang-'))
  const logged: string[] = []
  let now = 0
  let tick = (): void => {}
  const server = startServerProcess({
    forker: (entry, options) => forkNode(entry, { ...options, output: 'ignore' }),
    entry: entryOf('server'),
    config: { dataDir, userDataDir: dataDir, port: '0', serviceEnv: {} },
    logTail: () => [],
    log: (text) => logged.push(text),
    words: () => words('en'),
    keychain: () => Promise.resolve(null),
    hanging: {
      now: () => now,
      every(_ms, callback) {
        tick = callback
        return () => (tick = () => {})
      },
    },
  })
  onTestFinished(async () => {
    await server.drain()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const passes = (times: number): void => {
    for (let time = 0; time < times; time++) {
      now += ASK_EVERY_MS
      tick()
    }
  }
  return { server, logged, passes }
}

test('a server that is stopped in the middle is ended and comes back at its address; one that answers is left alone', async () => {
  const { server, logged, passes } = realServer()
  await expect.poll(() => server.state.name).toBe('ready')
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
  expect(logged.join('')).toMatch(/has not answered.*\n.*the server ended \(signal SIGKILL\)/)
})
