import { type ParsedTask, parseTask } from '../../../language/task/parse-task.ts'
import { type StagePlace, stageLines } from './stage-lines.ts'

export interface ReadTask extends ParsedTask {
  /** Where the stages stand in the text. */
  stages: readonly StagePlace[]
}

export const readTask = (text: string): ReadTask => ({ ...parseTask(text), stages: stageLines(text) })
