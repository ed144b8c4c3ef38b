import { msg } from '../../../contract/messages.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalidState, notFound } from '../../platform/refusal.ts'
import { type JobRunEngine, isEnding } from './job-run-engine.ts'
import type { JobRunEndings } from './job-run-endings.ts'
import type { JobRunEvents } from './job-run-events.ts'
import type { JobRunItemsStore } from './job-run-items.store.ts'
import type { JobRunPlan } from './job-run-plan.ts'
import type { JobRunTasksStore } from './job-run-tasks.store.ts'
import { inTheWayOf, isOpen, later, limitsOf, reopened } from './job-runs.rules.ts'
import type { JobRunsStore } from './job-runs.store.ts'
import type { JobRunRow } from './job-runs.table.ts'
import type { AttemptsService } from '../runs/attempts.service.ts'
import { runMessage } from '../../../contract/run-messages.ts'

interface Parts {
  jobRuns: JobRunsStore
  nodes: JobRunTasksStore
  items: JobRunItemsStore
  events: JobRunEvents
  endings: JobRunEndings
  engine: JobRunEngine
  plans: (snapshotId: number) => JobRunPlan
  attempts: Pick<AttemptsService, 'cancel' | 'isCancelled' | 'hasCommitted'>
}

/** What people ask of a job run. Each inside a transaction of the caller. */
export function createJobRunControl({ clock }: Pick<Platform, 'clock'>, parts: Parts) {
  const { jobRuns, nodes, items, events, endings, engine, plans, attempts } = parts
  const need = (id: number): JobRunRow => jobRuns.get(id) ?? notFound()

  /** Runs again from now on. */
  function goOn(run: JobRunRow, change: Parameters<JobRunsStore['move']>[4] = {}): void {
    const at = clock.iso()
    const timeout_ms = change.timeout_ms === undefined ? run.timeout_ms : change.timeout_ms
    const timeout_at = timeout_ms === null ? null : later(at, timeout_ms)
    const row = jobRuns.move(run.id, 'resume', 'running', at, {
      pause_reason: null,
      running_since: at,
      timeout_at,
      ...change,
    })
    if (row) events.changed(row)
    engine.lookAt(run.id)
  }

  function answer(
    run: JobRunRow,
    key: string,
    open: boolean,
    by: { user_id: number | null; note: string | null },
  ): void {
    const decided = { decided_by: by.user_id, note: by.note, completed_at: clock.iso() }
    const status = open ? 'success' : 'failed'
    if (!nodes.move(run.id, key, 'answer', status, decided)) return
    events.progress(run, key)
    engine.lookAt(run.id, key)
  }

  /** What is not done is done again, in the same job run. */
  function reopen(run: JobRunRow): void {
    const plan = plans(run.snapshot_id)
    const at = clock.iso()
    const blank = {
      reason: null,
      error_message: null,
      error_params: null,
      completed_at: null,
      decided_by: null,
      note: null,
      message: null,
      reused_from: null,
    }
    for (const [key, { fresh }] of reopened(plan.order, nodes.standings(run.id))) {
      if (fresh) items.drop(run.id, key)
      const waiting = !fresh && items.reopen(run.id, key, at) > 0
      const again = waiting
        ? { ...limitsOf(plan.task(key), run.priority), queued_at: at }
        : { started_at: null, item_total: null }
      nodes.move(run.id, key, 'reopen', waiting ? 'queued' : 'pending', { ...blank, ...again })
      events.progress(run, key)
    }
    const deadline = plan.document.deadline_ms
    const late_at = deadline === null ? null : later(run.created_at, deadline)
    goOn(run, {
      was_failed: 1,
      stop_reason: null,
      error_message: null,
      error_params: null,
      completed_at: null,
      duration_ms: null,
      success: 0,
      timeout_ms: plan.document.timeout_ms,
      late_at: late_at !== null && late_at > at ? late_at : null,
    })
  }

  return {
    pause(id: number, stopRunning: boolean): void {
      const run = need(id)
      if (run.status !== 'running') invalidState(msg('job_run_not_running', { id, status: run.status }))
      if (isEnding(run)) invalidState(msg('job_run_ending', { id }))
      engine.change(() => {
        const row = endings.rest(run, 'asked')
        if (row) events.changed(row)
        if (!stopRunning) return
        for (const item of items.active(id)) {
          // Who cancelled a single run before wants it to stay cancelled; what is written is not to be written twice.
          if (item.run_id === null || attempts.isCancelled(item.run_id) || attempts.hasCommitted(item.run_id)) continue
          items.markAgain(item)
          attempts.cancel(item.run_id)
        }
      })
    },

    resume(id: number, userId: number | null): void {
      const run = need(id)
      if (run.status !== 'paused' && run.status !== 'failed') {
        invalidState(msg('job_run_not_resumable', { id, status: run.status }))
      }
      if (run.cancel_requested) invalidState(msg('job_run_cancelling', { id }))
      const other = run.status === 'failed' ? inTheWayOf(run, jobRuns.unfinished(run.job_id)) : null
      if (other) {
        invalidState(msg('job_run_in_the_way', { id: other.id, status: other.status }))
      }
      engine.change(() => {
        if (run.status === 'failed') return reopen(run)
        for (const { task_key, status } of nodes.notEnded(id)) {
          if (status === 'paused') answer(run, task_key, true, { user_id: userId, note: null })
        }
        goOn(run)
      })
    },

    cancel(id: number): void {
      const run = need(id)
      if (!isOpen(run.status)) invalidState(msg('job_run_ended', { id, status: run.status }))
      if (run.cancel_requested) return
      engine.change(() => {
        const row = jobRuns.note(id, { cancel_requested: 1 }, clock.iso())
        if (!row) return
        events.changed(row)
        engine.cancelWork(row)
        engine.lookAt(id)
      })
    },

    decideGate(id: number, key: string, open: boolean, by: { user_id: number | null; note: string | null }): void {
      const run = need(id)
      const gate = nodes.get(id, key)
      if (gate?.kind !== 'gate') notFound(msg('job_run_no_gate', { id, key }))
      if (gate.status !== 'paused') invalidState(msg('gate_not_waiting', { key, status: gate.status }))
      if (run.cancel_requested) invalidState(msg('job_run_cancelling', { id }))
      engine.change(() => {
        answer(run, key, open, by)
        if (run.status === 'paused' && run.pause_reason === 'gate') goOn(run)
      })
    },

    /** Its time is up. */
    expire(id: number): void {
      const run = jobRuns.get(id)
      if (run?.status !== 'running') return
      engine.change(() => {
        jobRuns.note(id, { timeout_at: null }, clock.iso())
        if (!isEnding(run)) engine.breakOff(run, runMessage('job_run_timed_out'))
      })
    },
  }
}
export type JobRunControl = ReturnType<typeof createJobRunControl>
