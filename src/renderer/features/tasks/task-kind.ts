import { taskOperations } from '../../../contract/tasks.ts'
import { hoverTask } from '../../../language/hover.ts'
import { taskSchema } from '../../../language/task/task-schema.ts'
import { paths } from '../../paths.ts'
import type { DocumentKind } from '../../ui/document/document.types.ts'
import type { ReadTask } from './read-task.ts'
import { taskReader } from './task-reader.ts'

export const taskKind: DocumentKind<ReadTask> = {
  ...taskOperations,
  name: 'task',
  opened: 'task',
  words: 'tasks',
  paths: { list: paths.tasks, one: paths.task, versions: paths.taskVersions, create: paths.taskNew },
  reader: taskReader,
  nameIn: ({ task }) => task?.name,
  tags: async (text) => (await taskReader.read(text)).task?.tags ?? [],
  schema: taskSchema,
  hover: hoverTask,
}
