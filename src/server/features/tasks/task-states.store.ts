import { and, eq } from 'drizzle-orm'
import type { SourceState } from '../../../contract/executor-protocol.ts'
import type { Store } from '../../platform/store.ts'
import { type TaskStateRow, type UnresolvedRun, taskStates } from './task-states.table.ts'

/** Whose state: of a task, for one connector of its source, in or outside of a job. */
export interface StateKey {
  task_id: number
  job_id: number
  task_key: string
  slot: string
  connector_id: number
}

interface SavedState {
  state: SourceState
  revision: string
  run_id: number
  updated_at: string
  unresolved?: UnresolvedRun[]
}

export function createTaskStatesStore({ db }: Pick<Store, 'db'>) {
  const matches = (key: StateKey) =>
    and(
      eq(taskStates.task_id, key.task_id),
      eq(taskStates.job_id, key.job_id),
      eq(taskStates.task_key, key.task_key),
      eq(taskStates.slot, key.slot),
      eq(taskStates.connector_id, key.connector_id),
    )
  return {
    get: (key: StateKey): TaskStateRow | undefined => db.select().from(taskStates).where(matches(key)).get(),
    list: (taskId: number): TaskStateRow[] =>
      db.select().from(taskStates).where(eq(taskStates.task_id, taskId)).orderBy(taskStates.id).all(),
    save(key: StateKey, values: SavedState): void {
      const { task_id, job_id, task_key, slot, connector_id } = taskStates
      db.insert(taskStates)
        .values({ ...key, ...values })
        .onConflictDoUpdate({ target: [task_id, job_id, task_key, slot, connector_id], set: values })
        .run()
    },
    find: (taskId: number, id: number): TaskStateRow | undefined =>
      db
        .select()
        .from(taskStates)
        .where(and(eq(taskStates.task_id, taskId), eq(taskStates.id, id)))
        .get(),
    change: (id: number, values: Partial<SavedState>): void =>
      void db.update(taskStates).set(values).where(eq(taskStates.id, id)).run(),
    remove: (taskId: number, id: number): boolean =>
      db
        .delete(taskStates)
        .where(and(eq(taskStates.task_id, taskId), eq(taskStates.id, id)))
        .run().changes === 1,
  }
}
