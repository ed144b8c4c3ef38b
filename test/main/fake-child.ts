import { ExitLatch, type ChildHandle, type ExitInfo, type Forker, type ForkOptions } from '../../src/process/child.ts'

/** A child process that does what the test says. */
export class FakeChild implements ChildHandle {
  readonly sent: unknown[] = []
  readonly kills: string[] = []
  readonly entry: string
  readonly options: ForkOptions
  readonly pid: number
  readonly #latch = new ExitLatch()
  readonly #listeners: ((message: unknown) => void)[] = []

  constructor(pid: number, entry: string, options: ForkOptions) {
    this.pid = pid
    this.entry = entry
    this.options = options
  }

  send(message: unknown): boolean {
    this.sent.push(message)
    return this.#latch.exit === null
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#listeners.push(listener)
  }

  onExit(listener: (exit: ExitInfo) => void): void {
    this.#latch.onExit(listener)
  }

  kill(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): void {
    this.kills.push(signal)
    this.end({ code: null, signal })
  }

  say(message: unknown): void {
    for (const listener of this.#listeners) listener(message)
  }

  end(exit: ExitInfo = { code: 1, signal: null }): void {
    this.#latch.settle(exit)
  }
}

export function fakeForker(): { forker: Forker; children: FakeChild[] } {
  const children: FakeChild[] = []
  const forker: Forker = (entry, options) => {
    const child = new FakeChild(1_000 + children.length, entry, options)
    children.push(child)
    return child
  }
  return { forker, children }
}
