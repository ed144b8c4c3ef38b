import type { ErrorDetail } from '../../../contract/errors.ts'
import type { ParsedTask } from '../../../language/task/parse-task.ts'
import type { TaskDocument } from '../../../language/task/kinds/task-document.types.ts'

/** What a text is worth as a task: the document, or the findings that keep it from being saved, each at its place. */
export type Verdict = { kind: 'task'; document: TaskDocument } | { kind: 'refused'; details: ErrorDetail[] }

/** A task is saved only when the language finds no error in it; warnings do not stop it. */
export function judge(parsed: ParsedTask): Verdict {
  const errors = parsed.diagnostics.filter((d) => d.severity === 'error')
  if (parsed.task && errors.length === 0) return { kind: 'task', document: parsed.task }
  return {
    kind: 'refused',
    details: errors.map((d) => ({
      path: d.path ? `body.yaml_content.${d.path}` : 'body.yaml_content',
      message: d.hint ? `${d.message} ${d.hint}` : d.message,
      code: d.code,
      line: d.line,
      column: d.column,
    })),
  }
}

/** What saving means for the record: nothing, new tags or name alone, or a new version. */
export type Change = { kind: 'none' } | { kind: 'tags' } | { kind: 'version' }

export function compare(
  stored: { yaml_content: string; tags: string[] },
  saved: { yaml_content: string; tags?: string[] | undefined },
): Change {
  if (saved.yaml_content !== stored.yaml_content) return { kind: 'version' }
  if (saved.tags && JSON.stringify(saved.tags) !== JSON.stringify(stored.tags)) return { kind: 'tags' }
  return { kind: 'none' }
}

/** Slots that a preview of the task reads from. */
export function slotsRead(document: TaskDocument): string[] {
  if (document.kind === 'sql') return [document.sql.connector]
  if (document.kind !== 'pipeline') return []
  return [document.source, ...Object.values(document.inputs)].flatMap((source) =>
    'connector' in source ? [source.connector] : [],
  )
}
