/**
 * Drives job runs: whatever ends, opens or makes room is followed, in the same transaction, by everything that comes of it. What is
 * to be looked at is only noted where it happens; the notes are worked through once the change itself is complete, so that a run that
 * ends while another job run is being cancelled never meets a half-made state. Nothing of it outlives the transaction: a server that
 * is killed finds in the store all that it needs.
 */
import type { OnFailure } from '../../../language/job/job.types.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { RunRow, RunsService } from '../runs/runs.service.ts'
import { createJobRunDecisions } from './job-run-decisions.ts'
import type { JobRunEndings } from './job-run-endings.ts'
import type { JobRunEvents } from './job-run-events.ts'
import type { JobRunItemsStore } from './job-run-items.store.ts'
import type { JobRunPlan } from './job-run-plan.ts'
import { createJobRunScopes } from './job-run-scopes.ts'
import type { JobRunTasksStore } from './job-run-tasks.store.ts'
import { createJobRunWork } from './job-run-work.ts'
import { createJobRunWorklist } from './job-run-worklist.ts'
import { givesUp, isBad, isOpen, later, mayBegin, nodeEnd } from './job-runs.rules.ts'
import type { JobRunsStore } from './job-runs.store.ts'
import type { JobRunItemRow, JobRunRow, JobRunTaskRow } from './job-runs.table.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'
import { asPart, keptError } from '../../platform/kept-error.ts'

interface Parts {
  jobRuns: JobRunsStore
  nodes: JobRunTasksStore
  items: JobRunItemsStore
  events: JobRunEvents
  plans: (snapshotId: number) => JobRunPlan
  runs: Pick<RunsService, 'startInJob' | 'attempts'>
  endings: JobRunEndings
}

export function createJobRunEngine(platform: Platform, parts: Parts) {
  const { store, clock, logger } = platform
  const { jobRuns, nodes, items, events, plans, runs, endings } = parts
  const scopes = createJobRunScopes({ nodes, items })
  const work = createJobRunWork({ items, scopes, runs, clock })
  const changed = (run: JobRunRow, key: string) => events.progress(run, key)
  const list = createJobRunWorklist(platform, { advance: advanceSafely, fillPool, fill, beginNext })
  const { isEnough } = list
  const decisions = createJobRunDecisions({ nodes, items, scopes, clock, changed, isEnough, asked: endings.asked })

  /** undefined when the template cannot be read any more (an older release wrote it): the job run then stops with the reason. */
  function planOf(run: JobRunRow): JobRunPlan | undefined {
    try {
      return plans(run.snapshot_id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (!isEnding(run)) breakOff(run, runMessage('job_run_cannot_continue', { cause: error.reason ?? error.message }))
      return undefined
    }
  }

  /** Nothing more starts; what is under way goes on to its end. */
  function stop(run: JobRunRow, reason: Message): void {
    const { message: stop_reason, params: error_params } = keptError(reason)
    if (!isEnding(run)) jobRuns.note(run.id, { stop_reason, error_params }, clock.iso())
    list.lookAt(run.id)
  }
  /** Nothing more starts, and what is under way is asked to stop. */
  function breakOff(run: JobRunRow, reason: Message): void {
    stop(run, reason)
    cancelWork(run)
  }
  function cancelWork({ id }: JobRunRow): void {
    for (const { run_id } of items.active(id)) if (run_id !== null) runs.attempts.cancel(run_id)
  }

  /** A mistake of ours in one job run must not keep an executor from telling how its work ended. */
  function advanceSafely(id: number, ended: ReadonlySet<string> | 'all'): void {
    try {
      store.transaction(() => advance(id, ended))
    } catch (error) {
      const run = jobRuns.get(id)
      if (!run || isEnding(run) || isOfStore(error)) throw error
      logger.error({ err: error, job_run_id: id }, 'A job run could not go on')
      breakOff(run, runMessage('job_run_server_error'))
    }
  }

  function advance(id: number, ended: ReadonlySet<string> | 'all'): void {
    const run = jobRuns.get(id)
    // What ends while it is paused is looked at when it is resumed.
    if (!run || !isOpen(run.status) || (run.status !== 'running' && run.cancel_requested === 0)) return
    const plan = planOf(run)
    if (isEnding(run)) {
      stopWaiting(run, plan)
      if (run.active === 0) finish(run, plan)
      return
    }
    if (!plan) return
    const { stoppedBy, isComplete } = decisions.decide(run, plan, ended)
    if (stoppedBy) return stop(run, stopMessage(stoppedBy))
    if (!isComplete) return list.lookAt(id)
    const open = nodes.open(id)
    if (open.under_way > 0) list.mayStartMore(id)
    else if (open.gates > 0) endings.awaitGates(run)
    else if (open.pending > 0) throw new Error(`${open.pending} tasks of job run ${id} wait for nothing`)
    else finish(run, plan)
  }

  function finish(run: JobRunRow, plan: JobRunPlan | undefined): void {
    endings.finish(run, onFailureOf(plan))
    list.lookAtJob(run.job_id)
  }

  /** What has not begun is skipped; what is under way is waited for. */
  function stopWaiting(run: JobRunRow, plan: JobRunPlan | undefined): void {
    const change = { reason: 'stopped', completed_at: clock.iso() }
    for (const node of nodes.notEnded(run.id)) {
      const idle = node.status === 'pending' || node.status === 'paused'
      if (idle && nodes.move(run.id, node.task_key, 'stop', 'skipped', change)) changed(run, node.task_key)
      else if (!idle) settleNode(run, plan, node.task_key)
    }
  }

  /** Something about the units of work of a node has changed: perhaps it has ended. */
  function settleNode(run: JobRunRow, plan: JobRunPlan | undefined, key: string): void {
    const forEach = plan?.task(key).for_each ?? null
    let node = nodes.get(run.id, key)
    if (!node) return
    // While a job run is paused it is not brought to its end, unless it is cancelled.
    const stops = run.status === 'paused' ? run.cancel_requested === 1 : isEnding(run)
    if (node.n_queued > 0 && (stops || givesUp(node, forEach))) {
      // What a pause has taken back had begun before a sibling failed: it is done again nevertheless.
      items.skipQueued(run.id, key, clock.iso(), { takenBack: stops })
      node = nodes.get(run.id, key) ?? node
    }
    changed(run, key)
    const end = nodeEnd(node, forEach)
    if (!end) return list.mayStartMore(run.id)
    const error = isBad(end.status) ? items.errorOf(run.id, key, node.item_total ?? 1) : null
    const row = nodes.move(run.id, key, 'end', end.status, {
      reason: end.reason,
      error_message: error?.message ?? null,
      error_params: error?.params ?? null,
      completed_at: clock.iso(),
    })
    if (!row) return
    list.lookAt(run.id, key)
    if (isBad(row.status) && onFailureOf(plan)(key) === 'stop') stop(run, stopMessage(row))
  }

  /** Starts the next unit of work of a node. False when it could not be started. */
  function startNext(run: JobRunRow, plan: JobRunPlan, item: JobRunItemRow): boolean {
    if (work.start(run, plan, item)) return true
    settleNode(run, plan, item.task_key)
    return false
  }

  /** Starts what may start of a job run, the most urgent first. */
  function fill(id: number): void {
    const run = jobRuns.get(id)
    if (run?.status !== 'running' || isEnding(run)) return
    const plan = planOf(run)
    if (!plan) return
    let room = run.max_tasks - run.active
    if (room <= 0) return
    for (const node of nodes.waiting(id)) {
      const inPool = node.pool === null ? Infinity : nodes.poolRoom(node.pool)
      let inNode = Math.min((node.max_parallel ?? Infinity) - node.n_active, inPool)
      while (room > 0 && inNode > 0) {
        const item = items.nextQueued(id, node.task_key)
        if (!item) break
        if (startNext(run, plan, item)) {
          room -= 1
          inNode -= 1
        } else if (isEnding(jobRuns.get(id) ?? run)) return
        else if (isEnough()) return list.mayStartMore(id)
      }
      if (room <= 0) return
    }
  }

  /** Gives free slots of a pool to whoever waits for them, in whatever job run. */
  function fillPool(pool: string): void {
    for (let room = nodes.poolRoom(pool); room > 0;) {
      const next = nodes.nextInPool(pool)
      const run = next && jobRuns.get(next.job_run_id)
      const item = next && items.nextQueued(next.job_run_id, next.task_key)
      const plan = run && planOf(run)
      if (!run || !item) return
      if (plan && startNext(run, plan, item)) room -= 1
      else if (isEnough()) return list.hasRoom(pool)
    }
  }

  /** The oldest job run of the job that waits begins, unless an earlier one stands in its way. */
  function beginNext(jobId: number): void {
    const run = jobRuns.firstPending(jobId)
    if (!run || !mayBegin(run, jobRuns.unfinishedBefore(run))) return
    const at = clock.iso()
    const timeout_at = run.timeout_ms === null ? null : later(at, run.timeout_ms)
    const row = jobRuns.move(run.id, 'begin', 'running', at, { started_at: at, running_since: at, timeout_at })
    if (!row) return
    events.changed(row)
    endings.begun(row)
    list.lookAt(run.id)
    list.lookAtJob(jobId)
  }

  /** The item that the run is of, while it is under way. */
  function itemOf(run: RunRow): JobRunItemRow | undefined {
    const item = run.job_run_id === null ? undefined : items.byRun(run.id)
    return item?.status === 'pending' || item?.status === 'running' ? item : undefined
  }

  runs.attempts.follow({
    started(run) {
      const item = itemOf(run)
      const at = run.started_at ?? clock.iso()
      if (!item || !items.begin({ ...item, at })) return
      const node = nodes.get(item.job_run_id, item.task_key)
      const jobRun = jobRuns.get(item.job_run_id)
      if (node?.status === 'queued')
        nodes.move(item.job_run_id, item.task_key, 'begin', 'running', { started_at: node.started_at ?? at })
      if (jobRun) changed(jobRun, item.task_key)
    },

    ended(run) {
      const item = itemOf(run)
      const jobRun = item && jobRuns.get(item.job_run_id)
      if (!item || !jobRun) return
      list.change(() => {
        if (run.pool !== null) list.hasRoom(run.pool)
        const again = run.status === 'cancelled' && item.again === 1 && run.committed_at === null
        // Even if the job run is to fail meanwhile: what becomes of it must not depend on who is heard of first.
        if (again && jobRun.cancel_requested === 0) takeBack(item)
        else work.takeOver(item, run)
        settleNode(jobRun, planOf(jobRun), item.task_key)
        if (isEnding(jobRun)) list.lookAt(jobRun.id)
      })
    },
  })

  /** Its run was stopped by a pause: it waits again. */
  function takeBack(item: JobRunItemRow): void {
    items.back(item)
    const node = nodes.get(item.job_run_id, item.task_key)
    if (node?.status === 'running' && node.n_active === 0)
      nodes.move(item.job_run_id, item.task_key, 'stopped', 'queued')
  }

  return { ...list, cancelWork, breakOff }
}
export type JobRunEngine = ReturnType<typeof createJobRunEngine>

/** It starts nothing more. */
export const isEnding = (run: Pick<JobRunRow, 'cancel_requested' | 'stop_reason'>): boolean =>
  run.cancel_requested === 1 || run.stop_reason !== null

const onFailureOf =
  (plan: JobRunPlan | undefined) =>
  (key: string): OnFailure =>
    plan?.task(key).on_failure ?? 'fail'

function stopMessage({ task_key: task, status, error_message: message, error_params: params }: JobRunTaskRow): Message {
  if (status !== 'failed') return runMessage('task_cancelled_stops', { task })
  if (message === null) return runMessage('task_failed_stops', { task })
  return runMessage('task_failed_stops_with', { task, cause: asPart({ message, params }) })
}

const isOfStore = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_')
