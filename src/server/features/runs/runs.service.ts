import { problemsIn } from '../../platform/versioned-text.ts'
import { msg } from '../../../contract/messages.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import type { RejectsRerun, RerunRow } from '../../../contract/rejects-rerun.ts'
import type { Run, listRuns } from '../../../contract/runs.ts'
import type { downloadRunRejects, listRunRejects } from '../../../contract/run-rejects.ts'
import { resolveArguments } from '../../../language/task/resolve-arguments.ts'
import type { Caller } from '../../platform/caller.ts'
import { createMissingRun } from '../../platform/missing-run.ts'
import { partsPage } from '../../platform/list-parts.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid, invalidState, notFound } from '../../platform/refusal.ts'
import type { RunConnectors, RunStates } from './attempt-plans.ts'
import { createAttemptsService } from './attempts.service.ts'
import { createRejectsRerun } from './rejects-rerun.service.ts'
import { createRunCallbacksService } from './run-callbacks.service.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import { type Definition, type RunText, type RunnableTasks, createDefinitions } from './run-definitions.ts'
import { createRunDetailsStore } from './run-details.store.ts'
import { type RunFilters, createRunListStore } from './run-list.store.ts'
import { type EndFilters, isByEnd } from './run-list-by-end.store.ts'
import { createRunLists } from './run-lists.ts'
import { createErrorSearch } from './run-error-search.ts'
import { createRunLogsService } from './run-logs.service.ts'
import { presentRun } from './run-presentation.ts'
import { rejectsAsCsv, rejectsAsJsonLines } from './run-rejects-file.ts'
import { createRunWatchers } from './run-watchers.ts'
import { hasEnded } from './runs.rules.ts'
import { type NewRun, createRunsStore } from './runs.store.ts'
import type { RunRow, TriggerType } from './runs.table.ts'

export { endStatuses } from './runs.rules.ts'
export type { RunAttemptRow, RunRow, RunStepRow } from './runs.table.ts'

interface Dependencies {
  tasks: RunnableTasks
  connectors: RunConnectors
  states: RunStates
  readings: ReadingsService
  /** YAML that stands in no version, by its hash. */
  overrideText: (hash: string) => string | undefined
}

/** Who starts a run. */
export interface Origin {
  trigger_type: TriggerType
  created_by: number | null
}
/** Who has asked for something to be started. */
export const originOf = ({ kind, user_id }: Caller): Origin => ({
  trigger_type: kind === 'api_key' ? 'api' : 'manual',
  created_by: user_id,
})

/** A run that a job run wants. */
export interface JobRunStart extends Pick<
  NewRun,
  | 'task_id'
  | 'task_name'
  | 'task_version'
  | 'override_hash'
  | 'logical_date'
  | 'priority'
  | 'job_run_id'
  | 'job_id'
  | 'task_key'
  | 'item_index'
  | 'state_key'
  | 'pool'
> {
  arguments: Record<string, unknown>
  connector_mapping: Record<string, number>
  full_refresh: boolean
  /** Instead of the task's own; null: the task's own. */
  retries: { max: number; delay_ms: number; backoff: number } | null
  timeout_ms: number | null
}

interface Start {
  arguments?: Record<string, unknown>
  connector_mapping?: Record<string, number>
  full_refresh?: boolean
}

/** Called with the answer inside the transaction that makes it true. */
type Remember = (run: Run) => void
const nothing: Remember = () => {}

const ofItsOwn = {
  priority: 0,
  job_run_id: null,
  job_id: null,
  task_key: null,
  item_index: null,
  state_key: null,
  override_hash: null,
  pool: null,
  rejects_of: null,
  rejects_start: null,
}

export function createRunsService(
  platform: Platform,
  { tasks, connectors, states, readings, overrideText }: Dependencies,
) {
  const { store, clock } = platform
  const runs = createRunsStore(store)
  const list = createRunListStore(store.sqlite)
  const lists = createRunLists(store, list)
  const searchErrors = createErrorSearch(list)
  const details = createRunDetailsStore(store)
  const definitions = createDefinitions(tasks, overrideText, readings)
  const watchers = createRunWatchers()
  const rejects = createRejectsRerun(store)
  const attempts = createAttemptsService(platform, {
    runs,
    details,
    definitions,
    watchers,
    connectors,
    states,
    rejectedInput: rejects.input,
  })
  const logs = createRunLogsService(platform, { runs, watchers })
  const callbacks = createRunCallbacksService(platform, { runs, details, logs, attempts, watchers })
  platform.draining.addEventListener('abort', () => watchers.notifyAll(), { once: true })

  const missing = createMissingRun(store, 'runs')
  const need = (id: number): RunRow => runs.get(id) ?? missing(id)
  /** A run whose rejected rows are asked for, perhaps those that are like one of them. */
  const needRejects = (id: number, like: number | undefined): RunRow => {
    const run = need(id)
    if (like !== undefined && !details.hasReject(id, like))
      invalid([{ path: 'query.like', ...msg('not_a_reject_of_run', { run: id }) }])
    return run
  }

  const definitionOf = (run: RunText & Pick<RunRow, 'task_name'>): Definition =>
    definitions.get(run) ?? notFound(msg('task_version_gone', { version: run.task_version, name: run.task_name }))

  /** Refuses arguments and connectors that the task cannot work with. */
  function check({ document, ...definition }: Definition, start: Start): NonNullable<Definition['document']> {
    if (!document) invalidState(msg('task_version_has_errors'))
    const { problems } = resolveArguments(definition.arguments, start.arguments ?? {})
    if (problems.length > 0) invalid(problemsIn(problems, 'body.arguments'))
    connectors.check(start.connector_mapping ?? {}, definition.slots)
    return document
  }

  type Target = Pick<NewRun, 'task_id' | 'task_name' | 'task_version' | 'retried_from'> &
    Partial<Pick<NewRun, 'logical_date' | 'override_hash' | 'rejects_of' | 'rejects_start'>>

  function create(target: Target, definition: Definition, start: Start, { trigger_type, created_by }: Origin): Run {
    const { retries, timeout_ms } = check(definition, start)
    const at = clock.iso()
    const row = attempts.create({
      ...ofItsOwn,
      ...target,
      trigger_type,
      created_by,
      arguments: start.arguments ? JSON.stringify(start.arguments) : null,
      connector_mapping: start.connector_mapping ? JSON.stringify(start.connector_mapping) : null,
      logical_date: target.logical_date ?? at,
      max_attempts: retries.max + 1,
      retry_delay_ms: retries.delay_ms,
      retry_backoff: retries.backoff,
      timeout_ms,
      full_refresh: start.full_refresh ? 1 : 0,
      created_at: at,
    })
    return presentRun(row)
  }

  return {
    attempts,
    logs,
    callbacks,

    /** Reads a long task, so that `trigger` needn't, until the answer is called. */
    ahead: definitions.ahead,

    /** A new run of the task's current version. */
    trigger: (taskId: number, start: Start, origin: Origin, remember = nothing): Promise<Run> =>
      store.group(() => {
        const task = tasks.textOf(taskId) ?? notFound()
        if (task.archived) invalidState(msg('task_archived', { name: task.name }))
        const definition = definitions.of(taskId, task.version, task.yaml_content)
        const target = { task_id: taskId, task_name: task.name, task_version: task.version, retried_from: null }
        const run = create(target, definition, start, origin)
        remember(run)
        return run
      }),

    /** A new run like one that has ended: same version, arguments, connectors, logical date and refresh. */
    retry: (id: number, origin: Origin, remember = nothing): Promise<Run> =>
      store.group(() => {
        const { task_id, task_version, status, logical_date, ...old } = need(id)
        const rows = old.rejects_of === null ? null : rejects.again(need(id))
        if (old.job_run_id !== null) {
          invalidState(msg('run_of_job_run', { id, run: old.job_run_id }))
        }
        if (!hasEnded(status)) invalidState(msg('run_not_ended', { id, status }))
        const task = tasks.textOf(task_id, task_version) ?? notFound()
        if (task.archived) invalidState(msg('task_archived', { name: task.name }))
        // A run of its own with a text of its own reruns rejected rows of a job run.
        const definition =
          old.override_hash === null
            ? definitions.of(task_id, task_version, task.yaml_content)
            : definitionOf({ ...old, task_id, task_version, task_name: task.name })
        const { override_hash, rejects_of, rejects_start } = old
        const like = { override_hash, rejects_of, rejects_start }
        const target = { task_id, task_name: task.name, task_version, retried_from: id, logical_date, ...like }
        const run = create(target, definition, startOf(old), origin)
        if (rows) rejects.take(run.id, rows)
        remember(run)
        return run
      }),

    /** A new run of rejected rows of one that completed, with its version, arguments, connectors and logical date. */
    rerunRejects: (id: number, rows: readonly RerunRow[], origin: Origin, remember = nothing): Promise<Run> =>
      store.group(() => {
        const old = need(id)
        const { task_id, task_version, override_hash, logical_date } = old
        const task = tasks.textOf(task_id) ?? notFound()
        if (task.archived) invalidState(msg('task_archived', { name: task.name }))
        const definition = definitionOf(old)
        const { place, rows: given } = rejects.choose(old, definition, details.steps(id), rows)
        const target = { task_id, task_name: task.name, task_version, override_hash, logical_date, retried_from: null }
        const rejected = { rejects_of: id, rejects_start: JSON.stringify({ ...place, rows: given.length }) }
        // What was read before says nothing of rejected rows.
        const run = create({ ...target, ...rejected }, definition, { ...startOf(old), full_refresh: false }, origin)
        rejects.take(run.id, given)
        remember(run)
        return run
      }),

    rejectsRerun(id: number): RejectsRerun {
      const run = need(id)
      return rejects.describe(run, definitions.get(run), details.steps(id))
    },

    /** A new run of a job run, waiting, in the transaction of the caller. Refuses what the task cannot work with. */
    startInJob({ retries, timeout_ms, full_refresh, ...start }: JobRunStart, origin: Origin): RunRow {
      const definition =
        definitions.get(start) ??
        notFound(msg('task_version_gone', { version: start.task_version, name: start.task_name }))
      const document = check(definition, start)
      const { max, delay_ms, backoff } = retries ?? document.retries
      return attempts.create({
        ...start,
        ...origin,
        arguments: JSON.stringify(start.arguments),
        connector_mapping: JSON.stringify(start.connector_mapping),
        max_attempts: max + 1,
        retry_delay_ms: delay_ms,
        retry_backoff: backoff,
        timeout_ms: timeout_ms ?? document.timeout_ms,
        full_refresh: full_refresh ? 1 : 0,
        retried_from: null,
        rejects_of: null,
        rejects_start: null,
        created_at: clock.iso(),
      })
    },

    cancel: (id: number) =>
      store.group(() => {
        attempts.cancel(id)
        return { success: true }
      }),

    get: (id: number): Run => presentRun(need(id)),

    /** `task_key` narrows those of one job run. */
    list({ cursor, limit, sort, order, from, to, ...query }: QueryOf<typeof listRuns> & { task_key?: string }) {
      const filters: RunFilters & EndFilters = {
        ...query,
        from: instant(from, 'query.from'),
        to: instant(to, 'query.to'),
        completed_from: instant(query.completed_from, 'query.completed_from'),
        completed_to: instant(query.completed_to, 'query.completed_to'),
      }
      refuseMixed(filters, isByEnd(filters))
      const { rows, ...page } = partsPage({
        cursors: store.cursors,
        cursor,
        limit,
        ...lists.sorted(filters, sort, order),
      })
      return { result: rows.map(presentRun), ...page }
    },

    searchErrors,

    /** The text that it ran. */
    yamlOf: (id: number): string => definitionOf(need(id)).yaml_content,
    steps: (id: number) => details.steps(need(id).id),
    rejectsFile(id: number, { format = 'csv', formula_guard = false, ...filters }: QueryOf<typeof downloadRunRejects>) {
      const run = needRejects(id, filters.like)
      return format === 'csv'
        ? rejectsAsCsv(details, run.id, filters, formula_guard)
        : rejectsAsJsonLines(details, run.id, filters)
    },
    rejectGroups: (id: number) => details.rejectGroups(need(id).id),
    /** Of the runs of a job run. */
    driftOf: details.driftOf,
    rejects(id: number, query: QueryOf<typeof listRunRejects>) {
      const { rows, ...page } = details.rejects(needRejects(id, query.like).id, query)
      return { result: rows, ...page }
    },
  }
}
export type RunsService = ReturnType<typeof createRunsService>

/** Some filters are answered by one of the two lists only. */
function refuseMixed({ job_id, executor_id, job_run_id }: RunFilters & EndFilters, byEnd: boolean): void {
  const details = [
    ...(job_id !== undefined && !byEnd ? [{ path: 'query.job_id', ...msg('runs_only_by_end') }] : []),
    ...(executor_id !== undefined && !byEnd ? [{ path: 'query.executor_id', ...msg('runs_only_by_end') }] : []),
    ...(job_run_id !== undefined && byEnd ? [{ path: 'query.job_run_id', ...msg('runs_not_by_end') }] : []),
  ]
  if (details.length > 0) invalid(details)
}
/** What a run was started with: all was written by `create` from validated bodies. */
function startOf(run: Pick<RunRow, 'arguments' | 'connector_mapping' | 'full_refresh'>): Start {
  return {
    arguments: parsed(run.arguments) as Start['arguments'],
    connector_mapping: parsed(run.connector_mapping) as Start['connector_mapping'],
    full_refresh: run.full_refresh === 1,
  }
}
const parsed = (json: string | null): unknown => (json === null ? undefined : JSON.parse(json))

/** A time as the store writes it; times of requests come with any offset and precision. */
function instant(text: string | undefined, path: string): string | undefined {
  if (text === undefined) return undefined
  const date = new Date(text)
  // The format also admits leap seconds, which Date does not know.
  if (Number.isNaN(date.getTime())) invalid([{ path, ...msg('not_a_time') }])
  return date.toISOString()
}
