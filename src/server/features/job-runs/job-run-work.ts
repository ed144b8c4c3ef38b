import { evaluateArgs } from '../../../language/job/resolve-job.ts'
import { withItem } from '../../../language/job/job-scope.ts'
import type { Json } from '../../../language/task/task.types.ts'
import type { Clock } from '../../platform/clock.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { RunRow, RunsService } from '../runs/runs.service.ts'
import type { ItemEnd, JobRunItemsStore } from './job-run-items.store.ts'
import type { JobRunPlan } from './job-run-plan.ts'
import type { JobRunScopes } from './job-run-scopes.ts'
import type { JobRunItemRow, JobRunRow } from './job-runs.table.ts'
import { seenLogicalDate } from './logical-date.rules.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import { keptError, type KeptError } from '../../platform/kept-error.ts'
import { refusalKept } from '../../platform/refusal-kept.ts'

interface Parts {
  items: JobRunItemsStore
  scopes: JobRunScopes
  runs: Pick<RunsService, 'startInJob'>
  clock: Clock
}

/** Gives units of work their runs, and takes over how those ended. */
export function createJobRunWork({ items, scopes, runs, clock }: Parts) {
  function newRun(
    run: JobRunRow,
    plan: JobRunPlan,
    item: JobRunItemRow,
  ): { ok: true; run: RunRow } | { ok: false; error: KeptError } {
    const { task_key, item_index } = item
    const node = plan.task(task_key)
    const { task_id, task_name, version } = plan.pinned(task_key)
    const { for_each } = node
    const scope = scopes.of(run, plan, task_key)
    // Written from the value of the list.
    const value = item.item === null ? null : (JSON.parse(item.item) as Json)
    const args = evaluateArgs(node, for_each ? withItem(scope, for_each.as, value, item_index) : scope)
    if (!args.ok) return { ok: false, error: { message: args.problem.message, params: null } }
    const start = {
      task_id,
      task_name,
      task_version: version,
      override_hash: own(textsOf(run), task_key) ?? null,
      arguments: args.value,
      connector_mapping: bound(node.connectors, mappingOf(run)),
      logical_date: seenLogicalDate(run),
      full_refresh: run.full_refresh === 1,
      priority: item.priority,
      retries: node.retries,
      timeout_ms: node.timeout_ms,
      job_run_id: run.id,
      job_id: run.job_id,
      task_key,
      item_index: for_each ? item_index : null,
      state_key: for_each ? item.item_key : null,
      pool: item.pool,
    }
    try {
      return { ok: true, run: runs.startInJob(start, { trigger_type: run.trigger_type, created_by: run.created_by }) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { ok: false, error: refusalKept(error) }
    }
  }

  const nothing = { outputs: null, item_count: null, reject_count: null }

  return {
    /** True when the unit of work has a run now; false when it could not have one: then it has failed with the reason. */
    start(run: JobRunRow, plan: JobRunPlan, item: JobRunItemRow): boolean {
      const made = newRun(run, plan, item)
      const { job_run_id, task_key, item_index } = item
      if (made.ok) return items.give({ job_run_id, task_key, item_index, run_id: made.run.id })
      const times = { started_at: null, completed_at: clock.iso() }
      items.end({
        job_run_id,
        task_key,
        item_index,
        ...nothing,
        ...times,
        status: 'failed',
        error_message: made.error.message,
        error_params: made.error.params,
      })
      return false
    },

    /** The run has ended, and the unit of work with it. */
    takeOver({ job_run_id, task_key, item_index }: JobRunItemRow, run: RunRow): void {
      const { outputs, item_count, reject_count, started_at, completed_at } = run
      const stopped = run.error_message === null && run.status === 'cancelled' && run.committed_at ? stays : null
      const error_message = run.error_message ?? stopped?.message ?? null
      const error_params = run.error_params ?? stopped?.params ?? null
      const result = { outputs, item_count, reject_count, error_message, error_params, started_at, completed_at }
      items.end({ job_run_id, task_key, item_index, ...result, status: endOf(run) })
    },
  }
}

/** It is not run again by itself: that would write everything twice. */
const stays = keptError(runMessage('stopped_after_commit'))

function endOf({ id, status }: RunRow): ItemEnd['status'] {
  if (status === 'pending' || status === 'running') throw new Error(`Run ${id} has not ended`)
  return status
}

function bound(slots: Record<string, string>, mapping: Record<string, number>): Record<string, number> {
  const found = Object.entries(slots).flatMap(([slot, name]): [string, number][] => {
    const id = own(mapping, name)
    return id === undefined ? [] : [[slot, id]]
  })
  return Object.fromEntries(found)
}

const own = <T>(values: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined
// Both are written when the job run is made.
const mappingOf = (run: JobRunRow) => JSON.parse(run.connector_mapping) as Record<string, number>
const textsOf = (run: JobRunRow) => JSON.parse(run.overrides ?? '{}') as Record<string, string>
