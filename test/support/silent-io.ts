import type { RunIo } from '../../src/executor/worker-protocol.ts'

/** What the engine is given to run with, where nobody listens. */
export function silentIo(tempDir: string): RunIo {
  return {
    log: () => undefined,
    logRoom: async () => undefined,
    progress: () => undefined,
    reject: async () => undefined,
    signal: new AbortController().signal,
    tempDir,
  }
}
