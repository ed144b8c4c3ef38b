import type { ErrorDetail } from '../../../contract/errors.ts'
import type { ParsedTask } from '../../../language/task/parse-task.ts'
import type { TaskDocument } from '../../../language/task/kinds/task-document.types.ts'
import type { DocumentKind } from '../../platform/documents/document-kind.ts'
import type { DocumentValues } from '../../platform/documents/documents.store.ts'
import { errorsIn } from '../../platform/versioned-text.ts'

export const taskKind = { name: 'task', noun: 'task' } as const satisfies DocumentKind

/** What a text is worth as a task: the document, or the findings that keep it from being saved, each at its place. */
export type Verdict = { kind: 'task'; document: TaskDocument } | { kind: 'refused'; details: ErrorDetail[] }

/** A task is saved only when the language finds no error in it; warnings do not stop it. */
export function judge(parsed: ParsedTask): Verdict {
  const details = errorsIn(parsed.diagnostics)
  if (parsed.task && details.length === 0) return { kind: 'task', document: parsed.task }
  return { kind: 'refused', details }
}

/** What is kept of a text beside the text. */
export const valuesOf = (
  { name, description }: TaskDocument,
  { connector_refs }: Pick<ParsedTask, 'connector_refs'>,
): DocumentValues => ({ name, description: description ?? null, connector_refs: JSON.stringify(connector_refs) })

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
