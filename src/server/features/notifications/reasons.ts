import { shortened } from '../../../language/shortened.ts'

const known: Record<string, string> = {
  ECONNREFUSED: 'Nothing is listening on this address and port',
  ECONNRESET: 'The other side closed the connection',
  EPIPE: 'The other side closed the connection',
  ENOTFOUND: 'There is no such host',
  EAI_AGAIN: 'The name of the host could not be looked up just now',
  ETIMEDOUT: 'The host did not answer in time',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is self-signed and not trusted on this machine',
  SELF_SIGNED_CERT_IN_CHAIN: 'Its certificate is self-signed and not trusted on this machine',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Its certificate isn’t signed by an authority that this machine trusts',
  CERT_HAS_EXPIRED: 'Its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name',
  HPE_INVALID_CONSTANT: 'What answered does not speak HTTP',
}

/** Why a far system could not be spoken to, in one line for people. */
export function sayWhy(error: unknown): string {
  // Of a host with several addresses, the reasons are inside.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (!(first instanceof Error)) return 'The message could not be sent'
  const code = 'code' in first ? String(first.code) : ''
  return known[code] ?? shortened(first.message.replaceAll(/\s+/g, ' '), 500)
}
