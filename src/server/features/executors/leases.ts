/**
 * Who is alive and who holds what, on the monotonic clock: neither a change of the time of day nor a pause of this process
 * makes anybody look dead. After a restart every executor and every running run gets one fresh lease period in which to be
 * heard of again. Holds as much as is under way.
 */
import type { Clock } from '../../platform/clock.ts'
import type { AttemptKey, GiveUpReason, HeldAttempt } from '../runs/attempts.service.ts'

export interface LeaseTimes {
  /** Without a sign of life for so long an executor is lost. */
  executorMs: number
  heartbeatMs: number
}

/** The executor enforces time limits itself; the server steps in when it has not done so for this long. */
export const timeoutGraceMs = 30_000
/** How long an executor may take to say how a cancelled run ended. */
export const cancelGraceMs = 30_000

interface Held extends HeldAttempt {
  claimedAt: number
  /** The executor has spoken of it since it was claimed. */
  confirmed: boolean
  /** Claimed by this process, so that an executor that knows nothing of it never got it. */
  fresh: boolean
  /** Claimed ahead, and not begun: its executor begins it only when it has been told that it may. */
  ahead: boolean
  /** Heartbeats in a row that do not list it, and when the first of them came. */
  missed: { times: number; since: number } | null
  deadline: number
  cancelDeadline: number
  /** An answer to a claim has carried the wish to cancel it. Heartbeats repeat it anyway. */
  cancel_sent: boolean
}

interface Life {
  leaseEnds: number
  /** It has been heard of since this process began. */
  heard: boolean
}

export type Verdict =
  | { kind: 'give_up'; key: AttemptKey; reason: GiveUpReason }
  | { kind: 'give_back'; key: AttemptKey }
  | { kind: 'lost'; executor_id: number }

export const sweepEveryMs = 1_000
/** Heartbeats may pile up behind a busy process: however short their interval, an executor has this long to speak of a claim. */
const claimGraceMs = 1_000

export function createLeases(clock: Clock, times: LeaseTimes) {
  const lives = new Map<number, Life>()
  const held = new Map<number, Held>()
  let lastSweep = clock.monotonic()

  function hold(attempt: HeldAttempt, { fresh, ahead = false }: { fresh: boolean; ahead?: boolean }): void {
    const now = clock.monotonic()
    held.set(attempt.run_id, {
      ...attempt,
      claimedAt: now,
      confirmed: false,
      fresh,
      ahead,
      missed: null,
      deadline: attempt.timeout_ms === null ? Infinity : now + attempt.timeout_ms + timeoutGraceMs,
      cancelDeadline: attempt.cancel_requested ? now + cancelGraceMs : Infinity,
      cancel_sent: false,
    })
  }

  /** So long after its last sign of life, an executor has missed two heartbeats. */
  const silentAfterMs = 2 * times.heartbeatMs + sweepEveryMs

  const find = ({ run_id, attempt }: AttemptKey) => {
    const found = held.get(run_id)
    return found?.attempt === attempt ? found : undefined
  }
  const of = (executorId: number) => [...held.values()].filter(({ executor_id }) => executor_id === executorId)

  /** A pause of this process took time from everybody; what came in meanwhile has not been read yet. */
  function forgivePause(now: number): void {
    const pause = now - lastSweep - sweepEveryMs
    lastSweep = now
    if (pause < 2 * sweepEveryMs) return
    for (const life of lives.values()) life.leaseEnds += pause
    for (const one of held.values()) {
      one.deadline += pause
      one.cancelDeadline += pause
      if (one.missed) one.missed.since += pause
    }
  }

  function missing(one: Held, now: number): Verdict | undefined {
    if (!one.missed) return undefined
    const { run_id, attempt } = one
    const key = { run_id, attempt }
    if (one.fresh && (one.ahead || !one.confirmed)) {
      const waited = now - one.claimedAt >= Math.max(times.heartbeatMs, claimGraceMs)
      return one.missed.times >= 2 && waited ? { kind: 'give_back', key } : undefined
    }
    return one.missed.times >= 2 && now - one.missed.since >= times.executorMs
      ? { kind: 'give_up', key, reason: 'executor_gone' }
      : undefined
  }

  return {
    /** A sign of life. */
    renew: (executorId: number) =>
      void lives.set(executorId, { leaseEnds: clock.monotonic() + times.executorMs, heard: true }),
    /** One fresh lease period, of the time that it knows of, for an executor that this process has not heard of yet. */
    expect: (executorId: number, ms = times.executorMs) =>
      void lives.set(executorId, { leaseEnds: clock.monotonic() + ms, heard: false }),
    end: (executorId: number) => void lives.delete(executorId),
    /** Milliseconds until the lease ends; 0 when there is none. */
    remaining: (executorId: number) => Math.max(0, (lives.get(executorId)?.leaseEnds ?? 0) - clock.monotonic()),
    isHeard: (executorId: number) => lives.get(executorId)?.heard ?? false,

    hold,
    /** The executor may begin those that it holds; gives the others. */
    begin(executorId: number, keys: readonly AttemptKey[]): AttemptKey[] {
      return keys.filter((key) => {
        const found = find(key)
        if (found?.executor_id !== executorId) return true
        found.ahead = false
        return false
      })
    },
    drop(key: AttemptKey): void {
      if (find(key)) held.delete(key.run_id)
    },
    confirm(key: AttemptKey): void {
      const found = find(key)
      if (found) Object.assign(found, { confirmed: true, missed: null })
    },
    askToCancel(key: AttemptKey): void {
      const found = find(key)
      if (!found) return
      found.cancel_requested = true
      found.cancelDeadline = Math.min(found.cancelDeadline, clock.monotonic() + cancelGraceMs)
    },
    /** Cancelled runs of this executor that no answer has carried yet; from now on they count as told. */
    takeCancelled(executorId: number): AttemptKey[] {
      const asked = of(executorId).filter((one) => one.cancel_requested && !one.cancel_sent)
      for (const one of asked) one.cancel_sent = true
      return asked.map(({ run_id, attempt }) => ({ run_id, attempt }))
    },
    of,
    /** Runs that it has begun and not ended. */
    busy: (executorId: number) => of(executorId).filter(({ ahead }) => !ahead).length,
    running: (executorId: number) => of(executorId).flatMap(({ ahead, run_id }) => (ahead ? [] : [run_id])),

    /** Compares what an executor says it runs with what it holds; gives those that it must stop. */
    reconcile(executorId: number, running: readonly AttemptKey[]): AttemptKey[] {
      const now = clock.monotonic()
      const listed = new Map(running.map((key) => [key.run_id, key.attempt]))
      for (const one of of(executorId)) {
        if (listed.get(one.run_id) === one.attempt) Object.assign(one, { confirmed: true, missed: null })
        else one.missed = { times: (one.missed?.times ?? 0) + 1, since: one.missed?.since ?? now }
      }
      return running.filter((key) => find(key)?.executor_id !== executorId)
    },

    /** The machine was asleep: nobody could be heard of. Everybody has a whole lease from now on. */
    afterSleep(): void {
      const now = clock.monotonic()
      // Where this clock went on meanwhile, that pause is forgiven here and not once more by the next sweep.
      forgivePause(now)
      for (const life of lives.values()) life.leaseEnds = Math.max(life.leaseEnds, now + times.executorMs)
      for (const one of held.values()) one.missed = null
    },

    /** Executors that have missed two heartbeats. */
    silent(): number[] {
      const heardSince = clock.monotonic() + times.executorMs - silentAfterMs
      return [...lives].flatMap(([id, { heard, leaseEnds }]) => (heard && leaseEnds < heardSince ? [id] : []))
    },

    /** What has run out. Called every `sweepEveryMs`. */
    sweep(): Verdict[] {
      const now = clock.monotonic()
      forgivePause(now)
      const verdicts: Verdict[] = []
      for (const one of held.values()) {
        const { run_id, attempt } = one
        if (now >= one.cancelDeadline) {
          verdicts.push({ kind: 'give_up', key: { run_id, attempt }, reason: 'cancel_unanswered' })
        } else if (now >= one.deadline) verdicts.push({ kind: 'give_up', key: { run_id, attempt }, reason: 'timeout' })
        else {
          const verdict = missing(one, now)
          if (verdict) verdicts.push(verdict)
        }
      }
      for (const [executor_id, life] of lives) if (now >= life.leaseEnds) verdicts.push({ kind: 'lost', executor_id })
      return verdicts
    },
  }
}
export type Leases = ReturnType<typeof createLeases>
