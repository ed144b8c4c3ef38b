import type { JobScope, TaskResult } from '../../../language/job/job-scope.ts'
import type { Json } from '../../../language/task/task.types.ts'
import { createRecent } from '../../platform/recent.ts'
import type { JobRunItemsStore } from './job-run-items.store.ts'
import type { JobRunPlan } from './job-run-plan.ts'
import type { JobRunTasksStore } from './job-run-tasks.store.ts'
import type { JobRunRow, JobRunTaskRow } from './job-runs.table.ts'
import { seenLogicalDate } from './logical-date.rules.ts'

/** Results of tasks that are kept for the next expression that asks: a fan-out asks for the same ones once an item. */
const kept = 32
const longestKept = 4_194_304

/** What the expressions of a job run see. */
export function createJobRunScopes({ nodes, items }: { nodes: JobRunTasksStore; items: JobRunItemsStore }) {
  // A node that has ended stays as it is but for a resumed job run, which gives it another time of its end.
  const recent = createRecent<TaskResult>(kept)
  /** Of the job run that was asked for last: long parameters would be read once an item. */
  let parameters: { text: string; values: Record<string, unknown> } | undefined

  function read(node: JobRunTaskRow, forEach: boolean): { result: TaskResult; size: number } {
    const rows = node.kind === 'task' ? items.results(node.job_run_id, node.task_key) : []
    const known = rows.flatMap(({ item_count }) => item_count ?? [])
    const item_count = known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0)
    const outputs = rows.map((row) => parsed(row.outputs))
    const size = rows.reduce((sum, row) => sum + (row.outputs?.length ?? 0) + (row.item?.length ?? 0), 0)
    const list = rows.map((row) => ({ item: parsed(row.item), status: row.status, item_count: row.item_count }))
    const of = forEach
      ? { outputs: node.status === 'skipped' ? null : outputs, items: node.status === 'skipped' ? null : list }
      : { outputs: outputs[0] ?? null, items: null }
    return { result: { status: node.status, item_count, ...of }, size }
  }

  function resultOf(run: JobRunRow, plan: JobRunPlan, key: string): TaskResult {
    const row = nodes.get(run.id, key)
    if (!row) return { status: 'skipped', outputs: null, item_count: null, items: null }
    const node = plan.node(key)
    const name = `${run.id}/${row.completed_at}/${row.status}/${key}`
    let large: TaskResult | undefined
    const small = recent.get(name, () => {
      const { result, size } = read(row, node.kind === 'task' && node.for_each !== null)
      if (size <= longestKept) return result
      large = result
      return undefined
    })
    // One of the two was just made or found.
    return (small ?? large)!
  }

  function parametersOf(text: string): Record<string, unknown> {
    if (parameters?.text === text) return parameters.values
    // Written when the job run was made, from what was checked then.
    const values = JSON.parse(text) as Record<string, unknown>
    parameters = { text, values }
    return values
  }

  return {
    /** For the expressions of one node. Each task upstream is read when, and only if, an expression asks for it. */
    of(run: JobRunRow, plan: JobRunPlan, key: string): JobScope {
      const tasks: Record<string, TaskResult> = {}
      for (const name of plan.asksFor(key)) {
        let result: TaskResult | undefined
        Object.defineProperty(tasks, name, {
          enumerable: true,
          get: () => (result ??= resultOf(run, plan, name)),
        })
      }
      return {
        parameters: parametersOf(run.parameters),
        run: { id: run.id, logical_date: seenLogicalDate(run), trigger_type: run.trigger_type },
        job: { id: run.job_id, name: run.job_name },
        tasks,
      }
    },
  }
}
export type JobRunScopes = ReturnType<typeof createJobRunScopes>

/** Written by this server from JSON values. */
const parsed = (json: string | null): Json => (json === null ? null : (JSON.parse(json) as Json))
