import { Worker } from 'node:worker_threads'
import { codeOf } from '../engine/errors.ts'
import type { SandboxWork } from './sandbox.types.ts'

export interface ThreadOptions<Out> {
  work: SandboxWork
  /** JavaScript’s memory, in MB. A thread that needs more is ended; the process goes on. */
  memoryMb: number
  hear(message: Out): void
  /** The thread is gone, and not because it was ended. */
  lost(reason: 'memory' | 'crash', error: unknown): void
}

export interface Thread<In> {
  send(message: In): void
  /** At once, whatever it does. */
  end(): Promise<void>
}

/** Beside this file in the sources; in the build this file may have become a part of any chunk. */
function entry(): URL {
  if (import.meta.url.endsWith('.ts')) return new URL('sandbox.ts', import.meta.url)
  return new URL(import.meta.url.includes('/chunks/') ? '../sandbox.js' : 'sandbox.js', import.meta.url)
}

/** A thread that has nothing of the process: no environment, no arguments, no output. */
export function startThread<In, Out>(options: ThreadOptions<Out>): Thread<In> {
  const worker = new Worker(entry(), {
    workerData: options.work,
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })
  let ended = false
  const lose = (reason: 'memory' | 'crash', error: unknown): void => {
    if (ended) return
    ended = true
    options.lost(reason, error)
  }
  worker.on('message', (message: Out) => {
    if (!ended) options.hear(message)
  })
  worker.on('error', (error) => lose(codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'crash', error))
  worker.on('exit', (code) => lose('crash', new Error(`the thread ended with code ${code}`)))
  return {
    send(message) {
      if (!ended) worker.postMessage(message)
    },
    async end() {
      ended = true
      await worker.terminate()
    },
  }
}
