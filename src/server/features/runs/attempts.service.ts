/**
 * Attempts: how runs get to executors and how they end. Every change of a run's status goes through here, each with its
 * event in the same transaction; those who wait for work, for the end of a run or for a request to stop are told after
 * the commit.
 */
import { msg } from '../../../contract/messages.ts'
import type { RunPlan, SourceState } from '../../../contract/executor-protocol.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, invalidState, notFound } from '../../platform/refusal.ts'
import { type AttemptPlanParts, OutcomeUnresolved, createAttemptPlans } from './attempt-plans.ts'
import type { AttemptKey, AttemptListeners, HeldAttempt, ReportedEnd, RunFollower } from './attempts.types.ts'
import type { RunDetailsStore } from './run-details.store.ts'
import { runEvent } from './run-presentation.ts'
import type { RunWatchers } from './run-watchers.ts'
import {
  type AttemptEnd,
  type GiveUpReason,
  endOfSilence,
  hasEnded,
  isInDoubt,
  withDoubt,
  within,
} from './runs.rules.ts'
import type { NewRun, ReadyAttempt, RunChange } from './runs.store.ts'
import type { RunRow } from './runs.table.ts'
import { keptError } from '../../platform/kept-error.ts'
import { refusalKept } from '../../platform/refusal-kept.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export type { AttemptKey, HeldAttempt } from './attempts.types.ts'
export type { GiveUpReason } from './runs.rules.ts'
export type { ReadyAttempt } from './runs.store.ts'

interface Parts extends AttemptPlanParts {
  details: RunDetailsStore
  watchers: RunWatchers
}

export function createAttemptsService(
  { store, clock, ids, events, logger }: Pick<Platform, 'store' | 'clock' | 'ids' | 'events' | 'logger'>,
  { details, watchers, ...parts }: Parts,
) {
  const { runs } = parts
  const { plan, saveState, doubtState } = createAttemptPlans(parts)
  const listeners = new Set<AttemptListeners>()
  const followers: RunFollower[] = []
  const notifyListeners = (say: (listener: AttemptListeners) => void) => store.afterCommit(() => listeners.forEach(say))

  function moved(row: RunRow): void {
    events.append('run.changed', row.id, runEvent(row))
    store.afterCommit(() => watchers.notify(row.id))
  }
  /** A clock that was put back between the two makes no time. */
  const spent = (from: string | null, to: string) =>
    from === null ? null : Math.max(0, Date.parse(to) - Date.parse(from))
  const later = (iso: string, ms: number) => new Date(Date.parse(iso) + ms).toISOString()

  /** Ends a running attempt; `report` is absent when nobody reported. False when the run has moved meanwhile. */
  function end(run: RunRow, verdict: AttemptEnd, report?: ReportedEnd): boolean {
    const at = clock.iso()
    // Also of an attempt that failed afterwards, in a hook: what is written must not be read again as if it were not.
    if (report?.state) saveState(run, report.state)
    if (verdict.error?.code === 'OUTCOME_UNKNOWN' && run.commit_permit === 'once') doubtState(run)
    const row = verdict.move === 'finish' ? finish(run, verdict, report, at) : tryAgain(run, verdict, report, at)
    if (!row) return false
    moved(row)
    notifyListeners((listener) => listener.ended({ run_id: run.id, attempt: run.attempt }))
    if (row.status === 'pending') notifyListeners((listener) => listener.ready(row.ready_at))
    else for (const follower of followers) follower.ended(row)
    return true
  }

  function finish(run: RunRow, verdict: AttemptEnd & { move: 'finish' }, report: ReportedEnd | undefined, at: string) {
    const started = report ? within(run.started_at ?? at, report.started_at, at) : run.started_at
    const completed = report ? within(started ?? at, report.completed_at, at) : at
    const change: RunChange = {
      // Who reported may repeat himself; for an attempt that was given up nobody speaks any more.
      lease_token: report ? run.lease_token : null,
      started_at: started,
      completed_at: completed,
      duration_ms: report?.duration_ms ?? spent(started, completed),
      item_count: report ? report.item_count : run.item_count,
      reject_count: report ? Math.max(report.reject_count, run.reject_count ?? 0) : run.reject_count,
      commit_state: null,
      outputs: report?.outputs ? JSON.stringify(report.outputs) : null,
      metrics_summary: report?.metrics ? JSON.stringify(report.metrics) : null,
      error_message: verdict.error?.message ?? null,
      error_code: verdict.error?.code ?? null,
      error_params: verdict.error?.params ?? null,
    }
    return runs.move(run, 'finish', verdict.status, at, change)
  }

  function tryAgain(
    run: RunRow,
    verdict: AttemptEnd & { move: 'try_again' },
    report: ReportedEnd | undefined,
    at: string,
  ) {
    const { code: error_code, message: error_message, params: error_params } = verdict.error
    const error = { error_message, error_code, error_params }
    const { executor_id, executor_name, started_at, log_seq, reject_seq, lease_token } = run
    const row = runs.move(run, 'try_again', 'pending', at, {
      attempt: run.attempt + 1,
      ready_at: later(at, verdict.delay_ms),
      lease_token: null,
      executor_id: null,
      executor_name: null,
      started_at: null,
      item_count: null,
      reject_count: null,
      log_seq: 0,
      reject_seq: 0,
      // Until an attempt succeeds, its rows may be there.
      commit_permit: error_code === 'OUTCOME_UNKNOWN' ? run.commit_permit : null,
      ...error,
    })
    if (row) {
      runs.keepAttempt({
        run_id: run.id,
        attempt: run.attempt,
        lease_token: report ? lease_token : null,
        executor_id,
        executor_name,
        started_at,
        ended_at: at,
        duration_ms: report?.duration_ms ?? spent(started_at, at) ?? 0,
        log_seq,
        reject_seq,
        ...error,
      })
    }
    return row
  }

  function claimOne({ run_id, attempt }: ReadyAttempt, executor: { id: number; name: string }): RunRow | undefined {
    const at = clock.iso()
    const row = runs.move({ id: run_id, attempt, lease_token: null }, 'claim', 'running', at, {
      lease_token: ids.token(18),
      executor_id: executor.id,
      executor_name: executor.name,
      started_at: at,
      ...(attempt > 1 && { rejects_stored: 0 }),
    })
    if (!row) return undefined
    // Rejects are those of the attempt that counts.
    if (attempt > 1) details.dropRejects(run_id)
    moved(row)
    for (const follower of followers) follower.started(row)
    return row
  }

  /** The plan of a run just claimed; undefined when it cannot be made any more: then the run has failed with the reason. */
  function planOrFail(row: RunRow): RunPlan | undefined {
    try {
      return plan(row)
    } catch (error) {
      if (error instanceof OutcomeUnresolved) {
        const { code, kept } = error
        end(row, { move: 'finish', status: 'failed', error: { code, ...kept } })
        return undefined
      }
      const known = error instanceof Refusal
      if (!known) logger.error({ err: error, run_id: row.id }, 'The plan of a run could not be made')
      const kept = known ? refusalKept(error) : keptError(runMessage('plan_not_made'))
      const failure = withDoubt(row, { code: known ? error.code : 'INTERNAL_ERROR', ...kept })
      end(row, { move: 'finish', status: 'failed', error: failure })
      return undefined
    }
  }

  return {
    listen(listener: AttemptListeners): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    follow: (follower: RunFollower) => void followers.push(follower),

    /** A new run, waiting. In a transaction of the caller's. */
    create(run: NewRun): RunRow {
      const row = runs.insert(run)
      events.append('run.created', row.id, runEvent(row))
      notifyListeners((listener) => listener.ready(row.ready_at))
      return row
    },

    /** What waits and may start now, in fair order: priority, then how long it has been ready. */
    ready: (limit: number): ReadyAttempt[] => runs.ready(clock.iso(), limit),
    nextReadyAt: () => runs.nextReadyAt(clock.iso()),

    /** Moves attempts to running under this executor; gives the plans of those that really moved. In one transaction. */
    claim(attempts: readonly ReadyAttempt[], executor: { id: number; name: string }): RunPlan[] {
      const plans: RunPlan[] = []
      for (const attempt of attempts) {
        const row = claimOne(attempt, executor)
        const made = row && planOrFail(row)
        if (made) plans.push(made)
      }
      return plans
    },

    /** An attempt that no executor has begun: it waits again in its place, under no lease. With a token: if that is its lease. */
    giveBack({ run_id, attempt, lease_token }: AttemptKey & { lease_token?: string }): void {
      store.transaction(() => {
        const run = runs.get(run_id)
        if (run?.status !== 'running' || run.attempt !== attempt) return
        if (lease_token !== undefined && lease_token !== run.lease_token) return
        if (run.cancel_requested) return void end(run, endOfSilence(run, 'cancel_unanswered', run.executor_name))
        const at = clock.iso()
        const back = { lease_token: null, executor_id: null, executor_name: null, started_at: null }
        const row = runs.move(run, 'give_back', 'pending', at, back)
        if (!row) return
        moved(row)
        notifyListeners((listener) => listener.ended({ run_id, attempt }))
        notifyListeners((listener) => listener.ready(row.ready_at))
      })
    },

    /** Ends an attempt about which nobody reports. Does nothing when it has ended already. */
    giveUp({ run_id, attempt }: AttemptKey, reason: GiveUpReason): void {
      store.transaction(() => {
        const run = runs.get(run_id)
        if (run?.status !== 'running' || run.attempt !== attempt) return
        end(run, endOfSilence(run, reason, run.executor_name))
      })
    },

    end,
    /** The attempt may commit from now on. */
    permit: (run: RunRow, repeatable: boolean, state: SourceState | undefined) =>
      runs.setPermit(run.id, repeatable ? 'repeatable' : 'once', state ? JSON.stringify(state) : null, clock.iso()),
    /** The target of the attempt has committed: what was read is not read again. */
    committed(run: RunRow, itemCount: number | null, state: SourceState | undefined): void {
      runs.setCommitted(run.id, itemCount, clock.iso())
      if (state) saveState(run, state)
    },
    heard: (key: AttemptKey) => notifyListeners((listener) => listener.heard(key)),

    /** Cancels a waiting run, or asks for a running one to be stopped. Asking twice is no mistake. */
    cancel(id: number): void {
      const run = runs.get(id) ?? notFound()
      if (hasEnded(run.status)) invalidState(msg('run_ended', { id, status: run.status }))
      const at = clock.iso()
      if (run.status === 'pending') {
        // That an attempt may have written its rows is still so.
        const forgotten = isInDoubt(run) ? {} : { error_message: null, error_code: null, error_params: null }
        const change = { completed_at: at, ...forgotten }
        const row = runs.move(run, 'cancel', 'cancelled', at, change)
        if (!row) return
        moved(row)
        for (const follower of followers) follower.ended(row)
        return
      }
      if (run.cancel_requested) return
      runs.askToCancel(id, at)
      notifyListeners((listener) => listener.cancelRequested({ run_id: id, attempt: run.attempt }))
    },

    isCancelled: (id: number): boolean => runs.get(id)?.cancel_requested === 1,
    hasCommitted: (id: number): boolean => Boolean(runs.get(id)?.committed_at),

    /** Every attempt that is under way, as the store has it. */
    held: (): HeldAttempt[] =>
      runs
        .running()
        .flatMap(({ id, attempt, executor_id, timeout_ms, cancel_requested }) =>
          executor_id === null
            ? []
            : [{ run_id: id, attempt, executor_id, timeout_ms, cancel_requested: cancel_requested === 1 }],
        ),
  }
}
export type AttemptsService = ReturnType<typeof createAttemptsService>
