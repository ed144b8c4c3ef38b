import { type Message, msg } from '../../../contract/messages.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import { ForbiddenAddress } from '../../platform/reachable-address.ts'
import { shortened } from '../../../language/shortened.ts'

const known: Record<string, Message> = {
  ECONNREFUSED: msg('nothing_listens'),
  ECONNRESET: msg('connection_closed'),
  EPIPE: msg('connection_closed'),
  ENOTFOUND: msg('no_such_host'),
  EAI_AGAIN: msg('host_not_looked_up'),
  ETIMEDOUT: msg('host_answered_late'),
  EHOSTUNREACH: msg('host_unreachable'),
  ENETUNREACH: msg('host_unreachable'),
  DEPTH_ZERO_SELF_SIGNED_CERT: msg('its_certificate_self_signed'),
  SELF_SIGNED_CERT_IN_CHAIN: msg('its_certificate_self_signed'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: msg('its_certificate_untrusted'),
  CERT_HAS_EXPIRED: msg('its_certificate_expired'),
  ERR_TLS_CERT_ALTNAME_INVALID: msg('its_certificate_other_name'),
  HPE_INVALID_CONSTANT: msg('speaks_no_http'),
}

/** Why a far system could not be spoken to: known by its code, or in its own words. */
export function whyNotSent(error: unknown): Message {
  // Of a host with several addresses, the reasons are inside.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  if (!(first instanceof Error)) return msg('news_not_sent')
  if (first instanceof ForbiddenAddress) return msg('receiver_address_refused')
  const code = 'code' in first ? String(first.code) : ''
  return known[code] ?? runMessage('as_told', { text: shortened(first.message.replaceAll(/\s+/g, ' '), 500) })
}
