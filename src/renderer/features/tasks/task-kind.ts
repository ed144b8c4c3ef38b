import {
  archiveTask,
  createTask,
  getTask,
  getTaskVersion,
  listTaskVersions,
  restoreTask,
  restoreTaskVersion,
  updateTask,
} from '../../../contract/tasks.ts'
import { parseTask } from '../../../language/task/parse-task.ts'
import type { DocumentKind } from '../../ui/document/document.types.ts'

export const taskKind: DocumentKind = {
  name: 'task',
  create: createTask,
  get: getTask,
  update: updateTask,
  archive: archiveTask,
  restore: restoreTask,
  getVersion: getTaskVersion,
  listVersions: listTaskVersions,
  restoreVersion: restoreTaskVersion,
  lists: ['listTasks'],
  tags: (text) => parseTask(text).task?.tags ?? [],
}
