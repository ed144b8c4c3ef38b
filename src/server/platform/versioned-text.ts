import { type Message, msg } from '../../contract/messages.ts'
import type { Static } from 'typebox'
import { type TagChange, type TagResult } from '../../contract/documents.ts'
import type { ErrorDetail } from '../../contract/errors.ts'
import type { Diagnostic } from '../../contract/task-preview.ts'

/** What records share whose text is kept in versions. */

/** The findings that keep a text from being saved, each at its place; warnings do not. */
export function errorsIn(diagnostics: readonly Static<typeof Diagnostic>[], path = 'body.yaml_content'): ErrorDetail[] {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map((d) => ({
      path: d.path ? `${path}.${d.path}` : path,
      message: d.hint ? `${d.message} ${d.hint}` : d.message,
      code: d.code,
      params: d.params,
      line: d.line,
      column: d.column,
    }))
}

/** What does not fit the arguments or parameters of a text. */
export const problemsIn = (problems: readonly (Message & { path: string })[], within: string): ErrorDetail[] =>
  problems.map(({ path, ...problem }) => ({ path: `${within}.${path}`, ...msg('argument_invalid', { problem }) }))

/** What saving means for the record: nothing, new tags alone, or a new version. */
export type Change = { kind: 'none' } | { kind: 'tags' } | { kind: 'version' }

export function compare(
  stored: { yaml_content: string; tags: string[] },
  saved: { yaml_content: string; tags?: string[] | undefined },
): Change {
  if (saved.yaml_content !== stored.yaml_content) return { kind: 'version' }
  if (saved.tags && JSON.stringify(saved.tags) !== JSON.stringify(stored.tags)) return { kind: 'tags' }
  return { kind: 'none' }
}

/** Tags with some removed, then some added at their end, and what of that is a change. */
export function retagged(tags: readonly string[], { add = [], remove = [] }: TagChange): TagResult {
  const kept = tags.filter((tag) => !remove.includes(tag) || add.includes(tag))
  const added = add.filter((tag) => !tags.includes(tag))
  return { tags: [...kept, ...added], added, removed: tags.filter((tag) => !kept.includes(tag)) }
}
