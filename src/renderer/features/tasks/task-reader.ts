import { createReader } from '../../ui/document/reading.ts'
import { readTask } from './read-task.ts'

export const taskReader = createReader(
  readTask,
  () => new Worker(new URL('read-task.worker.ts', import.meta.url), { type: 'module' }),
)
