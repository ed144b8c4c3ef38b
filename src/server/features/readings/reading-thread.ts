import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { type Outcome, type ResultOf, type Wanted, type Work, type WorkName, lengthOf } from './reading.rules.ts'

interface Waiting {
  wanted: Wanted | Work
  signal: AbortSignal
  done: PromiseWithResolvers<unknown>
}

/** Its memory is given back when no long text came for so long. */
const IDLE_MS = 60_000

/** A thread that reads texts one after another. It starts when one comes, and ends when none did for a while. */
export function createReadingThread({ idleMs = IDLE_MS } = {}) {
  const waiting: Waiting[] = []
  let current: Waiting | undefined
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = new Worker(entry(), { name: 'readings' })
    // It must not keep the server.
    started.unref()
    const settle = (settleIt: (done: Waiting['done']) => void) => {
      const settled = current
      current = undefined
      if (settled) settleIt(settled.done)
      next()
    }
    const fail = (error: Error) => {
      if (thread !== started) return
      thread = undefined
      settle((done) => done.reject(error))
    }
    started.on('message', (outcome: unknown) => settle((done) => done.resolve(outcome)))
    started.on('error', fail)
    started.on('exit', (code) => fail(new Error(`The thread that reads YAML ended with ${code}`)))
    return started
  }

  function end(): void {
    const ended = thread
    thread = undefined
    void ended?.terminate()
  }

  function next(): void {
    if (current) return
    clearTimeout(idle)
    current = waiting.shift()
    if (!current) {
      idle = setTimeout(end, idleMs)
      idle.unref()
      return
    }
    if (current.signal.aborted) {
      current.done.reject(current.signal.reason)
      current = undefined
      return next()
    }
    thread ??= start()
    thread.postMessage(current.wanted)
  }

  function add(wanted: Wanted | Work, signal: AbortSignal): Promise<unknown> {
    const done = Promise.withResolvers<unknown>()
    waiting.push({ wanted, signal, done })
    next()
    return done.promise
  }

  return {
    /** Rejects with the signal's reason when it is aborted before the text is read. */
    // The thread answers a text with its outcome, and work with its result.
    read: (wanted: Wanted, signal: AbortSignal) => add(wanted, signal) as Promise<Outcome>,
    work: <Name extends WorkName>(work: Work<Name>, signal: AbortSignal) =>
      add(work, signal) as Promise<ResultOf<Name>>,
    isRunning: () => thread !== undefined,
    /** Characters that wait. */
    load: () => waiting.reduce((sum, { wanted }) => sum + lengthOf(wanted), 0),
  }
}

/** Beside this module in the sources, in the build an entry of its own. */
function entry(): URL {
  const places = ['./reading.worker.ts', './readings.js', '../readings.js']
  const found = places.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url))
  if (!found) throw new Error('The part that reads YAML beside the server is missing: build Headgate again')
  return found
}
