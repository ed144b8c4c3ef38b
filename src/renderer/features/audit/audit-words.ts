/** What the audit log calls what was done, and what it was done to, in the language of the window. */
import type { Operation } from '../../../contract/operation.ts'
import { type OperationId, operations } from '../../../contract/operations.ts'
import { entityText, operationText } from '../../i18n/translate.ts'

const all: Readonly<Partial<Record<string, Operation>>> = operations satisfies Record<OperationId, Operation>

/** What people call operations whose ids are of the interface's own language. */
const calledSo: Readonly<Partial<Record<string, string>>> = {
  bootstrap: 'createFirstAccount',
  login: 'signIn',
  launch: 'signInFromDesktop',
  logout: 'signOut',
}

export const operationName = (id: string): string => operationText(id)?.name ?? wordsOf(calledSo[id] ?? id)

/** What the operation does, in the words of the interface. */
export const operationSummary = (id: string): string | undefined => operationText(id)?.summary ?? all[id]?.summary

const spelled = (words: string) =>
  words.replaceAll(/\b(totp|api|ai)\b/g, (word) => word.toUpperCase()).replaceAll(/\bexplorer\b/g, 'Explorer')

export const entityName = (entity: string): string => entityText(entity) ?? spelled(entity.replaceAll('_', ' '))

/** `updateTask` reads `Update task`, `backup.scheduled` reads `Backup scheduled`. */
function wordsOf(operation: string): string {
  const words = spelled(
    operation
      .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
      .replaceAll(/[._-]+/g, ' ')
      .toLowerCase(),
  )
    // What is meant by a number reads like what is meant by its content.
    .replace(/ by id$/, '')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
