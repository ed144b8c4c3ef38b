import { msg } from '../../../contract/messages.ts'
import {
  type beginRuns,
  type Cancellation,
  type claimWork,
  executorProtocolVersion,
  mostAhead,
  type heartbeatExecutor,
  type registerExecutor,
} from '../../../contract/executor-lifecycle.ts'
import type { Executor } from '../../../contract/executors.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { ownFolders } from '../../platform/own-folders.ts'
import type { Platform } from '../../platform/platform.ts'
import { conflict, invalid, invalidState, notFound } from '../../platform/refusal.ts'
import type { CallsService } from '../calls/calls.service.ts'
import type { ResultsService } from '../queries/results.service.ts'
import type { AttemptsService } from '../runs/attempts.service.ts'
import { createClaims } from './claims.ts'
import { createStoreDispatcher } from './dispatch.ts'
import { nameVerdict } from './executors.rules.ts'
import { createExecutorsStore } from './executors.store.ts'
import type { ExecutorRow, ExecutorStatus } from './executors.table.ts'
import { createFleet, hashOf, isConnected } from './fleet.ts'
import { createHandOut } from './hand-out.ts'
import { createLoad } from './load.ts'
import { createLeases, sweepEveryMs } from './leases.ts'

interface Dependencies {
  attempts: AttemptsService
  calls: CallsService
  results: ResultsService
}
type Registration = BodyOf<typeof registerExecutor>

export function createExecutorsService(platform: Platform, { attempts, calls, results }: Dependencies) {
  const { store, clock, ids, config, logger, draining } = platform
  const failed = (error: unknown) => logger.error({ err: error }, 'Work could not be handed out or given up')
  const executors = createExecutorsStore(store)
  const leases = createLeases(clock, config.leases)
  const claims = createClaims()
  const load = createLoad()
  const dispatcher = createStoreDispatcher(attempts, () => clock.now(), failed)
  const firstLeaseMs = agreeOnTimes()
  const fleet = createFleet(platform, { executors, leases, claims, attempts, calls, results })
  const executor = (id: number) => fleet.get(id)
  const handOut = createHandOut({ store, claims, dispatcher, attempts, calls, results, leases, executor, failed })

  /**
   * Executors keep to the times that they were told when they registered. When these were changed with this start, they register
   * again, for which they have the longer of both leases.
   */
  function agreeOnTimes(): number {
    const now = { executorMs: config.leases.executorMs, heartbeatMs: config.leases.heartbeatMs }
    const announced = executors.announcedTimes() ?? now
    if (JSON.stringify(executors.announcedTimes()) === JSON.stringify(now)) return now.executorMs
    store.transaction(() => {
      if (JSON.stringify(announced) !== JSON.stringify(now)) executors.forgetCredentials()
      executors.noteTimes(now)
    })
    return Math.max(announced.executorMs, now.executorMs)
  }

  /** What was under way when the server ended gets one fresh lease period to be heard of again. */
  function resume(): void {
    for (const row of fleet.all()) if (isConnected(row)) leases.expect(row.id, firstLeaseMs)
    for (const attempt of attempts.held()) {
      leases.hold(attempt, { fresh: false })
      // Its executor had been given up before the server ended, but the run had not.
      if (leases.remaining(attempt.executor_id) === 0) attempts.giveUp(attempt, 'executor_lost')
    }
  }

  function save(row: ExecutorRow | undefined, body: Registration, credential: string, address: string): ExecutorRow {
    const { name, version, protocol, instance, slots, capabilities, labels = {} } = body
    const at = clock.iso()
    // A process that was to drain is still to drain when it comes back; a new one is not.
    const drains = row?.instance === instance && row.drain_requested === 1
    const status: ExecutorStatus = drains ? 'draining' : 'online'
    const credential_hash = hashOf(credential)
    const values = { version, protocol, instance, slots, capabilities, labels, address, credential_hash, status }
    const state = { drain_requested: drains ? (1 as const) : (0 as const), last_heartbeat_at: at, updated_at: at }
    return row
      ? executors.update(row.id, { ...values, ...state })
      : executors.insert({ name, ...values, ...state, created_at: at })
  }

  function sweep(): void {
    for (const verdict of leases.sweep()) {
      if (verdict.kind === 'give_up') attempts.giveUp(verdict.key, verdict.reason)
      else if (verdict.kind === 'give_back') attempts.giveBack(verdict.key)
      else {
        const row = fleet.get(verdict.executor_id)
        if (row) fleet.gone(row, 'lost')
      }
    }
    for (const id of leases.silent()) fleet.silent(id)
    const now = clock.now().getTime()
    for (const row of fleet.all()) if (isConnected(row)) load.sample(row.id, fleet.busy(row) / row.slots, now)
    // Whatever could not be handed out when it came: a full disk is not full for ever.
    handOut.now()
  }

  function sweepSafely(): void {
    try {
      sweep()
    } catch (error) {
      failed(error)
    }
  }

  const present = (row: ExecutorRow): Executor => ({
    id: row.id,
    name: row.name,
    version: row.version,
    status: row.status,
    answering: isConnected(row) && fleet.answers(row.id),
    labels: row.labels,
    slots: row.slots,
    busy: fleet.busy(row),
    run_ids: leases.running(row.id),
    load: load.lastHour(row.id, clock.now().getTime()),
    last_heartbeat_at: row.last_heartbeat_at,
    address: row.address,
    created_at: row.created_at,
    updated_at: row.updated_at,
  })

  attempts.listen({
    ready: (at) => dispatcher.ready(at),
    heard: (key) => leases.confirm(key),
    ended: (key) => leases.drop(key),
    cancelRequested(key) {
      leases.askToCancel(key)
      handOut.now()
    },
  })
  resume()
  calls.attach({
    anyOnline: () => fleet.all().some((row) => row.status === 'online'),
    nameOf: (id) => fleet.get(id)?.name ?? '',
    queued: () => handOut.now(),
    cancelled(executorId, callId) {
      const claim = claims.of(executorId)
      claim?.answer({ cancel_calls: [callId] })
      return claim !== undefined
    },
  })
  results.attach({
    online: () => fleet.all().flatMap((row) => (row.status === 'online' ? [row.id] : [])),
    queued: () => handOut.now(),
  })
  const timer = setInterval(sweepSafely, sweepEveryMs)
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
    list: (): Executor[] => fleet.all().map(present),

    /** Gives an executor its id and credential. Refuses another protocol, and a name that another live process has. */
    register(body: Registration, address: string) {
      if (body.protocol !== executorProtocolVersion) {
        const reason = msg('protocol_is', { given: body.protocol, wanted: executorProtocolVersion })
        invalid([{ path: 'body.protocol', ...reason }], msg('other_protocol'))
      }
      const credential = ids.token()
      const row = store.transaction(() => {
        const known = executors.getByName(body.name)
        const lease = { remainingMs: leases.remaining(known?.id ?? 0), heard: leases.isHeard(known?.id ?? 0) }
        const verdict = nameVerdict(known, body.instance, lease)
        if (verdict.kind === 'taken') {
          conflict(msg('executor_name_taken', { name: body.name, seconds: verdict.seconds }))
        }
        if (known && verdict.kind === 'take_over') fleet.abandon(known.id, 'executor_gone')
        return fleet.changed(save(known, body, credential, address))
      })
      leases.renew(row.id)
      logger.info({ executor: row.name, slots: row.slots, address }, 'Executor registered')
      const { executorMs: lease_ms, heartbeatMs: heartbeat_ms } = config.leases
      return { id: row.id, credential, lease_ms, heartbeat_ms, most_ahead: mostAhead }
    },

    /** What it runs; the answer says what it is to stop. */
    heartbeat(id: number, credential: string, body: BodyOf<typeof heartbeatExecutor>) {
      const row = fleet.admit(id, credential)
      const strangers = leases.reconcile(id, body.running)
      fleet.noteHeartbeat(id)
      // The last words of a process that ends.
      if (body.draining && body.running.length === 0) fleet.gone(row, 'offline')
      else if (body.draining) store.transaction(() => fleet.setStatus(row, 'draining'))
      const asked = leases.of(id).filter((held) => held.cancel_requested)
      const cancel: Cancellation[] = [
        ...strangers.map(({ run_id, attempt }) => ({ run_id, attempt, reason: 'lost' as const })),
        ...asked.map(({ run_id, attempt }) => ({ run_id, attempt, reason: 'cancelled' as const })),
      ]
      return { cancel, drain: row.drain_requested === 1 }
    },

    /** Answers as soon as there is something to do or to stop, else with nothing after `wait_ms`. */
    async claim(
      id: number,
      credential: string,
      body: BodyOf<typeof claimWork>,
      onGone: (listener: () => void) => void,
    ) {
      fleet.admit(id, credential)
      const answer = claims.wait({ executor_id: id, ...body }, (left) =>
        onGone(() => {
          // Another poll of it may have taken the place of this one.
          if (left()) fleet.silent(id)
        }),
      )
      handOut.now()
      return { ...(await answer), protected_places: ownFolders(config) }
    },

    /** Runs claimed ahead begin or go back; the answer names those that must not begin. */
    begin(id: number, credential: string, { begin, give_back }: BodyOf<typeof beginRuns>) {
      fleet.admit(id, credential)
      const strangers = leases.begin(id, begin)
      if (give_back.length > 0) store.transaction(() => give_back.forEach((key) => attempts.giveBack(key)))
      return { cancel: strangers.map((key) => ({ ...key, reason: 'lost' as const })) }
    },

    /** Whose credential this is; refuses one that is not an executor's. */
    byCredential: (credential: string): number => fleet.byCredential(credential).id,

    /** Lets an executor finish what it runs and take nothing new. */
    drain(id: number) {
      const row = fleet.get(id) ?? notFound()
      if (!isConnected(row)) invalidState(msg('nothing_to_drain', { name: row.name, status: row.status }))
      store.transaction(() => {
        fleet.changed(executors.update(id, { drain_requested: 1, status: 'draining', updated_at: clock.iso() }))
      })
      return { success: true }
    },

    /** Its owner saw the process of this name end: nobody has to wait for the lease. */
    ended(name: string): void {
      const row = fleet.all().find((one) => one.name.toLowerCase() === name.toLowerCase())
      if (row && isConnected(row)) fleet.gone(row, 'lost')
    },

    /** Runs wait in the store while `on`: the server is to end when those under way have ended. */
    hold: (on: boolean) => handOut.hold(on),

    /** The machine was asleep, and executors with it. */
    afterSleep: () => leases.afterSleep(),

    /** Looks for what has run out. A timer does this every second. */
    sweep,

    summary() {
      const all = fleet.all()
      const count = (status: ExecutorStatus) => all.filter((row) => row.status === status).length
      const online = all.filter((row) => row.status === 'online')
      return {
        online: online.length,
        draining: count('draining'),
        lost: count('lost'),
        slots: online.reduce((sum, row) => sum + row.slots, 0),
        busy: online.reduce((sum, row) => sum + fleet.busy(row), 0),
      }
    },
  }
}
export type ExecutorsService = ReturnType<typeof createExecutorsService>
