import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { EngineError, codeOf, messageOf, type EngineErrorCode, verbatim } from '../../engine/errors.ts'
import { configOf } from '../config.ts'
import { networkError } from '../network-errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

/** The servers that an address names, without its options. */
export function hostsOf(uri: string): string {
  return uri.replace(/^mongodb(\+srv)?:\/\//, '').replace(/[/?].*$/, '')
}

const at = (connector: BoundConnector): string => {
  const { uri, database } = configOf(connector, 'mongodb')
  return `${hostsOf(uri)}/${database} (connector \`${connector.name}\`)`
}

interface Friendly {
  code: EngineErrorCode
  message: (detail: string, connector: BoundConnector) => Message
  hint: Message
}

/** By the server's error numbers. */
const server: Record<number, Friendly> = {
  13: {
    code: 'DATABASE_REFUSED',
    message: (detail, c) => runMessage('user_lacks_right', { detail, place: at(c) }),
    hint: runMessage('grant_role'),
  },
  18: {
    code: 'AUTHENTICATION_FAILED',
    message: (_, c) =>
      runMessage('user_or_password_refused', { user: configOf(c, 'mongodb').user ?? '(none)', place: at(c) }),
    hint: runMessage('enter_user_again'),
  },
  26: {
    code: 'TABLE_NOT_FOUND',
    message: (detail, c) => runMessage('collection_missing', { detail, place: at(c) }),
    hint: runMessage('check_name_capitals'),
  },
  50: {
    code: 'DATABASE_REFUSED',
    message: (detail, c) => runMessage('server_time_limit', { detail, place: at(c) }),
    hint: runMessage('narrow_filter'),
  },
  112: {
    code: 'DATABASE_LOCKED',
    message: (detail, c) => runMessage('write_conflict', { detail, place: at(c) }),
    hint: runMessage('write_conflict_fix'),
  },
  121: {
    code: 'CONSTRAINT_VIOLATED',
    message: (detail, c) => runMessage('validator_refuses', { detail, place: at(c) }),
    hint: runMessage('reject_before_target_quarantine'),
  },
  11000: {
    code: 'KEY_NOT_UNIQUE',
    message: (detail, c) => runMessage('document_key_exists', { detail, place: at(c) }),
    hint: runMessage('document_key_exists_fix'),
  },
  10334: {
    code: 'VALUE_INVALID',
    message: (detail, c) => runMessage('document_exceeds_limit', { detail, place: at(c) }),
    hint: runMessage('document_exceeds_limit_fix'),
  },
}

/** Mistakes in a filter or a pipeline: BadValue, FailedToParse, unknown operators and stages. */
const queryErrors: ReadonlySet<number> = new Set([2, 9, 14, 40, 168, 303])

/** The driver's names for a connection that is gone. A batch that meets one is told without a number. */
const connectionErrors =
  /^(Mongo(ServerSelection|Network|NetworkTimeout|NotConnected|PoolCleared|PoolClosed|WaitQueueTimeout|ClientClosed|ServerClosed|TopologyClosed|OperationTimeout)|PoolClearedOnNetwork)Error$/

/** The driver's and the server's errors as ours: what, where, and what to do. */
export function mongoError(thrown: unknown, connector: BoundConnector): EngineError {
  if (thrown instanceof EngineError) return thrown
  const root = rootOf(thrown)
  const message = messageOf(root)
  const make = (code: EngineErrorCode, words: Message, hint: Message): EngineError =>
    new EngineError(code, words, { hint, cause: root })
  const unreached = networkError(root, {
    at: at(connector),
    name: 'MongoDB',
    host: '`uri`',
    port: 'host and port in `uri`',
    hints: { ECONNRESET: runMessage('server_may_want_tls') },
  })
  if (unreached) return unreached
  const number = numberOf(root)
  const known = number === null ? undefined : server[number]
  if (known) return make(known.code, known.message(message, connector), known.hint)
  if (number !== null && (queryErrors.has(number) || (number > 15_000 && number < 60_000)))
    return make(
      'QUERY_INVALID',
      runMessage('detail_at', { detail: message, place: at(connector) }),
      runMessage('check_find_or_aggregate'),
    )
  const name = root instanceof Error ? root.name : ''
  if (/^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS)/.test(codeOf(root) ?? ''))
    return make(
      'CONNECTION_FAILED',
      runMessage('certificate_refused', { detail: message, place: at(connector) }),
      runMessage('install_authority_uri'),
    )
  if (/^(EPROTO|ERR_SSL)/.test(codeOf(root) ?? '') || /SSL routines|secure TLS connection/i.test(message))
    return make(
      'CONNECTION_FAILED',
      runMessage('tls_failed', { detail: message.trim(), place: at(connector) }),
      runMessage('tls_failed_fix'),
    )
  if (/Credentials|password/i.test(name + message) && number === null)
    return make(
      'AUTHENTICATION_FAILED',
      runMessage('password_required', { detail: message, place: at(connector) }),
      runMessage('enter_password'),
    )
  if (/^Mongo(Parse|InvalidArgument|API|MissingDependency)Error$/.test(name))
    return make('CONNECTION_FAILED', runMessage('address_unusable', { detail: message }), runMessage('check_uri'))
  if (connectionErrors.test(name) || (name === 'MongoBulkWriteError' && number === null))
    return make(
      'CONNECTION_FAILED',
      runMessage('no_answer_or_broken', { detail: message, place: at(connector) }),
      runMessage('check_host_tls'),
    )
  if (name.startsWith('Mongo'))
    return make(
      'DATABASE_REFUSED',
      runMessage('detail_at', { detail: message, place: at(connector) }),
      runMessage('see_server_log'),
    )
  if (name.startsWith('BSON'))
    return make(
      'VALUE_INVALID',
      runMessage('document_unwritable', { detail: message, place: at(connector) }),
      runMessage('document_unwritable_fix'),
    )
  return new EngineError('INTERNAL_ERROR', verbatim(message), {
    hint: runMessage('fault_of_headgate'),
    cause: thrown,
  })
}

/** The server's error number; wrapped, where the operation asked for wrapped numbers. */
export function numberOf(thrown: unknown): number | null {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return null
  const { code } = thrown
  const number: unknown = typeof code === 'object' && code !== null ? code.valueOf() : code
  return typeof number === 'number' ? number : null
}

/** What the system said, below what the driver made of it: the search for a server names it for each of them. */
function rootOf(thrown: unknown): unknown {
  let at: unknown = thrown
  for (let depth = 0; depth < 8; depth++) {
    const below: unknown = at instanceof Error ? (serverError(at) ?? at.cause) : undefined
    if (!(below instanceof Error)) return at
    at = below
  }
  return at
}

function serverError(error: Error): unknown {
  if (!('reason' in error)) return undefined
  const servers = (error.reason as { servers?: Map<string, { error: unknown }> } | undefined)?.servers // the driver's TopologyDescription
  for (const server of servers?.values() ?? []) if (server.error instanceof Error) return server.error
  return undefined
}
