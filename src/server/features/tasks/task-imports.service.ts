import type { Platform } from '../../platform/platform.ts'
import type { RecordImports } from '../../platform/record-imports.ts'
import { createVersionedImports } from '../../platform/versioned-imports.ts'
import { type TaskValues, judgeTask } from './task-judge.ts'
import { startTaskJudgeThread } from './task-judge-thread.ts'
import { createTasksStore } from './tasks.store.ts'

/** Tasks as bundles bring them. */
export function createTaskImportsService({
  store,
  events,
  clock,
}: Pick<Platform, 'store' | 'events' | 'clock'>): RecordImports<TaskValues> {
  const tasks = createTasksStore(store)
  const writes = createVersionedImports<TaskValues>(clock, {
    ...tasks,
    noun: 'Task',
    insert: (task, archived) => tasks.insert(task, archived).id,
    update: (id, values, change) => void tasks.update(id, { ...values, ...change }, values),
    insertVersion: (id, version) => void tasks.insertVersion({ ...version, task_id: id }),
    changed(id) {
      const row = tasks.get(id)
      if (!row) throw new Error(`Task ${id}, just written, is not there`)
      const { name, current_version, archived } = row
      events.append('task.changed', id, { name, current_version, archived })
    },
  })
  return { ...writes, judge: judgeTask, judgeAhead: startTaskJudgeThread }
}
