import type { ServerResponse } from 'node:http'

/** Counts the answers that are not finished yet. */
export interface RequestsUnderWay {
  add(response: ServerResponse): void
  /** Resolves when there is none, at once if so. */
  settled(): Promise<void>
}

export function createRequestsUnderWay(): RequestsUnderWay {
  let count = 0
  let waiting: (() => void)[] = []
  const done = () => {
    count -= 1
    if (count > 0) return
    for (const resolve of waiting) resolve()
    waiting = []
  }
  return {
    add(response) {
      count += 1
      // Also told when the client goes away first.
      response.once('close', done)
    },
    settled: () => (count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}
