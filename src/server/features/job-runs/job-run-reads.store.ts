/**
 * Reading job runs. Lists come newest first by (created_at, id) from one index range each: the most telling filter chooses
 * the index, the others are kept off theirs by a unary plus.
 */
import { type SQL, and, eq, gte, isNull, lt, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { type NodeStatus, jobRunStatusOrder } from '../../../contract/job-runs.ts'
import type { ListedSort } from '../../../contract/listed-sort.ts'
import { type KeysetPart, type KeysetSort, keysetPage, keysetPartsPage, keysetTotal } from '../../platform/keyset.ts'
import type { Store } from '../../platform/store.ts'
import {
  type ItemStatus,
  type JobRunItemRow,
  type JobRunRow,
  type JobRunTaskRow,
  jobRunItems,
  jobRuns,
} from './job-runs.table.ts'

export interface JobRunFilters {
  /** Any of them, as of the other lists. */
  job_id?: readonly number[]
  status?: readonly (JobRunRow['status'] | 'success')[]
  trigger_type?: readonly JobRunRow['trigger_type'][]
  trigger_id?: number
  backfill_id?: string
  /** In progress, with tasks that wait for a slot in it. */
  pool?: string
  /** Created at or after, and before; as the store writes times. */
  from?: string
  to?: string
}
interface Page {
  cursor?: string
  limit?: number
}
interface ListPage extends Page {
  sort?: ListedSort
  order?: 'asc' | 'desc'
}

/** A unit of work as answers need it. */
export type ReadItem = Pick<
  JobRunItemRow,
  | 'task_key'
  | 'item_index'
  | 'item'
  | 'status'
  | 'run_id'
  | 'started_at'
  | 'completed_at'
  | 'error_message'
  | 'error_params'
> &
  Pick<JobRunItemRow, 'item_count' | 'reject_count' | 'outputs'> & {
    attempt: number | null
    /** Null once its run has been removed. */
    duration_ms: number | null
  }

/** The units of work of a task, taken together. */
export interface ItemSummary {
  counts: Record<string, number>
  item_count: number | null
  reject_count: number | null
  run_id: number | null
  attempt: number | null
  error_message: string | null
  error_params: string | null
  outputs: string | null
}
export interface HistoryCell {
  job_run_id: number
  task_key: string
  status: NodeStatus
  reason: string | null
  started_at: string | null
  completed_at: string | null
  run_id: number | null
  /** Of its one run. */
  duration_ms: number | null
}

/** A list of outputs beyond this many characters is not put into an answer; each item's run has its own. */
const longestOutputs = 1_048_576

export function createJobRunReadsStore(store: Store) {
  const { sqlite } = store
  const row = sqlite.prepare<[number], JobRunRow>('SELECT * FROM job_runs WHERE id = ? AND removed_at IS NULL')
  const states = sqlite.prepare<[string], { job_run_id: number; state: string }>(`
    SELECT job_run_id, json_group_object(task_key, status ORDER BY position) AS state FROM job_run_tasks
    WHERE job_run_id IN (SELECT value FROM json_each(?)) GROUP BY job_run_id`)
  const nodes = sqlite.prepare<[number], JobRunTaskRow>(
    'SELECT * FROM job_run_tasks WHERE job_run_id = ? ORDER BY position',
  )
  const node = sqlite.prepare<[number, string]>('SELECT 1 FROM job_run_tasks WHERE job_run_id = ? AND task_key = ?')
  const item = `items.task_key, items.item_index, items.item, items.status, items.run_id, items.started_at, items.completed_at,
    items.error_message, items.error_params, items.item_count, items.reject_count, items.outputs,
    runs.attempt, runs.duration_ms`
  const from = 'FROM job_run_items AS items LEFT JOIN runs ON runs.id = items.run_id'
  const ofTask = 'items.job_run_id = ? AND items.task_key = ?'
  const singles = sqlite.prepare<[number, string], ReadItem>(
    `SELECT ${item} ${from} WHERE items.job_run_id = ? AND items.task_key IN (SELECT value FROM json_each(?))`,
  )
  const sums = sqlite.prepare<[number, string], Sums>(`
    SELECT status, count(*) AS n, sum(item_count) AS item_count, sum(reject_count) AS reject_count, max(run_id) AS run_id,
      sum(length(outputs)) AS length FROM job_run_items WHERE job_run_id = ? AND task_key = ? GROUP BY status`)
  const first = sqlite.prepare<[number, string, number], ReadItem>(
    `SELECT ${item} ${from} WHERE ${ofTask} ORDER BY items.item_index LIMIT ?`,
  )
  const withStatus = sqlite.prepare<[number, string, ItemStatus, number], ReadItem>(
    `SELECT ${item} ${from} WHERE ${ofTask} AND items.status = ? ORDER BY items.item_index LIMIT ?`,
  )
  const outputs = sqlite.prepare<[number, string], { list: string }>(`
    SELECT json_group_array(json(coalesce(outputs, 'null')) ORDER BY item_index) AS list FROM job_run_items
    WHERE job_run_id = ? AND task_key = ?`)
  const attempt = sqlite.prepare<[number], { attempt: number }>('SELECT attempt FROM runs WHERE id = ?')
  const anyRun =
    'SELECT run_id FROM job_run_items AS items WHERE items.job_run_id = tasks.job_run_id AND items.task_key'
  const durations = sqlite.prepare<[string], { id: number; duration_ms: number | null }>(
    'SELECT id, duration_ms FROM runs WHERE id IN (SELECT value FROM json_each(?))',
  )
  const counts = sqlite.prepare<[number, string], { task_key: string; n: number }>(`
    SELECT task_key, count(*) AS n FROM runs
    WHERE job_run_id = ? AND task_key IN (SELECT value FROM json_each(?)) GROUP BY task_key`)
  const history = sqlite.prepare<[string], HistoryCell>(`
    SELECT cells.*, CASE WHEN item_total = 1 THEN (SELECT duration_ms FROM runs WHERE id = cells.run_id) END AS duration_ms FROM (
    SELECT job_run_id, position, task_key, status, reason, item_total, started_at, completed_at, coalesce(
      (${anyRun} = tasks.task_key AND items.status = 'failed' ORDER BY item_index LIMIT 1),
      (${anyRun} = tasks.task_key AND run_id IS NOT NULL ORDER BY item_index DESC LIMIT 1)) AS run_id
    FROM job_run_tasks AS tasks WHERE job_run_id IN (SELECT value FROM json_each(?))) AS cells ORDER BY job_run_id, position`)
  return {
    get: (id: number): JobRunRow | undefined => row.get(id),

    list(
      filters: JobRunFilters,
      { sort = 'created_at', order = sort === 'status' ? 'asc' : 'desc', ...page }: ListPage,
    ) {
      const ascending = order === 'asc'
      const total = () => keysetTotal({ store, table: jobRuns, ...narrowed(filters) })
      const parts: Record<ListedSort, () => KeysetPart[]> = {
        created_at: () => [{ ...narrowed(filters), sort: byTime(order) }],
        duration_ms: () => durationParts(filters, order),
        status: () => statusParts(filters, ascending),
      }
      return keysetPartsPage({
        store,
        table: jobRuns,
        parts: parts[sort](),
        signature: `job_runs,${sort} ${order}`,
        total,
        ...page,
      })
    },

    /** Job run → JSON of task key → status. */
    states: (ids: number[]): Map<number, string> =>
      new Map(states.all(JSON.stringify(ids)).map(({ job_run_id, state }) => [job_run_id, state])),

    /** In the order of the template. */
    nodes: (id: number): JobRunTaskRow[] => nodes.all(id),
    hasNode: (id: number, key: string): boolean => node.get(id, key) !== undefined,
    /** The one unit of work of each of these tasks, as far as there is one yet. */
    singles: (id: number, keys: string[]): ReadItem[] => singles.all(id, JSON.stringify(keys)),

    /** Of these tasks: how many runs each has had. */
    runCounts: (id: number, keys: string[]): Map<string, number> =>
      new Map(counts.all(id, JSON.stringify(keys)).map(({ task_key, n }) => [task_key, n])),

    /** All units of work of a task taken together. */
    summary: (id: number, key: string): ItemSummary => {
      const found = sums.all(id, key)
      const failed = withStatus.get(id, key, 'failed', 1)
      const run_id = failed?.run_id ?? largest(found.map((sum) => sum.run_id))
      const length = added(found.map((sum) => sum.length))
      return {
        counts: Object.fromEntries(found.map(({ status, n }) => [status, n])),
        item_count: added(found.map((sum) => sum.item_count)),
        reject_count: added(found.map((sum) => sum.reject_count)),
        run_id,
        attempt: run_id === null ? null : (attempt.get(run_id)?.attempt ?? null),
        error_message: failed?.error_message ?? null,
        error_params: failed?.error_params ?? null,
        outputs: length === null || length > longestOutputs ? null : (outputs.get(id, key)?.list ?? null),
      }
    },
    /** Those under way, those that failed and the first ones, in order. */
    relevantItems(id: number, key: string, limit: number): ReadItem[] {
      const chosen = new Map<number, ReadItem>()
      const parts = [
        () => withStatus.all(id, key, 'running', limit),
        () => withStatus.all(id, key, 'pending', limit),
        () => withStatus.all(id, key, 'failed', limit),
        () => first.all(id, key, limit),
      ]
      for (const part of parts) {
        if (chosen.size >= limit) break
        for (const one of part()) if (chosen.size < limit) chosen.set(one.item_index, one)
      }
      return [...chosen.values()].toSorted((a, b) => a.item_index - b.item_index)
    },

    items(id: number, key: string, status: NodeStatus | undefined, page: Page) {
      const where = and(
        eq(jobRunItems.job_run_id, id),
        eq(jobRunItems.task_key, key),
        // One that units of work never have matches none.
        status && sql`${jobRunItems.status} = ${status}`,
      )
      const sort = [{ column: jobRunItems.item_index, direction: 'asc' as const }]
      const { rows, ...found } = keysetPage({ store, table: jobRunItems, where, sort, ...page })
      const known = durations.all(JSON.stringify(rows.flatMap(({ run_id }) => run_id ?? [])))
      const ofRun = new Map(known.map((run) => [run.id, run.duration_ms]))
      return { rows: rows.map((row) => ({ ...row, duration_ms: ofRun.get(row.run_id ?? 0) ?? null })), ...found }
    },

    history: (ids: number[]): HistoryCell[] => history.all(JSON.stringify(ids)),
  }
}

const byTime = (direction: KeysetSort['direction']): KeysetSort[] => [
  { column: jobRuns.created_at, direction },
  { column: jobRuns.id, direction },
]

/** What narrows the list, in the order of time. */
function narrowed(filters: JobRunFilters): Pick<KeysetPart, 'where' | 'branches'> {
  const branches = statusBranches(filters)
  const where = and(
    ...(branches ? conditions({ ...filters, status: undefined }, 'branches') : conditions(filters, 'first')),
  )
  return { where, ...(branches && { branches }) }
}

/** A part per status. Each is there whatever is filtered by, so that cursors stay those of the same order. */
const statusParts = ({ status: asked, ...filters }: JobRunFilters, ascending: boolean): KeysetPart[] =>
  (ascending ? jobRunStatusOrder : jobRunStatusOrder.toReversed()).map((status) => {
    // A success is completed, too.
    const success = status === 'completed' && !asked?.includes('completed') && asked?.includes('success')
    const wanted = success || !asked || asked.includes(status)
    const part = narrowed({ ...filters, status: [success ? 'success' : status] })
    return { where: wanted ? part.where : sql`0`, sort: byTime('desc') }
  })

/** What these find is sorted then. */
const findsFew = ({ trigger_id, backfill_id, pool }: JobRunFilters) =>
  trigger_id !== undefined || backfill_id !== undefined || pool !== undefined

/** By duration along an index that ends in it; then those without one, newest first, from an index that has only them. */
function durationParts(filters: JobRunFilters, direction: KeysetSort['direction']): KeysetPart[] {
  const duration = findsFew(filters) ? sql`+${jobRuns.duration_ms}` : sql`${jobRuns.duration_ms}`
  const sort: KeysetSort[] = [
    { column: jobRuns.duration_ms, direction, filled: true },
    { column: jobRuns.id, direction },
  ]
  return [
    { where: and(...conditions(filters, 'duration'), sql`${duration} IS NOT NULL`), sort },
    { where: and(...conditions(filters, 'none'), isNull(jobRuns.duration_ms)), sort: byTime('desc') },
  ]
}

interface Sums {
  status: ItemStatus
  n: number
  item_count: number | null
  reject_count: number | null
  run_id: number | null
  length: number | null
}

/**
 * Several states of one job or of all: each is one range of an index, in the order of the list. Undefined where another filter
 * chooses the index, and finds few.
 */
function statusBranches(filters: JobRunFilters): SQL[] | undefined {
  const { status } = filters
  if (!status || findsFew(filters)) return undefined
  const distinct = [...new Set(status)]
  // A success is completed, too.
  const apart = distinct.includes('completed') ? distinct.filter((one) => one !== 'success') : distinct
  if (apart.length < 2) return undefined
  return apart.map((one) => (one === 'success' ? sql`${jobRuns.success} = 1` : sql`${jobRuns.status} = ${one}`))
}

/**
 * Which conditions an index may be chosen for: the first one; besides those of the states, the job; besides the order by duration, the
 * job, trigger or backfill; or none.
 */
type Choosing = 'first' | 'branches' | 'duration' | 'none'
const ofFew = new Set<SQLiteColumn>([jobRuns.job_id, jobRuns.trigger_id, jobRuns.backfill_id])

function conditions(filters: JobRunFilters, choosing: Choosing): SQL[] {
  const { job_id, status, trigger_type, trigger_id, backfill_id, pool, from, to } = filters
  const chooses = (column: SQLiteColumn) => choosing === 'first' || (choosing !== 'none' && ofFew.has(column))
  const found: SQL[] = []
  // Several values are several ranges of an index, which would all have to be sorted: the walk by time is shorter.
  const add = (
    column: SQLiteColumn,
    values: readonly (string | number)[],
    free = found.length === 0 && chooses(column),
  ) => {
    const [value] = values
    if (values.length > 1) found.push(sql`+${column} IN ${values}`)
    else found.push(free ? sql`${column} = ${value}` : sql`+${column} = ${value}`)
  }
  if (pool !== undefined) {
    const waiting = sql`SELECT job_run_id FROM job_run_tasks WHERE pool = ${pool} AND n_queued > 0`
    // One that is paused waits for something else.
    found.push(sql`${jobRuns.id} IN (${waiting})`, sql`+${jobRuns.status} = 'running'`)
  }
  if (backfill_id !== undefined) add(jobRuns.backfill_id, [backfill_id])
  if (trigger_id !== undefined) add(jobRuns.trigger_id, [trigger_id])
  const narrow = found.length > 0 || choosing === 'duration' || choosing === 'none'
  if (job_id) add(jobRuns.job_id, job_id)
  if (status) {
    const plain = status.filter((one) => one !== 'success')
    if (plain.length === status.length) add(jobRuns.status, plain, !narrow)
    else if (plain.length > 0) found.push(sql`(+${jobRuns.success} = 1 OR +${jobRuns.status} IN ${plain})`)
    // Written out, so that the index of successes answers it.
    else found.push(narrow ? sql`+${jobRuns.success} = 1` : sql`${jobRuns.success} = 1`)
  }
  if (trigger_type) add(jobRuns.trigger_type, trigger_type)
  if (from !== undefined) found.push(gte(jobRuns.created_at, from))
  if (to !== undefined) found.push(lt(jobRuns.created_at, to))
  return found
}

const added = (values: (number | null)[]): number | null =>
  values.reduce((sum, value) => (value === null ? sum : (sum ?? 0) + value), null)
const largest = (values: (number | null)[]): number | null =>
  values.reduce((max, value) => (value !== null && (max === null || value > max) ? value : max), null)
