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

/**
 * V8 ends the whole process where a single allocation meets its limit, as that of a list that doubles. So its limit is far away, and
 * a near one is kept by looking: what a thread can allocate between two looks stays below.
 */
const hardLimitMb = 1_536
const lookEveryMs = 20

/** A thread that has nothing of the process: no environment, no arguments, no output. */
export function startThread<In, Out>(options: ThreadOptions<Out>): Thread<In> {
  // Node before 22.16 cannot look.
  const hardLimit = 'getHeapStatistics' in Worker.prototype ? hardLimitMb : options.memoryMb
  const worker = new Worker(entry(), {
    workerData: options.work,
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: hardLimit, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })
  let ended = false
  const lose = (reason: 'memory' | 'crash', error: unknown): void => {
    if (ended) return
    ended = true
    clearInterval(look)
    options.lost(reason, error)
    void worker.terminate()
  }
  const look = hardLimit > options.memoryMb ? setInterval(() => void checkMemory(), lookEveryMs) : undefined
  let looking = false

  async function checkMemory(): Promise<void> {
    if (looking) return
    looking = true
    try {
      const { used_heap_size: used } = await worker.getHeapStatistics()
      if (used > options.memoryMb * 1024 * 1024) lose('memory', new Error(`${used} bytes are in use`))
    } catch (error) {
      if (codeOf(error) !== 'ERR_WORKER_NOT_RUNNING') lose('crash', error)
    } finally {
      looking = false
    }
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
      clearInterval(look)
      await worker.terminate()
    },
  }
}
