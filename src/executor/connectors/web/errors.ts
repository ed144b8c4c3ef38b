import { EngineError, codeOf, messageOf, type EngineErrorCode } from '../../engine/errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'

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

  constructor(message: string) {
    super(message)
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

function describe(thrown: unknown): { code: EngineErrorCode; message: string; hint: string } {
  const code = codeOf(thrown) ?? ''
  const failed = (message: string, hint: string) => ({ code: 'CONNECTION_FAILED' as const, message, hint })
  if (thrown instanceof RequestTimeout) {
    return failed(thrown.message, 'Raise “Time for one request” of the connector, or ask for smaller pages.')
  }
  if (certificateCodes.test(code)) {
    return failed(
      `the certificate of the server is not trusted: ${certificateReason(code, thrown)}`,
      'Use the name that the certificate is made out to. For a private authority start Headgate with NODE_EXTRA_CA_CERTS set to its certificate.',
    )
  }
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return failed('the host is not known', 'Check the base URL, and that this machine can look names up.')
    case 'ECONNREFUSED':
      return failed('nothing is listening on this address and port', 'Check the base URL, and that the server runs.')
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return failed('there is no way to this address', 'Check the network of this machine.')
    case 'UND_ERR_CONNECT_TIMEOUT':
      return failed(
        'the server cannot be reached: no connection in time',
        'Check the base URL, and firewalls on the way.',
      )
    case 'UND_ERR_HEADERS_TIMEOUT':
      return failed('the server did not answer in time', 'Raise “Time for one request” of the connector.')
    case 'UND_ERR_BODY_TIMEOUT':
      return failed('the answer stopped coming', 'Try again; ask for smaller pages if it stays.')
    case 'UND_ERR_INVALID_ARG':
      return {
        code: 'VALUE_INVALID',
        message: `the request cannot be sent: ${messageOf(thrown)}`,
        hint: 'Names and values of headers hold Latin letters, digits and signs only.',
      }
    case 'UND_ERR_HEADERS_OVERFLOW':
      return {
        code: 'RESPONSE_INVALID',
        message: 'the headers of the answer are too long',
        hint: 'Tell those who run the server.',
      }
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
    case 'UND_ERR_SOCKET':
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE':
      return failed('the connection was cut off', 'Try again; if it stays, the server’s log may say why.')
    case 'EPROTO':
    case 'ERR_SSL_WRONG_VERSION_NUMBER':
    case 'ERR_SSL_PACKET_LENGTH_TOO_LONG':
      return failed(
        'the server does not speak TLS here',
        'Check the port, and whether the base URL begins with http:// or https://.',
      )
  }
  if (code.startsWith('HPE_')) {
    return failed(
      `the answer is no HTTP (${messageOf(thrown)})`,
      'Check the port, and whether the base URL begins with http:// or https://.',
    )
  }
  return failed(messageOf(thrown), 'Check the base URL and the server.')
}

function certificateReason(code: string, thrown: unknown): string {
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return 'it is self-signed'
    case 'CERT_HAS_EXPIRED':
      return 'it has expired'
    case 'CERT_NOT_YET_VALID':
      return 'it is not valid yet'
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'it is made out to another name'
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return 'it isn’t signed by a known authority'
    default:
      return messageOf(thrown)
  }
}
