import type { ErrorDetail } from '../../contract/errors.ts'
import { msg } from '../../contract/messages.ts'

/** Where secrets are sent, and how the other side proves who it is, by field. */
export type Places = Readonly<Record<string, unknown>>

/**
 * Refuses to send stored secrets anywhere but where they were entered for: whoever may change a record need not know its password, and
 * would learn it from a server of their own. `kept`: names of the secrets that would be used as they are stored.
 */
export function secretsToEnterAgain(before: Places, after: Places, kept: readonly string[]): ErrorDetail[] {
  const fields = Object.keys(after).filter((field) => before[field] !== after[field])
  if (fields.length === 0) return []
  return kept.map((name) => ({ path: `body.secrets.${name}`, ...msg('secret_again', { fields }) }))
}

/** Of a web address its server: a path leads to no one else. */
export const originOf = (address: unknown): string | undefined => URL.parse(String(address))?.origin
