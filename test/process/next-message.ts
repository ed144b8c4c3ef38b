import type { ChildHandle, ExitInfo } from '../../src/process/child.ts'

/** Messages of a child in the order they came, one per call, waiting for those to come. */
export function messageReader(child: Pick<ChildHandle, 'onMessage'>): () => Promise<unknown> {
  const arrived: unknown[] = []
  const waiting: ((message: unknown) => void)[] = []
  child.onMessage((message) => {
    const next = waiting.shift()
    if (next) next(message)
    else arrived.push(message)
  })
  return () => new Promise((resolve) => (arrived.length ? resolve(arrived.shift()) : waiting.push(resolve)))
}

export function exitOf(child: Pick<ChildHandle, 'onExit'>): Promise<ExitInfo> {
  return new Promise((resolve) => child.onExit(resolve))
}
