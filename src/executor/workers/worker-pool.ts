import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChildHandle, ExitInfo } from '../../process/child.ts'
import type { Log } from '../log.ts'
import type { FromWorker, ToWorker } from '../worker-protocol.ts'
import { writeLease } from './lease-file.ts'

/** One piece of work for a worker of its own. */
export interface Job {
  /** A worker is there: what to tell it. */
  begin(worker: JobWorker): void
  /** Everything the worker says until `run-done`, `call-done` or `result-done`, these included. */
  hear(message: FromWorker, worker: JobWorker): void
  /** The worker ended before it was done, or none could be started. */
  lost(exit: ExitInfo): void
}

export interface JobWorker {
  readonly pid: number | undefined
  send(message: ToWorker): void
  kill(): void
}

export interface WorkerPoolOptions {
  /** In process lists, such as `run worker`. */
  title: string
  fork: (title: string) => ChildHandle
  /** A folder of the pool's own; each worker gets one in it. */
  tempDir: string
  /** At most so many at a time; so many are kept ready when there is nothing to do. */
  max: number
  warm: number
  /** A worker is replaced after so many pieces of work, or when it holds more memory than this after one. */
  recycle: { after: number; rssBytes: number }
  /** Workers beyond `warm` end when they have had nothing to do for so long. */
  idleMs: number
  log: Log
}

export interface WorkerPool {
  /** Starts `job` at once or when a worker is free. */
  submit(job: Job): void
  /** Takes back a job that has not begun. False when it has. */
  withdraw(job: Job): boolean
  /** The lease goes on for so long; null: it doesn't run out. Heard by workers whose own thread is busy, too. */
  renewLease(leaseMs: number | null): void
  /** Kills all, starts none again, and leaves nobody in its folder. */
  close(): Promise<void>
}

interface Member {
  readonly id: number
  readonly child: ChildHandle
  state: 'starting' | 'idle' | 'busy' | 'gone'
  job: Job | null
  done: number
  /** To be replaced: serves on until its successor is ready. */
  retiring: boolean
  /** Its end is on the way: what it says meanwhile still counts, but it gets no more work. */
  killed: boolean
  idleTimer: NodeJS.Timeout | null
}

/** Delay before the next start after so many that failed in a row. */
const RESTART_MS = { first: 250, max: 15_000 }
/** When so many starts in a row have failed, waiting work is given up: it must not wait for ever. */
const STARTS_TRIED = 3

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  const { log } = options
  const members = new Set<Member>()
  /** Of every worker that was started, until its process and its folder are gone. */
  const endings = new Set<Promise<void>>()
  const queue: Job[] = []
  let lastId = 0
  let failedStarts = 0
  let restart: NodeJS.Timeout | null = null
  let closed = false
  const lease = join(options.tempDir, 'lease')

  /** Starts workers until there are enough for what waits and for what may come. */
  function fill(): void {
    if (closed || restart) return
    const present = [...members].filter((member) => !member.retiring)
    const busy = present.filter((member) => member.state === 'busy').length
    const wanted = Math.min(options.max, Math.max(options.warm, busy + queue.length))
    for (let count = present.length; count < wanted; count++) start()
  }

  function start(): void {
    const id = ++lastId
    const tempDir = join(options.tempDir, `worker-${id}`)
    mkdirSync(tempDir, { mode: 0o700 })
    const title = `${options.title} ${id}`
    const child = options.fork(title)
    const member: Member = {
      id,
      child,
      state: 'starting',
      job: null,
      done: 0,
      retiring: false,
      killed: false,
      idleTimer: null,
    }
    members.add(member)
    child.onMessage((message) => hear(member, message as FromWorker)) // a worker of ours speaks nothing else
    child.onExit((exit) => ended(member, exit))
    const ending = removeAfter(child, tempDir).finally(() => endings.delete(ending))
    endings.add(ending)
    child.send({ type: 'init', tempDir, lease, title: `headgate ${title}` } satisfies ToWorker)
  }

  async function removeAfter(child: ChildHandle, folder: string): Promise<void> {
    await new Promise<void>((done) => child.onExit(() => done()))
    try {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    } catch (error) {
      log.warn('The folder of a worker could not be removed', { folder, cause: String(error) })
    }
  }

  function hear(member: Member, message: FromWorker): void {
    if (message.type === 'ready') {
      failedStarts = 0
      replaceRetiring()
      return rest(member)
    }
    const { job } = member
    if (message.type === 'crashing') log.error('A worker crashed', { worker: member.id, cause: message.message })
    if (!job) return
    const done = message.type === 'run-done' || message.type === 'call-done' || message.type === 'result-done'
    if (done) {
      member.job = null
      member.done += 1
    }
    // First, so that work which comes of this message finds the worker free.
    if (done) afterWork(member, message.rss)
    job.hear(message, handleOf(member))
  }

  function afterWork(member: Member, rss: number): void {
    if (member.state === 'gone' || member.killed) return
    if (rss > options.recycle.rssBytes) {
      log.info('A worker is replaced: it holds much memory after a run', { worker: member.id, rss })
      return retire(member)
    }
    if (member.done >= options.recycle.after) member.retiring = true
    rest(member)
    if (member.retiring) fill()
  }

  /** Gives the worker its next job, or lets it wait for one. */
  function rest(member: Member): void {
    member.state = 'idle'
    const successors = [...members].filter((other) => !other.retiring && other.state !== 'starting').length
    if (member.retiring && successors >= Math.min(options.warm, options.max)) return retire(member)
    const job = queue.shift()
    if (job) return give(member, job)
    if (members.size > options.warm) member.idleTimer = setTimeout(() => endIdle(member), options.idleMs)
  }

  function give(member: Member, job: Job): void {
    if (member.idleTimer) clearTimeout(member.idleTimer)
    member.idleTimer = null
    member.state = 'busy'
    member.job = job
    job.begin(handleOf(member))
  }

  function handleOf(member: Member): JobWorker {
    return {
      get pid() {
        return member.child.pid
      },
      send: (message) => void member.child.send(message),
      kill() {
        member.killed = true
        member.child.kill('SIGKILL')
      },
    }
  }

  function endIdle(member: Member): void {
    if (member.state === 'idle' && members.size > options.warm) retire(member)
  }

  function replaceRetiring(): void {
    for (const member of members) if (member.retiring && member.state === 'idle') retire(member)
  }

  /** Ends a worker that has no work. */
  function retire(member: Member): void {
    remove(member)
    member.child.kill('SIGKILL')
    fill()
  }

  function remove(member: Member): void {
    member.state = 'gone'
    if (member.idleTimer) clearTimeout(member.idleTimer)
    members.delete(member)
  }

  function ended(member: Member, exit: ExitInfo): void {
    if (member.state === 'gone') return
    const { job } = member
    const neverCame = member.state === 'starting'
    remove(member)
    job?.lost(exit)
    if (neverCame && !closed) return startFailed(exit)
    fill()
  }

  function startFailed(exit: ExitInfo): void {
    failedStarts += 1
    const delay = Math.min(RESTART_MS.max, RESTART_MS.first * 2 ** (failedStarts - 1))
    log.error('A worker could not be started', { ...describeExit(exit), retry_in_ms: delay })
    if (failedStarts >= STARTS_TRIED) for (const job of queue.splice(0)) job.lost(exit)
    restart ??= setTimeout(() => {
      restart = null
      fill()
    }, delay)
  }

  fill()
  return {
    submit(job) {
      const idle = [...members].find((member) => member.state === 'idle')
      if (idle) return give(idle, job)
      queue.push(job)
      fill()
    },
    withdraw(job) {
      const at = queue.indexOf(job)
      if (at >= 0) queue.splice(at, 1)
      return at >= 0
    },
    renewLease(leaseMs) {
      writeLease(lease, leaseMs, log)
      for (const member of members) {
        if (member.state === 'busy') member.child.send({ type: 'alive', leaseMs } satisfies ToWorker)
      }
    },
    async close() {
      closed = true
      if (restart) clearTimeout(restart)
      for (const member of members) member.child.kill('SIGKILL')
      // Also those that were replaced before: whoever removes the folder of the pool next must find nobody in it.
      await Promise.all(endings)
    },
  }
}

function describeExit(exit: ExitInfo): Record<string, unknown> {
  return { exit_code: exit.code, signal: exit.signal, ...(exit.error ? { cause: exit.error.message } : {}) }
}
