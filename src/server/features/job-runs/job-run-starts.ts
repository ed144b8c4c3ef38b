import { problemsIn } from '../../platform/versioned-text.ts'
import { msg } from '../../../contract/messages.ts'
import { resolveParameters } from '../../../language/job/resolve-job.ts'
import type { OnOverlap } from '../../../language/job/job.types.ts'
import type { Json } from '../../../language/task/task.types.ts'
import { instant } from '../../platform/instant.ts'
import { nearest } from '../../platform/nearest.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid, invalidState } from '../../platform/refusal.ts'
import { zoneOf } from '../../platform/zones.ts'
import type { Origin } from '../runs/runs.service.ts'
import type { JobRunControl } from './job-run-control.ts'
import type { JobRunEngine } from './job-run-engine.ts'
import type { JobRunEvents } from './job-run-events.ts'
import type { Held, JobRunPlan } from './job-run-plan.ts'
import type { JobRunTasksStore } from './job-run-tasks.store.ts'
import { later, selectionOf } from './job-runs.rules.ts'
import type { JobRunsStore, NewJobRun } from './job-runs.store.ts'
import type { JobRunRow } from './job-runs.table.ts'
import { seenLogicalDate } from './logical-date.rules.ts'

/** What job runs need of jobs. */
export interface RunnableJobs {
  forRun(jobId: number): {
    id: number
    name: string
    status: 'active' | 'archived'
    snapshot_id: number
    connector_mapping: Record<string, number>
    parameters: Record<string, Json>
    overrides: Record<string, string>
  }
  heldSnapshot(snapshotId: number): Held
}

export interface StartOptions {
  /** Parameters over those of the job. */
  arguments?: Record<string, unknown>
  selected_tasks?: readonly string[]
  skip_deps?: boolean
  logical_date?: string
  /** IANA name; the template's unless given. */
  timezone?: string
  full_refresh?: boolean
  priority?: number
  on_overlap?: OnOverlap
  trigger_id?: number
  event_trigger_id?: number
  /** Those of one backfill only wait for each other, `max_parallel` at once. */
  backfill?: { id: string; max_parallel: number }
}
export type Started = { kind: 'started'; job_run: JobRunRow } | { kind: 'overlap'; job_run_id: number }

/** A job run that is made; its parameters may need its number. */
export type Launch = Omit<NewJobRun, 'parameters' | 'created_at' | 'created_by' | 'trigger_type'> & {
  parameters: (jobRunId: number) => Record<string, unknown>
}

interface Parts {
  jobs: RunnableJobs
  jobRuns: JobRunsStore
  nodes: JobRunTasksStore
  events: JobRunEvents
  engine: JobRunEngine
  control: JobRunControl
  plans: (snapshotId: number) => JobRunPlan
}

/** How job runs come to be. Each inside a transaction of the caller. */
export function createJobRunStarts({ clock }: Pick<Platform, 'clock'>, parts: Parts) {
  const { jobs, jobRuns, nodes, events, engine, control, plans } = parts

  function checkSelection(plan: JobRunPlan, selected: readonly string[] | undefined): void {
    const keys = [...plan.nodes.keys()]
    const details = (selected ?? []).flatMap((key, index) => {
      if (plan.nodes.has(key)) return []
      const near = nearest(key, keys)
      return [
        {
          path: `body.selected_tasks[${index}]`,
          ...(near ? msg('job_no_task_near', { key, near }) : msg('job_no_task', { key })),
        },
      ]
    })
    if (details.length > 0) invalid(details)
  }

  function parametersOf(
    plan: JobRunPlan,
    given: Record<string, unknown>,
    run: { id: number; logical_date: string; trigger_type: string },
  ) {
    const { values, problems } = resolveParameters(plan.document.parameters, given, { run })
    if (problems.length > 0) invalid(problemsIn(problems, 'body.arguments'))
    return values
  }

  /** Job runs of the job that have not ended, but for those of the same backfill. */
  const strangersOf = ({ job_id, backfill_id }: Launch) =>
    jobRuns.unfinished(job_id).filter((other) => backfill_id === null || other.backfill_id !== backfill_id)

  /**
   * Writes a job run with its tasks, and lets it begin unless earlier ones are in its way. `prepare` may write what it takes over
   * before anything is decided.
   */
  function launch(wanted: Launch, { trigger_type, created_by }: Origin, prepare?: (row: JobRunRow) => void): Started {
    const strangers = strangersOf(wanted)
    const [first] = strangers
    if (first && wanted.on_overlap === 'skip') return { kind: 'overlap', job_run_id: first.id }
    const plan = plans(wanted.snapshot_id)
    const at = clock.iso()
    return engine.change((): Started => {
      const { id } = jobRuns.insert({ ...wanted, parameters: '{}', trigger_type, created_by, created_at: at })
      const row = jobRuns.setParameters(id, JSON.stringify(wanted.parameters(id)))
      // Written above from names of tasks.
      const selected = wanted.selected_tasks === null ? null : (JSON.parse(wanted.selected_tasks) as string[])
      const taking = selectionOf(plan.nodes, selected, wanted.skip_deps === 1)
      const rows = [...plan.nodes.values()].map(({ key, kind }, position) => {
        const out = taking !== null && !taking.has(key)
        const standing = out
          ? ({ status: 'skipped', reason: 'not_selected', completed_at: at } as const)
          : ({ status: 'pending', reason: null, completed_at: null } as const)
        return { task_key: key, position, kind, ...standing }
      })
      nodes.insert(id, rows)
      prepare?.(row)
      events.created(row)
      if (wanted.on_overlap === 'cancel_running') for (const other of strangers) control.cancel(other.id)
      engine.lookAtJob(wanted.job_id)
      return { kind: 'started', job_run: row }
    })
  }

  /** Refuses what cannot be started: an archived job, unknown tasks, parameters that do not fit. */
  function wantedOf(jobId: number, options: StartOptions, origin: Origin): Launch {
    const job = jobs.forRun(jobId)
    if (job.status === 'archived') invalidState(msg('job_archived', { name: job.name }))
    const held = jobs.heldSnapshot(job.snapshot_id)
    const plan = plans(job.snapshot_id)
    const { document } = plan
    checkSelection(plan, options.selected_tasks)
    const at = clock.iso()
    const logical_date = instant(options.logical_date, 'body.logical_date') ?? at
    const timezone = options.timezone ?? document.timezone
    if (!zoneOf(timezone)) invalid([{ path: 'body.timezone', ...msg('not_a_zone') }])
    const seen = seenLogicalDate({ logical_date, timezone })
    // Forms send null for a field left empty; it means the same as leaving it out.
    const given = Object.fromEntries(Object.entries(options.arguments ?? {}).filter(([, value]) => value !== null))
    const all = { ...job.parameters, ...given }
    const some = options.selected_tasks !== undefined
    const wanted: Launch = {
      job_id: jobId,
      job_name: job.name,
      snapshot_id: job.snapshot_id,
      template_version: held.template_version,
      trigger_id: options.trigger_id ?? null,
      event_trigger_id: options.event_trigger_id ?? null,
      logical_date,
      timezone,
      arguments: options.arguments ? JSON.stringify(options.arguments) : null,
      parameters: (id) => parametersOf(plan, all, { id, logical_date: seen, trigger_type: origin.trigger_type }),
      connector_mapping: JSON.stringify(job.connector_mapping),
      overrides: Object.keys(job.overrides).length > 0 ? JSON.stringify(job.overrides) : null,
      selected_tasks: some ? JSON.stringify(options.selected_tasks) : null,
      skip_deps: some ? (options.skip_deps ? 1 : 0) : null,
      full_refresh: options.full_refresh ? 1 : 0,
      priority: options.priority ?? document.priority,
      on_overlap: options.on_overlap ?? document.concurrency.on_overlap,
      max_tasks: document.concurrency.tasks,
      timeout_ms: document.timeout_ms,
      late_at: document.deadline_ms === null ? null : later(at, document.deadline_ms),
      rerun_of: null,
      backfill_id: options.backfill?.id ?? null,
      backfill_parallel: options.backfill?.max_parallel ?? null,
    }
    wanted.parameters(0)
    return wanted
  }

  return {
    launch: (...given: Parameters<typeof launch>): Started => fresh(launch(...given)),

    /** What is refused is refused even where an overlap would keep it from starting. */
    start: (jobId: number, options: StartOptions, origin: Origin): Started =>
      fresh(launch(wantedOf(jobId, options, origin), origin)),

    /** Whether it could be started: refuses as `start` does, and gives the job run that an overlap would leave it out for. */
    check(jobId: number, options: StartOptions, origin: Origin): { in_its_way: number | null } {
      const wanted = wantedOf(jobId, options, origin)
      const [first] = strangersOf(wanted)
      return { in_its_way: first && wanted.on_overlap === 'skip' ? first.id : null }
    },
  }

  /** As it stands once everything that follows from the start has been done. */
  function fresh(started: Started): Started {
    if (started.kind === 'overlap') return started
    return { kind: 'started', job_run: jobRuns.get(started.job_run.id) ?? started.job_run }
  }
}
