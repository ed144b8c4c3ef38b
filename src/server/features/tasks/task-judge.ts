import { parseTask, type ParsedTask } from '../../../language/task/parse-task.ts'
import type { DocumentValues } from '../../platform/documents/documents.store.ts'
import type { Judgement } from '../../platform/record-imports.ts'
import { judge, valuesOf } from './tasks.rules.ts'

/** What is kept of the text of a task that is imported, or why it is refused. Pure: the thread does the same. */
export function judgeTask(yaml: string, parsed: ParsedTask = parseTask(yaml)): Judgement<DocumentValues> {
  const { diagnostics } = parsed
  const verdict = judge(parsed)
  if (verdict.kind === 'refused') return { valid: false, diagnostics }
  const values = valuesOf(verdict.document, parsed)
  return { valid: true, name: values.name, values, diagnostics }
}
