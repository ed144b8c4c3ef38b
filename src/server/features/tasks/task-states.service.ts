import type { SourceState } from '../../../contract/executor-protocol.ts'
import type { TaskState } from '../../../contract/tasks.ts'
import type { TaskDocument } from '../../../language/task/kinds/task-document.types.ts'
import type { Platform } from '../../platform/platform.ts'
import { notFound } from '../../platform/refusal.ts'
import { type StateKey, createTaskStatesStore } from './task-states.store.ts'

/** What runs say of a state: which task with which connectors, and where in which job. */
export interface StateOwner {
  task_id: number
  /** null: outside of jobs. `item` names the item of a for_each. */
  job: { id: number; task_key: string; item: string | null } | null
  document: TaskDocument
  /** slot → connector id */
  mapping: Record<string, number>
}

/** Where incremental runs have got to. A run is given the state at its claim and saves it with its completion. */
export function createTaskStatesService({
  store,
  clock,
  ids,
  logger,
}: Pick<Platform, 'store' | 'clock' | 'ids' | 'logger'>) {
  const states = createTaskStatesStore(store)
  return {
    /** What the task has; null for tasks that keep none. */
    find(owner: StateOwner): { state: SourceState | null; revision: string | null } | null {
      const key = keyOf(owner)
      if (!key) return null
      const row = states.get(key)
      return { state: row?.state ?? null, revision: row?.revision ?? null }
    },

    /** Saves over what the run was given. What another run has saved meanwhile stays: rows are then read once more, never left out. */
    save(owner: StateOwner, run: { id: number; state_revision: string | null }, state: SourceState): void {
      const key = keyOf(owner)
      if (!key) return
      const current = states.get(key)
      // It tells it when its target commits, and again at its end.
      if (current?.run_id === run.id) return
      if ((current?.revision ?? null) !== run.state_revision) {
        logger.warn(
          { run_id: run.id, task_id: owner.task_id },
          'The state of a task was saved, or forgotten, by someone else while the run was under way: it stays as it is',
        )
        return
      }
      states.save(key, { state, revision: ids.token(9), run_id: run.id, updated_at: clock.iso() })
    },

    list: (taskId: number): TaskState[] =>
      states.list(taskId).map(({ id, task_id, job_id, task_key, connector_id, slot, state, run_id, updated_at }) => ({
        id,
        task_id,
        job_id: job_id === 0 ? null : job_id,
        task_key: task_key === '' ? null : task_key,
        connector_id: connector_id === 0 ? null : connector_id,
        slot,
        cursor: state.cursor ?? null,
        files_taken: Object.keys(state.files ?? {}).length,
        run_id,
        updated_at,
      })),
    forget: (taskId: number, id: number) =>
      store.transaction(() => {
        if (!states.remove(taskId, id)) notFound()
        return { success: true }
      }),
  }
}
export type TaskStatesService = ReturnType<typeof createTaskStatesService>

/** Null where nothing is kept from run to run. */
function keyOf({ task_id, job, document, mapping }: StateOwner): StateKey | null {
  if (document.kind !== 'pipeline') return null
  const { source, state } = document
  if (state.cursor === null && !(source.kind === 'files' && source.new_only)) return null
  const slot = 'connector' in source ? source.connector : ''
  const connector_id = mapping[slot] ?? 0
  if (!job) return { task_id, job_id: 0, task_key: '', slot, connector_id }
  const task_key = job.item === null ? job.task_key : `${job.task_key}[${job.item}]`
  return { task_id, job_id: job.id, task_key, slot, connector_id }
}
