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

interface StateRun {
  id: number
  state_revision: string | null
}

export interface FoundState {
  /** null: nothing is kept yet. */
  id: number | null
  state: SourceState | null
  revision: string | null
  /** Runs of which nobody knows whether they committed. */
  unresolved: number[]
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
    find(owner: StateOwner): FoundState | null {
      const key = keyOf(owner)
      if (!key) return null
      const row = states.get(key)
      const unresolved = row?.unresolved.map(({ run_id }) => run_id) ?? []
      return { id: row?.id ?? null, state: row?.state ?? null, revision: row?.revision ?? null, unresolved }
    },

    /** Saves over what the run was given. What another run has saved meanwhile stays: rows are then read once more, never left out. */
    save(owner: StateOwner, run: StateRun & { full_refresh: 0 | 1 }, state: SourceState): void {
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
      states.save(key, {
        state,
        revision: ids.token(9),
        run_id: run.id,
        updated_at: clock.iso(),
        // It has read everything, whatever others have written.
        ...(run.full_refresh === 1 && { unresolved: [] }),
      })
    },

    /** Nobody knows whether the run has committed. Runs that begin with this state wait until `resolve` was called. */
    doubt(owner: StateOwner, run: StateRun, state: SourceState | null): void {
      const key = keyOf(owner)
      if (!key) return
      const row = states.get(key)
      const unresolved = [...(row?.unresolved ?? []), { run_id: run.id, state, revision: run.state_revision }]
      if (row) return states.change(row.id, { unresolved })
      states.save(key, { state: {}, revision: ids.token(9), run_id: run.id, updated_at: clock.iso(), unresolved })
    },

    resolve: (taskId: number, id: number, { run_id, committed }: { run_id: number; committed: boolean }) =>
      store.transaction(() => {
        const row = states.find(taskId, id) ?? notFound()
        const run = row.unresolved.find((one) => one.run_id === run_id) ?? notFound()
        const unresolved = row.unresolved.filter((one) => one !== run)
        // What another run has saved since then is further on. A row that was made for the doubt alone has no state yet.
        const isNext = run.revision === null ? row.run_id === run_id : run.revision === row.revision
        if (!committed || !run.state || !isNext) states.change(id, { unresolved })
        else
          states.change(id, {
            state: run.state,
            revision: ids.token(9),
            run_id,
            updated_at: clock.iso(),
            unresolved,
          })
        return { success: true }
      }),

    list: (taskId: number): TaskState[] =>
      states.list(taskId).map(({ id, task_id, job_id, task_key, connector_id, slot, state, run_id, updated_at, unresolved }) => ({
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
        unresolved: unresolved.map((run) => ({ run_id: run.run_id, cursor: run.state?.cursor ?? null })),
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
