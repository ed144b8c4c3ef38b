import { Worker } from 'node:worker_threads'

/** Ends this process when its executor can no longer answer for it, even while its own thread is busy. */
export interface Watchdog {
  /** Where the executor writes how long its lease goes: read when the time is over, as this thread may be too busy to hear of it. */
  readLease(path: string): void
  /** From now on the process may live for `ms`; null: for as long as its parent does. */
  allow(ms: number | null): void
  /** Whether that time has passed. */
  isOver(): boolean
}

const CHECK_MS = 500

// Text, not a module: it must run from the sources and from the bundle alike, and has to be tiny. SIGKILL, because an
// orderly exit waits for native code that may be what holds the process up.
const SOURCE = `
const { parentPort, workerData } = require('node:worker_threads')
const { readFileSync } = require('node:fs')
const deadline = new BigInt64Array(workerData.deadline)
let lease
parentPort.on('message', (path) => { lease = path })
const isPast = (until) => until !== 0n && process.hrtime.bigint() > until
function renewed(until) {
  try {
    const written = BigInt(readFileSync(lease, 'utf8'))
    if (isPast(written)) return false
    // Unless the work has ended meanwhile, or the thread has heard of it itself. A sleep ends: it is looked at again.
    if (written !== 0n) Atomics.compareExchange(deadline, 0, until, written)
    return true
  } catch {
    return false
  }
}
setInterval(() => {
  const until = Atomics.load(deadline, 0)
  const late = isPast(until) && !renewed(until)
  if (late || process.ppid !== workerData.parent) process.kill(process.pid, 'SIGKILL')
}, ${CHECK_MS})
`

/**
 * A closed channel ends a worker, but only once its event loop turns; a stopped executor closes no channel at all. So a
 * thread of its own looks at the parent and at the lease, on the monotonic clock. A query of SQLite can hold the
 * process's own thread for minutes, in which it hears nothing: so the lease is in a file, too.
 */
export function startWatchdog(): Watchdog {
  const deadline = new BigInt64Array(new SharedArrayBuffer(8))
  const thread = new Worker(SOURCE, {
    eval: true,
    env: {},
    workerData: { deadline: deadline.buffer, parent: process.ppid },
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
  })
  thread.unref()
  return {
    readLease: (path) => thread.postMessage(path),
    allow(ms) {
      const until = ms === null ? 0n : process.hrtime.bigint() + BigInt(Math.max(1, Math.round(ms))) * 1_000_000n
      Atomics.store(deadline, 0, until)
    },
    isOver() {
      const until = Atomics.load(deadline, 0)
      return until !== 0n && process.hrtime.bigint() > until
    },
  }
}
