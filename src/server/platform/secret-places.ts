import type { ErrorDetail } from '../../contract/errors.ts'
import { msg } from '../../contract/messages.ts'

/** Where secrets are sent, and how the other side proves who it is, by field. */
export type Places = Readonly<Record<string, unknown>>

/**
 * Refuses to send stored secrets anywhere but where they were entered for: whoever may change a record need not know its password, and
 * would learn it from a server of their own. `kept`: names of the secrets that would be used as they are stored.
 * `pathOf`: where a caller enters one again.
 */
export function secretsToEnterAgain(
  before: Places,
  after: Places,
  kept: readonly string[],
  pathOf = (name: string) => `body.secrets.${name}`,
): ErrorDetail[] {
  const fields = Object.keys(after).filter((field) => before[field] !== after[field])
  if (fields.length === 0) return []
  return kept.map((name) => ({ path: pathOf(name), ...msg('secret_again', { fields }) }))
}

/** Of a web address its server: a path leads to no one else. */
export const originOf = (address: unknown): string | undefined => URL.parse(String(address))?.origin
