import { describe, expect, test } from 'vitest'
import { ExitLatch, type ChildHandle, type ExitInfo } from '../../src/process/child.ts'
import {
  restartDelay,
  superviseChild,
  type SuperviseOptions,
  type SupervisorTimers,
} from '../../src/process/supervise.ts'

/** A clock that moves when told, calling what is due on its way. */
class ManualTimers implements SupervisorTimers {
  #now = 0
  readonly #due = new Set<{ at: number; callback: () => void }>()

  now(): number {
    return this.#now
  }

  after(ms: number, callback: () => void): () => void {
    const entry = { at: this.#now + ms, callback }
    this.#due.add(entry)
    return () => void this.#due.delete(entry)
  }

  get waiting(): number {
    return this.#due.size
  }

  async advance(ms: number): Promise<void> {
    this.#now += ms
    for (const entry of [...this.#due].filter((one) => one.at <= this.#now)) {
      this.#due.delete(entry)
      entry.callback()
    }
    await settled()
  }
}

/** Lets the promise callbacks run that are ready. */
async function settled(): Promise<void> {
  for (let n = 0; n < 10; n++) await Promise.resolve()
}

class FakeChild implements ChildHandle {
  readonly pid: number
  readonly sent: unknown[] = []
  readonly kills: string[] = []
  connected = true
  readonly #latch = new ExitLatch()
  readonly #listeners: ((message: unknown) => void)[] = []

  constructor(pid: number) {
    this.pid = pid
  }

  send(message: unknown): boolean {
    if (this.connected) this.sent.push(message)
    return this.connected
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#listeners.push(listener)
  }

  onExit(listener: (exit: ExitInfo) => void): void {
    this.#latch.onExit(listener)
  }

  kill(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): void {
    this.kills.push(signal)
    if (signal === 'SIGKILL') this.end({ code: null, signal })
  }

  say(message: unknown): void {
    for (const listener of this.#listeners) listener(message)
  }

  end(exit: ExitInfo = { code: 1, signal: null }): void {
    this.connected = false
    this.#latch.settle(exit)
  }
}

function supervised(options: Partial<SuperviseOptions> = {}) {
  const timers = new ManualTimers()
  const children: FakeChild[] = []
  const exits: (number | null)[] = []
  const supervisor = superviseChild({
    fork() {
      const child = new FakeChild(children.length + 1)
      children.push(child)
      return child
    },
    onExit: (_exit, restartInMs) => exits.push(restartInMs),
    timers,
    ...options,
  })
  return { supervisor, timers, children, exits, last: () => children.at(-1)! }
}

describe('superviseChild', () => {
  test('restarts with a delay that doubles up to its limit', async () => {
    const { timers, children, exits, last } = supervised({ backoff: { firstMs: 250, maxMs: 1_000 } })
    for (const delay of [250, 500, 1_000, 1_000]) {
      const before = children.length
      last().end()
      await timers.advance(delay - 1)
      expect(children).toHaveLength(before)
      await timers.advance(1)
      expect(children).toHaveLength(before + 1)
    }
    expect(exits).toEqual([250, 500, 1_000, 1_000])
  })

  test('begins anew with the delays after a child was stable', async () => {
    const { timers, exits, last } = supervised({ stableAfterMs: 5_000 })
    last().end()
    await timers.advance(250)
    last().end()
    await timers.advance(500)
    await timers.advance(5_000)
    last().end()
    expect(exits).toEqual([250, 500, 250])
  })

  test('tells ready messages and others apart', () => {
    const ready: unknown[] = []
    const others: unknown[] = []
    const { last } = supervised({
      onReady: (message) => ready.push(message),
      onMessage: (message) => others.push(message),
    })
    last().say({ event: 'ready', url: 'http://127.0.0.1:1' })
    last().say({ event: 'launch-token', id: 1 })
    last().say(null)
    expect(ready).toEqual([{ event: 'ready', url: 'http://127.0.0.1:1' }])
    expect(others).toEqual([{ event: 'launch-token', id: 1 }, null])
  })

  test('drains once, waits for the end and does not restart', async () => {
    const { supervisor, timers, children, exits, last } = supervised()
    let drained = false
    const both = Promise.all([supervisor.drain(), supervisor.drain()]).then(() => (drained = true))
    expect(last().sent).toEqual([{ type: 'drain' }])
    await settled()
    expect(drained).toBe(false)
    last().end({ code: 0, signal: null })
    await both
    expect(exits).toEqual([null])
    expect(timers.waiting).toBe(0)
    supervisor.retry()
    expect(children).toHaveLength(1)
  })

  test('kills a child that takes longer to drain than it may', async () => {
    const { supervisor, timers, last } = supervised({ drainMs: 3_000 })
    const draining = supervisor.drain()
    await timers.advance(2_999)
    expect(last().kills).toEqual([])
    await timers.advance(1)
    expect(last().kills).toEqual(['SIGKILL'])
    await draining
  })

  test('terminates a child that can no longer hear the request', () => {
    const { supervisor, last } = supervised()
    last().connected = false
    void supervisor.drain()
    expect(last().kills).toEqual(['SIGTERM'])
  })

  test('drains between two starts without starting again', async () => {
    const { supervisor, timers, children, last } = supervised()
    last().end()
    await supervisor.drain()
    await timers.advance(60_000)
    expect(children).toHaveLength(1)
  })

  test('stays down when told so, until retried', () => {
    const { supervisor, timers, children, exits, last } = supervised({ shouldRestart: () => false })
    last().end()
    expect(exits).toEqual([null])
    expect(timers.waiting).toBe(0)
    expect(supervisor.child).toBeNull()
    supervisor.retry()
    expect(children).toHaveLength(2)
    expect(supervisor.child).toBe(last())
  })

  test('retries at once instead of waiting, and only one child runs', async () => {
    const { supervisor, timers, children, last } = supervised()
    last().end()
    supervisor.retry()
    supervisor.retry()
    await timers.advance(60_000)
    expect(children).toHaveLength(2)
  })

  test('replaces a running child by draining it first', async () => {
    const { supervisor, timers, children, exits } = supervised()
    const replacing = supervisor.replace()
    expect(children[0]!.sent).toEqual([{ type: 'drain' }])
    expect(children).toHaveLength(1)
    children[0]!.end({ code: 0, signal: null })
    await replacing
    expect(children).toHaveLength(2)
    children[1]!.end()
    await timers.advance(250)
    expect(children).toHaveLength(3)
    expect(exits).toEqual([null, 250])
  })

  test('a drain during a replacement wins', async () => {
    const { supervisor, children } = supervised()
    const replacing = supervisor.replace()
    const draining = supervisor.drain()
    children[0]!.end({ code: 0, signal: null })
    await Promise.all([replacing, draining])
    expect(children).toHaveLength(1)
  })
})

describe('restartDelay', () => {
  test('stays finite for any number of failures', () => {
    expect(restartDelay(1, { firstMs: 250, maxMs: 15_000 })).toBe(250)
    expect(restartDelay(5_000, { firstMs: 250, maxMs: 15_000 })).toBe(15_000)
  })
})
