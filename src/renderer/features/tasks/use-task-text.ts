import { type DocumentText, useDocumentText } from '../../ui/document/use-document-text.ts'
import type { ReadTask } from './read-task.ts'
import { taskReader } from './task-reader.ts'

/** The text of a task, and where its stages stand in it. */
export type TaskText = DocumentText<ReadTask>

export const useTaskText = (key: number | 'new', initial: string, initialVersion: number): TaskText =>
  useDocumentText(`task.${key}`, initial, initialVersion, taskReader)
