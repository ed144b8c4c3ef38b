import { createHash, timingSafeEqual } from 'node:crypto'
import type {
  Cancellation,
  claimWork,
  heartbeatExecutor,
  registerExecutor,
} from '../../../contract/executor-protocol.ts'
import { executorProtocolVersion } from '../../../contract/executor-protocol.ts'
import type { Executor } from '../../../contract/executors.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { Platform } from '../../platform/platform.ts'
import { conflict, invalid, invalidState, notFound } from '../../platform/refusal.ts'
import type { CallsService } from '../calls/calls.service.ts'
import type { AttemptsService } from '../runs/attempts.service.ts'
import { createClaims } from './claims.ts'
import { createStoreDispatcher } from './dispatch.ts'
import { nameVerdict } from './executors.rules.ts'
import { createExecutorsStore } from './executors.store.ts'
import type { ExecutorRow, ExecutorStatus } from './executors.table.ts'
import { createHandOut } from './hand-out.ts'
import { createLeases, sweepEveryMs } from './leases.ts'

interface Dependencies {
  attempts: AttemptsService
  calls: CallsService
}
type Registration = BodyOf<typeof registerExecutor>

export function createExecutorsService(platform: Platform, { attempts, calls }: Dependencies) {
  const { store, clock, ids, events, config, logger, draining } = platform
  const executors = createExecutorsStore(store)
  const leases = createLeases(clock, config.leases)
  const claims = createClaims()
  const dispatcher = createStoreDispatcher(attempts, () => clock.now())
  /** As the store has them: asked on every claim and heartbeat. */
  const rows = new Map<number, ExecutorRow>(executors.list().map((row) => [row.id, row]))
  const handOut = createHandOut({ store, claims, dispatcher, attempts, calls, leases, executor: (id) => rows.get(id) })

  const connected = (row: ExecutorRow) => row.status === 'online' || row.status === 'draining'

  function changed(row: ExecutorRow): ExecutorRow {
    rows.set(row.id, row)
    const { id, name, version, status, slots } = row
    events.append('executor.changed', id, { id, name, version, status, slots, busy: leases.busy(id) })
    return row
  }
  function setStatus(row: ExecutorRow, status: ExecutorStatus): void {
    if (row.status === status) return
    changed(executors.setStatus(row.id, status, clock.iso()))
    logger.info({ executor: row.name, from: row.status, to: status }, 'Executor changed')
  }
  /** What an executor held that will not come back. */
  function abandon(executorId: number, reason: 'executor_lost' | 'executor_gone'): void {
    for (const { run_id, attempt } of leases.of(executorId)) attempts.giveUp({ run_id, attempt }, reason)
    store.afterCommit(() => {
      calls.executorGone(executorId)
      claims.of(executorId)?.answer({})
    })
  }
  function gone(row: ExecutorRow, status: 'lost' | 'offline'): void {
    store.transaction(() => {
      setStatus(row, status)
      abandon(row.id, status === 'lost' ? 'executor_lost' : 'executor_gone')
    })
    leases.end(row.id)
  }

  /** The executor that a credential belongs to; refuses one that has to register (again). */
  function admit(id: number, credential: string): ExecutorRow {
    const row = rows.get(id) ?? notFound()
    if (!sameHash(row.credential_hash, hash(credential)) || row.status === 'offline') {
      conflict('This credential is not the one of the executor any more: register again.')
    }
    leases.renew(id)
    if (row.status === 'lost') store.transaction(() => setStatus(row, row.drain_requested ? 'draining' : 'online'))
    return rows.get(id)!
  }

  function save(row: ExecutorRow | undefined, body: Registration, credential: string, address: string): ExecutorRow {
    const { name, version, protocol, instance, slots, capabilities, labels = {} } = body
    const at = clock.iso()
    const samePlace = row?.instance === instance && row.drain_requested === 1
    const drain_requested: 0 | 1 = samePlace ? 1 : 0
    const status: ExecutorStatus = samePlace ? 'draining' : 'online'
    const credential_hash = hash(credential)
    const values = { version, protocol, instance, slots, capabilities, labels, address, credential_hash }
    const state = { status, drain_requested, last_heartbeat_at: at, updated_at: at }
    return row
      ? executors.update(row.id, { ...values, ...state })
      : executors.insert({ name, ...values, ...state, created_at: at })
  }

  function sweep(): void {
    for (const verdict of leases.sweep()) {
      if (verdict.kind === 'give_up') attempts.giveUp(verdict.key, verdict.reason)
      else if (verdict.kind === 'give_back') attempts.giveBack(verdict.key)
      else {
        const row = rows.get(verdict.executor_id)
        if (row) gone(row, 'lost')
      }
    }
  }

  const present = (row: ExecutorRow): Executor => ({
    id: row.id,
    name: row.name,
    version: row.version,
    status: row.status,
    labels: row.labels,
    slots: row.slots,
    busy: leases.busy(row.id),
    last_heartbeat_at: row.last_heartbeat_at,
    address: row.address,
    created_at: row.created_at,
    updated_at: row.updated_at,
  })

  // What was under way when the server ended: one fresh lease period for everybody to be heard of again.
  for (const row of rows.values()) if (connected(row)) leases.expect(row.id)
  for (const attempt of attempts.held()) leases.hold(attempt, false)
  for (const { run_id, attempt, executor_id } of attempts.held()) {
    // Its executor had been given up before the server ended, but the run had not.
    if (leases.remaining(executor_id) === 0) attempts.giveUp({ run_id, attempt }, 'executor_lost')
  }

  attempts.listen({
    ready: (at) => dispatcher.ready(at),
    heard: (key) => leases.confirm(key),
    ended: (key) => leases.drop(key),
    cancelRequested(key) {
      leases.askToCancel(key)
      handOut.now()
    },
  })
  calls.attach({
    anyOnline: () => [...rows.values()].some((row) => row.status === 'online'),
    queued: () => handOut.now(),
    cancelled: (executorId, callId) => {
      const claim = claims.of(executorId)
      claim?.answer({ cancel_calls: [callId] })
      return claim !== undefined
    },
  })
  const timer = setInterval(sweep, sweepEveryMs)
  timer.unref()
  draining.addEventListener(
    'abort',
    () => {
      clearInterval(timer)
      dispatcher.close()
      handOut.close()
      claims.close()
    },
    { once: true },
  )

  return {
    list: (): Executor[] => [...rows.values()].map(present),

    /** Gives an executor its id and credential. Refuses another protocol, and a name that another live process has. */
    register(body: Registration, address: string) {
      if (body.protocol !== executorProtocolVersion) {
        const message = `is ${body.protocol}, this control plane speaks ${executorProtocolVersion}: use an executor of the same release`
        invalid([{ path: 'body.protocol', message }], 'The executor speaks another protocol')
      }
      const credential = ids.token()
      const row = store.transaction(() => {
        const known = executors.getByName(body.name)
        const lease = {
          remainingMs: known ? leases.remaining(known.id) : 0,
          heard: known ? leases.isHeard(known.id) : false,
        }
        const verdict = nameVerdict(known, body.instance, lease)
        if (verdict.kind === 'taken') {
          conflict(
            `An executor named ${body.name} is online already. Choose another name, or try again in ${verdict.seconds} s, when its lease has ended.`,
          )
        }
        if (known && verdict.kind === 'take_over') abandon(known.id, 'executor_gone')
        return changed(save(known, body, credential, address))
      })
      leases.renew(row.id)
      logger.info({ executor: row.name, slots: row.slots, address }, 'Executor registered')
      return { id: row.id, credential, lease_ms: config.leases.executorMs, heartbeat_ms: config.leases.heartbeatMs }
    },

    heartbeat(id: number, credential: string, body: BodyOf<typeof heartbeatExecutor>) {
      const row = admit(id, credential)
      const strangers = leases.reconcile(id, body.running)
      const at = clock.iso()
      store.transaction(() => {
        executors.setHeartbeat(id, at)
        rows.set(id, { ...rows.get(id)!, last_heartbeat_at: at })
        if (body.draining) setStatus(rows.get(id)!, 'draining')
      })
      // The last words of a process that ends.
      if (body.draining && body.running.length === 0) gone(rows.get(id)!, 'offline')
      const asked = leases.of(id).filter((held) => held.cancel_requested)
      const cancel: Cancellation[] = [
        ...strangers.map(({ run_id, attempt }) => ({ run_id, attempt, reason: 'lost' as const })),
        ...asked.map(({ run_id, attempt }) => ({ run_id, attempt, reason: 'cancelled' as const })),
      ]
      return { cancel, drain: row.drain_requested === 1 }
    },

    /** Answers as soon as there is something to do or to stop, else with nothing after `wait_ms`. */
    claim(id: number, credential: string, body: BodyOf<typeof claimWork>, onGone: (listener: () => void) => void) {
      admit(id, credential)
      const answer = claims.wait({ executor_id: id, ...body }, onGone)
      handOut.now()
      return answer
    },

    /** Whose credential this is; refuses one that is not an executor's. */
    byCredential(credential: string): number {
      const wanted = hash(credential)
      for (const row of rows.values()) if (sameHash(row.credential_hash, wanted)) return row.id
      return conflict('This credential is not the one of the executor any more: register again.')
    },

    /** Lets an executor finish what it runs and take nothing new. */
    drain(id: number) {
      const row = rows.get(id) ?? notFound()
      if (!connected(row)) invalidState(`Executor ${row.name} is ${row.status}: there is nothing to drain.`)
      store.transaction(() => {
        rows.set(id, executors.update(id, { drain_requested: 1 }))
        setStatus(rows.get(id)!, 'draining')
      })
      return { success: true }
    },

    /** Its owner saw the process of this name end: nobody has to wait for the lease. */
    ended(name: string): void {
      const row = executors.getByName(name)
      if (row && connected(row)) gone(rows.get(row.id)!, 'lost')
    },

    /** Looks for what has run out. A timer does this every second. */
    sweep,

    summary() {
      const all = [...rows.values()]
      const count = (status: ExecutorStatus) => all.filter((row) => row.status === status).length
      const online = all.filter((row) => row.status === 'online')
      return {
        online: online.length,
        draining: count('draining'),
        lost: count('lost'),
        slots: online.reduce((sum, row) => sum + row.slots, 0),
        busy: online.reduce((sum, row) => sum + leases.busy(row.id), 0),
      }
    },
  }
}
export type ExecutorsService = ReturnType<typeof createExecutorsService>

const hash = (credential: string) => createHash('sha256').update(credential).digest('hex')
const sameHash = (a: string, b: string) => timingSafeEqual(Buffer.from(a), Buffer.from(b))
