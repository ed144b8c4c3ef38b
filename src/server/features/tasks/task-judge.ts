import { parseTask } from '../../../language/task/parse-task.ts'
import type { Judgement } from '../../platform/record-imports.ts'
import { judge } from './tasks.rules.ts'

export interface TaskValues {
  name: string
  description: string | null
  connector_refs: string
}

/** What is kept of the text of a task that is imported, or why it is refused. Pure: the thread does the same. */
export function judgeTask(yaml: string): Judgement<TaskValues> {
  const parsed = parseTask(yaml)
  const { diagnostics, connector_refs } = parsed
  const verdict = judge(parsed)
  if (verdict.kind === 'refused') return { valid: false, diagnostics }
  const { name, description } = verdict.document
  const values = { name, description: description ?? null, connector_refs: JSON.stringify(connector_refs) }
  return { valid: true, name, values, diagnostics }
}
