import { useMemo } from 'react'
import { type ParsedTask, parseTask } from '../../../language/task/parse-task.ts'
import { type DocumentText, useDocumentText } from '../../ui/document/use-document-text.ts'
import { type StagePlace, stageLines } from './stage-lines.ts'

/** The text of a task, and where its stages stand in it. */
export interface TaskText extends DocumentText<ParsedTask> {
  stages: readonly StagePlace[]
}

export function useTaskText(key: number | 'new', initial: string, initialVersion: number): TaskText {
  const text = useDocumentText(`task.${key}`, initial, initialVersion, parseTask)
  const stages = useMemo(() => stageLines(text.checked), [text.checked])
  return { ...text, stages }
}
