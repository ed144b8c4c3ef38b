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
import type { DocumentKind } from '../../ui/document/document.types.ts'
import { taskReader } from './task-reader.ts'

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
  tags: async (text) => (await taskReader.read(text)).task?.tags ?? [],
}
