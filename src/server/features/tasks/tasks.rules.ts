import type { ErrorDetail } from '../../../contract/errors.ts'
import type { ParsedTask } from '../../../language/task/parse-task.ts'
import type { TaskDocument } from '../../../language/task/kinds/task-document.types.ts'
import { errorsIn } from '../../platform/versioned-text.ts'

/** What a text is worth as a task: the document, or the findings that keep it from being saved, each at its place. */
export type Verdict = { kind: 'task'; document: TaskDocument } | { kind: 'refused'; details: ErrorDetail[] }

/** A task is saved only when the language finds no error in it; warnings do not stop it. */
export function judge(parsed: ParsedTask): Verdict {
  const details = errorsIn(parsed.diagnostics)
  if (parsed.task && details.length === 0) return { kind: 'task', document: parsed.task }
  return { kind: 'refused', details }
}

/** Slots that a preview of the task reads from. */
export function slotsRead(document: TaskDocument): string[] {
  if (document.kind === 'sql') return [document.sql.connector]
  if (document.kind !== 'pipeline') return []
  return [document.source, ...Object.values(document.inputs)].flatMap((source) =>
    'connector' in source ? [source.connector] : [],
  )
}

/** Patterns of the files that the task reads. */
export const filesRead = (document: TaskDocument | null): string[] =>
  document?.kind !== 'pipeline'
    ? []
    : [document.source, ...Object.values(document.inputs)].flatMap((source) =>
        source.kind === 'files' ? [source.glob] : [],
      )

/** Whether a pattern says the file by its name, alone, below a folder, or as one of several: `{a.csv,b.csv}`. */
export const namesFile = (glob: string, name: string): boolean => glob.split(/[/{},]/).includes(name)
