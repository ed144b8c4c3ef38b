/**
 * The executors as this process knows them: every row that there is, who is alive, and what happens to the work of one that
 * is not. What is remembered here changes only after the commit that made it true.
 */
import { msg } from '../../../contract/messages.ts'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Platform } from '../../platform/platform.ts'
import { conflict, notFound } from '../../platform/refusal.ts'
import type { CallsService } from '../calls/calls.service.ts'
import type { ResultsService } from '../queries/results.service.ts'
import type { AttemptsService } from '../runs/attempts.service.ts'
import type { Claims } from './claims.ts'
import type { ExecutorsStore } from './executors.store.ts'
import type { ExecutorRow, ExecutorStatus } from './executors.table.ts'
import type { Leases } from './leases.ts'

interface Parts {
  executors: ExecutorsStore
  leases: Leases
  claims: Claims
  attempts: AttemptsService
  calls: CallsService
  results: ResultsService
}

export const isConnected = ({ status }: ExecutorRow) => status === 'online' || status === 'draining'
const mustRegister = msg('register_again')
/** The store has the time of the last heartbeat to this: no write, and no wait for the disk, for each of them. */
const notedEveryMs = 60_000

export function createFleet(
  { store, clock, events, logger }: Pick<Platform, 'store' | 'clock' | 'events' | 'logger'>,
  { executors, leases, claims, attempts, calls, results }: Parts,
) {
  const rows = new Map<number, ExecutorRow>(executors.list().map((row) => [row.id, row]))

  /** Those whose long poll broke or whose heartbeats stopped, and that have not been heard of since. */
  const silent = new Set<number>()

  /** A run that it may begin waits for a worker for a moment: then there are more than slots. */
  const busy = ({ id, slots }: ExecutorRow): number => Math.min(slots, leases.busy(id))

  /** When the last heartbeat came that the store knows of, in ms. */
  const noted = new Map<number, number>()

  /** In the transaction of the change. */
  function changed(given: ExecutorRow): ExecutorRow {
    const heard = rows.get(given.id)?.last_heartbeat_at ?? null
    const isLater = heard !== null && heard > (given.last_heartbeat_at ?? '')
    if (isLater) executors.setHeartbeat(given.id, heard)
    const row = isLater ? { ...given, last_heartbeat_at: heard } : given
    store.afterCommit(() => void rows.set(row.id, row))
    const { id, name, version, status, slots } = row
    events.append('executor.changed', id, {
      id,
      name,
      version,
      status,
      slots,
      busy: busy(row),
      answering: !silent.has(id),
    })
    return row
  }

  /** What is known of it in memory alone has changed. A full disk keeps nobody from working. */
  function announce(row: ExecutorRow): void {
    try {
      store.transaction(() => void changed(row))
    } catch (error) {
      logger.warn({ err: error, executor: row.name }, 'Whether an executor answers could not be told')
    }
  }

  function setStatus(row: ExecutorRow, status: ExecutorStatus): void {
    if (row.status === status) return
    changed(executors.setStatus(row.id, status, clock.iso()))
    logger.info({ executor: row.name, from: row.status, to: status }, 'Executor changed')
  }

  /** Gives up what an executor held that will not come back, and gives back what it had not begun. In a transaction. */
  function abandon(executorId: number, reason: 'executor_lost' | 'executor_gone'): void {
    // First, so that what goes back is not handed to a claim that nobody hears any more.
    store.afterCommit(() => {
      calls.executorGone(executorId)
      results.executorGone(executorId)
      claims.of(executorId)?.answer({})
    })
    for (const { run_id, attempt, ahead } of leases.of(executorId)) {
      if (ahead) attempts.giveBack({ run_id, attempt })
      else attempts.giveUp({ run_id, attempt }, reason)
    }
  }

  return {
    all: (): ExecutorRow[] => [...rows.values()],
    get: (id: number): ExecutorRow | undefined => rows.get(id),
    busy,
    changed,
    setStatus,
    answers: (id: number): boolean => !silent.has(id),

    /** Its long poll broke, or its heartbeats stopped: people see it now, its work is given up when its lease ends. */
    silent(id: number): void {
      const row = rows.get(id)
      if (!row || !isConnected(row) || silent.has(id)) return
      silent.add(id)
      announce(row)
    },
    abandon,

    /** It is not there any more: lost without a word, or offline after its last one. */
    gone(row: ExecutorRow, status: 'lost' | 'offline'): void {
      silent.delete(row.id)
      store.transaction(() => {
        setStatus(row, status)
        abandon(row.id, status === 'lost' ? 'executor_lost' : 'executor_gone')
      })
      leases.end(row.id)
    },

    /** The executor that says this, which is a sign of life; refuses one that has to register (again). */
    admit(id: number, credential: string): ExecutorRow {
      const row = rows.get(id) ?? notFound()
      if (!sameHash(row.credential_hash, hashOf(credential)) || row.status === 'offline') conflict(mustRegister)
      leases.renew(id)
      if (silent.delete(id)) announce(row)
      if (row.status === 'lost') store.transaction(() => setStatus(row, row.drain_requested ? 'draining' : 'online'))
      return rows.get(id) ?? row
    },

    /** Whose credential this is. */
    byCredential(credential: string): ExecutorRow {
      const wanted = hashOf(credential)
      for (const row of rows.values()) if (sameHash(row.credential_hash, wanted)) return row
      return conflict(mustRegister)
    },

    /** Heartbeats are written for the list alone: a disk that is full must not make executors stop their work. */
    noteHeartbeat(id: number): void {
      const at = clock.iso()
      const now = clock.now().getTime()
      const row = rows.get(id)
      if (row) rows.set(id, { ...row, last_heartbeat_at: at })
      // A clock that was set back says nothing about the last one.
      if (Math.abs(now - (noted.get(id) ?? -Infinity)) < notedEveryMs) return
      try {
        store.transaction(() => executors.setHeartbeat(id, at))
        noted.set(id, now)
      } catch (error) {
        logger.warn({ err: error, executor_id: id }, 'A heartbeat could not be noted')
      }
    },
  }
}

export const hashOf = (credential: string) => createHash('sha256').update(credential).digest('hex')
const sameHash = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
