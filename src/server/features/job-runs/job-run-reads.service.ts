import { msg } from '../../../contract/messages.ts'
import type {
  JobHistory,
  JobRun,
  JobRunGraph,
  JobRunNode,
  getJobHistory,
  listAllJobRuns,
  listJobRunItems,
  listJobRunRuns,
} from '../../../contract/job-runs.ts'
import type { JobRunRerun } from '../../../contract/job-run-control.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { instant } from '../../platform/instant.ts'
import { createMissingRun } from '../../platform/missing-run.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, notFound } from '../../platform/refusal.ts'
import type { JobsService } from '../jobs/jobs.service.ts'
import type { PoolsService } from '../pools/pools.service.ts'
import type { RunsService } from '../runs/runs.service.ts'
import type { UsersService } from '../users/users.service.ts'
import { duration, presentItem, presentJobRun, presentNode } from './job-run-presentation.ts'
import {
  type HistoryCell,
  type ItemSummary,
  type JobRunFilters,
  type ReadItem,
  createJobRunReadsStore,
} from './job-run-reads.store.ts'
import type { JobRunRow, JobRunTaskRow } from './job-runs.table.ts'

interface Dependencies {
  jobs: Pick<JobsService, 'get' | 'heldSnapshot'>
  runs: Pick<RunsService, 'list'>
  pools: Pick<PoolsService, 'limits' | 'used'>
  users: Pick<UsersService, 'usernames'>
}
type Held = ReturnType<JobsService['heldSnapshot']>

const itemsShown = 200

export function createJobRunReadsService(platform: Platform, { jobs, runs, pools, users }: Dependencies) {
  const reads = createJobRunReadsStore(platform.store)
  const missing = createMissingRun(platform.store, 'job_runs')
  const need = (id: number): JobRunRow => reads.get(id) ?? missing(id)

  function present(rows: JobRunRow[]): JobRun[] {
    const states = reads.states(rows.map(({ id }) => id))
    const names = users.usernames(rows.flatMap(({ created_by }) => created_by ?? []))
    return rows.map((row) => presentJobRun(row, states.get(row.id), names.get(row.created_by ?? 0)))
  }
  const presentOne = (row: JobRunRow): JobRun => present([row])[0]!

  /** undefined when this server's language does not accept the template any more: what was run is still told. */
  function heldOf({ snapshot_id }: JobRunRow): Held | undefined {
    try {
      return jobs.heldSnapshot(snapshot_id)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'INVALID_STATE') return undefined
      throw error
    }
  }

  function page(filters: JobRunFilters, query: Parameters<typeof reads.list>[1]) {
    const { rows, ...found } = reads.list(filters, query)
    return { result: present(rows), ...found }
  }

  function graphNodes(row: JobRunRow): JobRunNode[] {
    const held = heldOf(row)
    const nodes = reads.nodes(row.id)
    const planOf = ({ task_key }: JobRunTaskRow) => held?.document.tasks[task_key]
    const fans = (node: JobRunTaskRow) => {
      const plan = planOf(node)
      return plan?.kind === 'task' ? plan.for_each !== null : (node.item_total ?? 0) > 1
    }
    const singles = nodes.filter((node) => node.kind === 'task' && !fans(node)).map(({ task_key }) => task_key)
    const single = new Map(reads.singles(row.id, singles).map((item) => [item.task_key, item]))
    const runCounts = wasInterrupted(row) ? reads.runCounts(row.id, singles) : undefined
    const names = users.usernames(nodes.flatMap(({ decided_by }) => decided_by ?? []))
    const waits = waitsOf(row)
    // Written from hashes by task key.
    const overrides = JSON.parse(row.overrides ?? '{}') as Record<string, string>
    return nodes.map((node) => {
      const { task_key } = node
      const plan = planOf(node)
      const item = single.get(task_key)
      const many = node.kind === 'task' && fans(node)
      return presentNode(node, {
        plan,
        pinned: held?.tasks[task_key],
        overridden: Object.hasOwn(overrides, task_key),
        single: item,
        run_count: item ? (runCounts?.get(task_key) ?? (item.run_id === null ? 0 : 1)) : null,
        summary: many ? reads.summary(row.id, task_key) : item && summaryOf(item),
        items: many ? reads.relevantItems(row.id, task_key, itemsShown) : [],
        decided_by: node.decided_by === null ? null : (names.get(node.decided_by) ?? null),
        waits_for: node.n_queued > 0 && node.n_active === 0 ? waits(node.pool) : null,
      })
    })
  }

  /** What a queued task waits for, by its pool. */
  function waitsOf({ status, active, max_tasks }: JobRunRow): (pool: string | null) => string | null {
    if (status !== 'running') return () => null
    const [limits, used] = [pools.limits(), pools.used()]
    return (pool) => {
      const slots = pool === null ? undefined : limits.get(pool)
      if (pool !== null && slots !== undefined && (used.get(pool) ?? 0) >= slots) return 'pool'
      return active >= max_tasks ? 'concurrency' : null
    }
  }

  return {
    /** Rows as answers show them; for parts of the feature that have just written one. */
    present: presentOne,

    /** How these tasks ended and what they put out, in the order of the template. */
    outcomes(id: number, keys: readonly string[]): JobRunRerun['reused'] {
      const wanted = new Set(keys)
      return graphNodes(need(id))
        .filter(({ key }) => wanted.has(key))
        .map(({ key, status, run_id, outputs }) => ({ task_key: key, status, run_id, outputs }))
    },

    list: ({ cursor, limit, sort, order, from, to, ...filters }: QueryOf<typeof listAllJobRuns>) =>
      page(
        {
          ...filters,
          from: instant(from, 'query.from'),
          to: instant(to, 'query.to'),
        },
        { cursor, limit, sort, order },
      ),
    get: (id: number): JobRun => presentOne(need(id)),
    graph(id: number): JobRunGraph {
      const row = need(id)
      return { job_run: presentOne(row), nodes: graphNodes(row) }
    },
    runs: (id: number, query: QueryOf<typeof listJobRunRuns>) => runs.list({ ...query, job_run_id: need(id).id }),
    items(id: number, key: string, { status, ...query }: QueryOf<typeof listJobRunItems>) {
      if (!reads.hasNode(need(id).id, key)) notFound(msg('job_run_no_task', { key }))
      const { rows, ...found } = reads.items(id, key, status, query)
      return { result: rows.map(presentItem), ...found }
    },

    history(jobId: number, query: QueryOf<typeof getJobHistory>): JobHistory {
      const { result, nextCursor } = page({ job_id: [jobs.get(jobId).id] }, query)
      const cells = new Map<number, HistoryCell[]>(result.map(({ id }) => [id, []]))
      for (const cell of reads.history([...cells.keys()])) cells.get(cell.job_run_id)?.push(cell)
      const keys = new Set([...cells.values()].flatMap((row) => row.map(({ task_key }) => task_key)))
      return {
        // As the newest job run has them; those that only older ones had come behind.
        task_keys: [...keys],
        job_runs: result.map((job_run) => ({
          job_run,
          tasks: Object.fromEntries(
            (cells.get(job_run.id) ?? []).map((cell) => [
              cell.task_key,
              {
                status: cell.status,
                duration_ms: cell.duration_ms ?? duration(cell),
                run_id: cell.run_id,
                reason: cell.reason,
              },
            ]),
          ),
        })),
        nextCursor,
      }
    },
  }
}
export type JobRunReadsService = ReturnType<typeof createJobRunReadsService>

/** It was paused, waited for a gate, or was resumed after it had failed: in all others, each task has one run at most. */
function wasInterrupted({ started_at, running_since, completed_at, ran_ms }: JobRunRow): boolean {
  const until = running_since ?? completed_at
  return started_at !== null && (until === null || Date.parse(until) - Date.parse(started_at) > ran_ms)
}

const summaryOf = (item: ReadItem): ItemSummary => ({
  counts: { [item.status]: 1 },
  item_count: item.item_count,
  reject_count: item.reject_count,
  run_id: item.run_id,
  attempt: item.attempt,
  error_message: item.error_message,
  error_params: item.error_params,
  outputs: item.outputs,
})
