import { msg } from '../../../contract/messages.ts'
import type { JobRunRerun, rerunJobRun } from '../../../contract/job-run-control.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import { nearest } from '../../platform/nearest.ts'
import type { Platform } from '../../platform/platform.ts'
import { conflict, invalid, invalidState, notFound } from '../../platform/refusal.ts'
import type { JobsService } from '../jobs/jobs.service.ts'
import type { Origin } from '../runs/runs.service.ts'
import type { TasksService } from '../tasks/tasks.service.ts'
import type { JobRunReadsService } from './job-run-reads.service.ts'
import { createJobRunReadsStore } from './job-run-reads.store.ts'
import { type RerunPlan, planRerun } from './job-run-rerun.rules.ts'
import { createJobRunRerunsStore } from './job-run-reruns.store.ts'
import type { JobRunsService, Launch } from './job-runs.service.ts'
import { later } from './job-runs.rules.ts'
import type { JobRunRow } from './job-runs.table.ts'

interface Dependencies {
  jobRuns: Pick<JobRunsService, 'launch'>
  reads: Pick<JobRunReadsService, 'present' | 'outcomes'>
  jobs: Pick<
    JobsService,
    'forRun' | 'heldSnapshot' | 'overrideText' | 'keepOverrideText' | 'checkOverride' | 'overridesAhead'
  >
  tasks: Pick<TasksService, 'textOf'>
}
type Held = ReturnType<JobsService['heldSnapshot']>
/** Task key → text. */
type Texts = Record<string, string>

export function createJobRunRerunService(platform: Platform, { jobRuns, reads, jobs, tasks }: Dependencies) {
  const { store, clock } = platform
  const stored = createJobRunReadsStore(store)
  const reruns = createJobRunRerunsStore(store)

  function needRest(id: number): JobRunRow {
    const run = stored.get(id) ?? notFound()
    if (run.status === 'pending' || run.status === 'running') {
      invalidState(msg('job_run_open', { id, status: run.status }))
    }
    const job = jobs.forRun(run.job_id)
    if (job.status === 'archived') invalidState(msg('job_archived', { name: job.name }))
    return run
  }

  function planOf(run: JobRunRow, { document }: Held, from: readonly string[] | undefined): RerunPlan {
    const known = Object.keys(document.tasks)
    const details = (from ?? []).flatMap((key, index) => {
      if (Object.hasOwn(document.tasks, key)) return []
      const near = nearest(key, known)
      const reason = near ? msg('job_run_no_task_near', { key, near }) : msg('job_run_no_task', { key })
      return [{ path: `body.from[${index}]`, ...reason }]
    })
    if (details.length > 0) invalid(details)
    const nodes = stored.nodes(run.id).map(({ task_key, status, reason }) => ({
      key: task_key,
      depends_on: document.tasks[task_key]?.depends_on ?? [],
      run_if: document.tasks[task_key]?.run_if ?? ('all_success' as const),
      status,
      reason,
    }))
    return planRerun(nodes, from)
  }

  /** What the task's version says, whatever anybody runs instead. */
  function pinnedText({ tasks: pinned }: Held, key: string): string {
    const { task_id, version, task_name } = pinned[key] ?? notFound(msg('no_task_version', { key }))
    return (
      tasks.textOf(task_id, version)?.yaml_content ?? notFound(msg('task_version_gone', { version, name: task_name }))
    )
  }

  /** Refuses texts that do not fit, or that nothing would run; gives those that differ from what was run. */
  function changesOf(run: JobRunRow, held: Held, plan: RerunPlan, given: Texts): JobRunRerun['overrides'] {
    const [before, mapping] = [overridesOf(run), mappingOf(run)]
    return Object.entries(given).flatMap(([task_key, after]) => {
      const path = `body.overrides.${task_key}`
      jobs.checkOverride(run.snapshot_id, mapping, task_key, after, path)
      if (plan.skipped.includes(task_key)) {
        invalid([{ path, ...msg('rerun_skips', { key: task_key }) }])
      }
      if (!plan.runs.includes(task_key)) {
        invalid([{ path, ...msg('rerun_leaves', { key: task_key }) }])
      }
      const hash = Object.hasOwn(before, task_key) ? before[task_key] : undefined
      const text = hash === undefined ? pinnedText(held, task_key) : (jobs.overrideText(hash) ?? '')
      return text === after ? [] : [{ task_key, before: text, after }]
    })
  }

  /** Hashes by task key, with the changes; a text that is the version's own is none. */
  function overridesWith(run: JobRunRow, held: Held, changes: JobRunRerun['overrides']): string | null {
    const hashes = new Map(Object.entries(overridesOf(run)))
    for (const { task_key, after } of changes) {
      if (after === pinnedText(held, task_key)) hashes.delete(task_key)
      else hashes.set(task_key, jobs.keepOverrideText(after))
    }
    return hashes.size === 0 ? null : JSON.stringify(Object.fromEntries(hashes))
  }

  /** Items that are done and would be done once more. */
  function repeatedOf(run: JobRunRow, { document }: Held, { runs }: RerunPlan): JobRunRerun['repeated'] {
    const again = new Set(runs)
    return stored.nodes(run.id).flatMap(({ task_key, n_success, n_completed }) => {
      const node = document.tasks[task_key]
      const items = n_success + n_completed
      const isList = node?.kind === 'task' && node.for_each !== null
      return isList && items > 0 && again.has(task_key) ? [{ task_key, items }] : []
    })
  }

  function launchOf(run: JobRunRow, held: Held, plan: RerunPlan, overrides: string | null): Launch {
    const { concurrency, timeout_ms, deadline_ms } = held.document
    const { job_id, job_name, snapshot_id, template_version, logical_date, timezone, connector_mapping, priority } = run
    const same = {
      job_id,
      job_name,
      snapshot_id,
      template_version,
      logical_date,
      timezone,
      connector_mapping,
      priority,
    }
    const { selection } = plan
    return {
      ...same,
      arguments: run.arguments,
      // Written when the earlier job run was made.
      parameters: () => JSON.parse(run.parameters) as Record<string, unknown>,
      overrides,
      selected_tasks: selection ? JSON.stringify(selection) : run.selected_tasks,
      skip_deps: selection ? 1 : run.skip_deps,
      full_refresh: run.full_refresh,
      on_overlap: concurrency.on_overlap,
      max_tasks: concurrency.tasks,
      timeout_ms,
      late_at: deadline_ms === null ? null : later(clock.iso(), deadline_ms),
      rerun_of: run.id,
      trigger_id: null,
      event_trigger_id: null,
      backfill_id: null,
      backfill_parallel: null,
    }
  }

  function rerun(id: number, body: BodyOf<typeof rerunJobRun>, origin: Origin): JobRunRerun {
    const run = needRest(id)
    const held = jobs.heldSnapshot(run.snapshot_id)
    const plan = planOf(run, held, body.from)
    const overrides = changesOf(run, held, plan, body.overrides ?? {})
    const { runs, skipped } = plan
    const repeated = repeatedOf(run, held, plan)
    const result = { runs, skipped, repeated, reused: reads.outcomes(id, plan.reused), overrides }
    if (body.dry_run) return { dry_run: true, job_run: null, ...result }
    const launch = launchOf(run, held, plan, overridesWith(run, held, overrides))
    const started = jobRuns.launch(launch, origin, (row) => reruns.takeOver(id, row.id, plan.reused))
    if (started.kind === 'overlap') {
      conflict(msg('job_run_overlaps', { id: started.job_run_id }))
    }
    return { dry_run: false, job_run: reads.present(started.job_run), ...result }
  }

  return {
    /** Reads long texts, so that `rerun` needn't, until the answer is called. */
    ahead: ({ overrides }: BodyOf<typeof rerunJobRun>, signal: AbortSignal) =>
      jobs.overridesAhead(Object.values(overrides ?? {}), signal),
    /** Tells what would run again, what is reused and how the texts differ; does it, unless it is only asked. */
    rerun: (id: number, body: BodyOf<typeof rerunJobRun>, origin: Origin): JobRunRerun =>
      store.transaction(() => rerun(id, body, origin)),
  }
}
export type JobRunRerunService = ReturnType<typeof createJobRunRerunService>

// Both were written when the job run was made.
const overridesOf = (run: JobRunRow) => JSON.parse(run.overrides ?? '{}') as Texts
const mappingOf = (run: JobRunRow) => JSON.parse(run.connector_mapping) as Record<string, number>
