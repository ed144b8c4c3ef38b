import { problemsIn } from '../../platform/versioned-text.ts'
import { msg } from '../../../contract/messages.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { OnOverlap, JobDocument } from '../../../language/job/job.types.ts'
import { resolveParameters } from '../../../language/job/resolve-job.ts'
import type { Json } from '../../../language/task/task.types.ts'
import { nearest } from '../../platform/nearest.ts'
import { invalid, invalidState } from '../../platform/refusal.ts'

/** What triggers need of jobs. */
export interface StartableJobs {
  forRun(jobId: number): {
    id: number
    name: string
    status: 'active' | 'archived'
    snapshot_id: number
    parameters: Record<string, Json>
  }
  heldSnapshot(snapshotId: number): { document: JobDocument }
}
/** What triggers need of job runs. */
export interface JobStarts {
  /** In the caller's transaction. */
  start(
    jobId: number,
    options: {
      arguments?: Record<string, unknown>
      selected_tasks?: string[]
      skip_deps?: boolean
      logical_date?: string
      timezone?: string
      on_overlap?: OnOverlap
      trigger_id?: number
      event_trigger_id?: number
    },
    origin: { trigger_type: 'cron' | 'api'; created_by: number | null },
  ): { kind: 'started'; job_run: { id: number } } | { kind: 'overlap'; job_run_id: number }
}

/** What a trigger is to start: a job, or one of its tasks, with parameters. */
interface StartTarget {
  job_id: number
  task_key: string | null
  arguments: Record<string, unknown> | null
}

/** Whether a trigger has something to start. */
export function createStartTargets(jobs: StartableJobs) {
  function taskProblems({ tasks }: JobDocument, key: string | null): ErrorDetail[] {
    const path = 'body.task_key'
    if (key === null) return []
    const task = Object.hasOwn(tasks, key) ? tasks[key] : undefined
    if (task?.kind === 'task') return []
    if (task) return [{ path, ...msg('gate_not_alone', { key }) }]
    const near = nearest(key, Object.keys(tasks))
    return [{ path, ...(near ? msg('job_no_task_near', { key, near }) : msg('job_no_task', { key })) }]
  }
  function argumentProblems(
    document: JobDocument,
    kept: Record<string, Json>,
    given: Record<string, unknown>,
    open: (value: unknown) => boolean,
  ): ErrorDetail[] {
    const fixed = Object.entries(given).filter(([, value]) => !open(value))
    const { problems } = resolveParameters(document.parameters, { ...kept, ...Object.fromEntries(fixed) })
    const names = Object.keys(given).filter((name) => open(given[name]))
    const later = (path: string) => names.some((name) => path === name || path.startsWith(`${name}[`))
    const unknown = names.filter((name) => !Object.hasOwn(document.parameters, name))
    return [
      ...unknown.map((name) => ({ path: `body.arguments.${name}`, ...msg('parameter_unknown', { name }) })),
      ...problemsIn(
        problems.filter(({ path }) => !later(path)),
        'body.arguments',
      ),
    ]
  }

  return {
    /**
     * Refuses what the job could not be started with. `open`: arguments that are known only when it starts, and are checked then.
     */
    check({ job_id, task_key, arguments: given }: StartTarget, open: (value: unknown) => boolean = () => false) {
      const job = jobs.forRun(job_id)
      if (job.status === 'archived') invalidState(msg('job_archived_first', { name: job.name }))
      const { document } = jobs.heldSnapshot(job.snapshot_id)
      const details = [
        ...taskProblems(document, task_key),
        ...argumentProblems(document, job.parameters, given ?? {}, open),
      ]
      if (details.length > 0) invalid(details)
    },
    /** Refuses a task that cannot be run alone any more: an upgrade may have taken it away, or made it a gate. */
    checkTask(jobId: number, key: string | null) {
      if (key === null) return
      const details = taskProblems(jobs.heldSnapshot(jobs.forRun(jobId).snapshot_id).document, key)
      if (details.length > 0) invalid(details)
    },
    isArchived: (jobId: number) => jobs.forRun(jobId).status === 'archived',
  }
}
export type StartTargets = ReturnType<typeof createStartTargets>
