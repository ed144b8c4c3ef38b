/** The fingerprint of an SSH server's key: a failed test tells it, and trusting it fills it in. Pure. */
import type { ConnectorTestResult } from '../../../contract/connectors.ts'
import type { FieldValues } from './schema-form.ts'

const fingerprint = /SHA256:[A-Za-z0-9+/]{43}=?/g

/** The fingerprint of no key: sent with a test while none is known, so that the test tells the server's. */
export const unknownHostKey = `SHA256:${'A'.repeat(43)}`

/** The key that the server showed where it is not the one in the form; null where the test tells of none. */
export function shownHostKey(result: ConnectorTestResult, config: FieldValues): string | null {
  // A test that accepts any key goes well and remarks on the key; one that knows another fails.
  const words = result.checks.map((check) => `${check.message ?? ''} ${check.error?.message ?? ''}`).join(' ')
  const told = words.match(fingerprint) ?? []
  return told.find((key) => key !== config.host_key && key !== unknownHostKey) ?? null
}
