import { EngineError, codeOf, messageOf, type EngineErrorCode } from '../../engine/errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

/** The request or its answer was lost on the way: another attempt may fare better. */
const transient = new Set([
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])
/** The request was certainly never sent. */
const unsent = new Set(['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'])

export function isTransient(thrown: unknown): boolean {
  const code = codeOf(thrown) ?? ''
  return transient.has(code) || unsent.has(code) || isTimeout(thrown)
}

export function wasNotSent(thrown: unknown): boolean {
  return unsent.has(codeOf(thrown) ?? '')
}

/** Our own limit for a whole request. */
export class RequestTimeout extends Error {
  readonly code = 'ETIMEDOUT'
  readonly reason: Message

  constructor(reason: Message) {
    super(reason.message)
    this.reason = reason
    this.name = 'RequestTimeout'
  }
}

export function isTimeout(thrown: unknown): boolean {
  return thrown instanceof RequestTimeout || /TIMEOUT|ETIMEDOUT/.test(codeOf(thrown) ?? '')
}

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|HOSTNAME_MISMATCH|INVALID_CA/

/** What went wrong on the way to the server or back. `what` reads like `GET https://…`. */
export function webError(thrown: unknown, connector: string, what: string): EngineError {
  // A refused address comes out of the lookup, wrapped or not.
  const own = ownError(thrown)
  if (own) return own
  const { code, message, hint } = describe(thrown)
  return new EngineError(code, runMessage('request_failed', { connector, what, text: message }), {
    hint,
    cause: thrown,
  })
}

function ownError(thrown: unknown): EngineError | null {
  for (let at: unknown = thrown, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof EngineError) return at
    if (at instanceof AggregateError) {
      const inner = at.errors.find((error: unknown) => error instanceof EngineError)
      if (inner instanceof EngineError) return inner
    }
  }
  return null
}

function describe(thrown: unknown): { code: EngineErrorCode; message: Message; hint: Message } {
  const code = codeOf(thrown) ?? ''
  const failed = (message: Message, hint: Message) => ({ code: 'CONNECTION_FAILED' as const, message, hint })
  if (thrown instanceof RequestTimeout) {
    return failed(thrown.reason, runMessage('raise_request_time'))
  }
  if (certificateCodes.test(code)) {
    return failed(
      runMessage('certificate_not_trusted', { cause: certificateReason(code, thrown) }),
      runMessage('certificate_not_trusted_fix'),
    )
  }
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return failed(runMessage('web_host_unknown'), runMessage('check_base_url_dns'))
    case 'ECONNREFUSED':
      return failed(runMessage('nothing_listening'), runMessage('check_base_url_running'))
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return failed(runMessage('web_no_route'), runMessage('check_this_network'))
    case 'UND_ERR_CONNECT_TIMEOUT':
      return failed(runMessage('connect_timeout'), runMessage('check_base_url_firewalls'))
    case 'UND_ERR_HEADERS_TIMEOUT':
      return failed(runMessage('web_no_answer'), runMessage('raise_request_time_only'))
    case 'UND_ERR_BODY_TIMEOUT':
      return failed(runMessage('answer_stopped'), runMessage('try_smaller_pages'))
    case 'UND_ERR_INVALID_ARG':
      return {
        code: 'VALUE_INVALID',
        message: runMessage('request_unsendable', { cause: messageOf(thrown) }),
        hint: runMessage('header_letters'),
      }
    case 'UND_ERR_HEADERS_OVERFLOW':
      return {
        code: 'RESPONSE_INVALID',
        message: runMessage('answer_headers_long'),
        hint: runMessage('report_to_server_owner'),
      }
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
    case 'UND_ERR_SOCKET':
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE':
      return failed(runMessage('web_connection_broke'), runMessage('try_again_log'))
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return failed(runMessage('no_tls_here'), runMessage('check_port_scheme'))
  }
  if (code.startsWith('HPE_')) {
    return failed(runMessage('answer_not_http', { cause: messageOf(thrown) }), runMessage('check_port_scheme'))
  }
  return failed(runMessage('as_told', { text: messageOf(thrown) }), runMessage('check_base_url_server'))
}

function certificateReason(code: string, thrown: unknown): Message {
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return runMessage('certificate_self_signed')
    case 'CERT_HAS_EXPIRED':
      return runMessage('certificate_expired')
    case 'CERT_NOT_YET_VALID':
      return runMessage('certificate_not_yet_valid')
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return runMessage('certificate_other_name')
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return runMessage('certificate_authority_unknown')
    default:
      return runMessage('as_told', { text: messageOf(thrown) })
  }
}
