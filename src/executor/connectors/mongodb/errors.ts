import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { EngineError, codeOf, messageOf, type EngineErrorCode } from '../../engine/errors.ts'
import { configOf } from '../config.ts'
import { networkError } from '../network-errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'

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
  message: (detail: string, connector: BoundConnector) => string
  hint: string
}

/** By the server's error numbers. */
const server: Record<number, Friendly> = {
  13: {
    code: 'DATABASE_REFUSED',
    message: (detail, c) => `The user may not do this (${detail}): ${at(c)}`,
    hint: 'Grant the user the role, or enter user and password in the connector’s settings.',
  },
  18: {
    code: 'AUTHENTICATION_FAILED',
    message: (_, c) => `User or password was refused for ${configOf(c, 'mongodb').user ?? 'nobody'} at ${at(c)}`,
    hint: 'Enter them again in the connector’s settings; `auth_source` is the database where the user is kept.',
  },
  26: {
    code: 'TABLE_NOT_FOUND',
    message: (detail, c) => `There is no such collection (${detail}): ${at(c)}`,
    hint: 'Check the name; capitals count.',
  },
  50: {
    code: 'DATABASE_REFUSED',
    message: (detail, c) => `The server’s time limit was reached (${detail}): ${at(c)}`,
    hint: 'Narrow the filter, or give it an index.',
  },
  112: {
    code: 'DATABASE_LOCKED',
    message: (detail, c) => `Another writer was faster (${detail}): ${at(c)}`,
    hint: 'Nothing was written; try again.',
  },
  121: {
    code: 'CONSTRAINT_VIOLATED',
    message: (detail, c) => `The collection’s validator refuses a document (${detail}): ${at(c)}`,
    hint: 'Reject such rows before the target with an `expect` step (`on_fail: quarantine`).',
  },
  11000: {
    code: 'KEY_NOT_UNIQUE',
    message: (detail, c) => `A document with the same key is there already (${detail}): ${at(c)}`,
    hint: 'Use `mode: upsert`, or remove the doubles before with a `dedupe` step.',
  },
  10334: {
    code: 'VALUE_INVALID',
    message: (detail, c) => `A document is too large (${detail}): ${at(c)}`,
    hint: 'MongoDB takes 16 MB a document: drop or shorten the long columns.',
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
  const make = (code: EngineErrorCode, words: string, hint: string): EngineError =>
    new EngineError(code, words, { hint, cause: root })
  const unreached = networkError(root, {
    at: at(connector),
    name: 'MongoDB',
    host: '`uri`',
    port: 'host and port in `uri`',
    hints: { ECONNRESET: 'Check whether the server wants TLS (`?tls=true` at the end of `uri`), and its log.' },
  })
  if (unreached) return unreached
  const number = numberOf(root)
  const known = number === null ? undefined : server[number]
  if (known) return make(known.code, known.message(message, connector), known.hint)
  if (number !== null && (queryErrors.has(number) || (number > 15_000 && number < 60_000)))
    return make('QUERY_INVALID', `${message}: ${at(connector)}`, 'Check `find` or `aggregate` of the source.')
  const name = root instanceof Error ? root.name : ''
  if (/^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS)/.test(codeOf(root) ?? ''))
    return make(
      'CONNECTION_FAILED',
      `The server’s certificate was not accepted (${message}): ${at(connector)}`,
      'Install its authority on the executor’s machine, or name it in `uri` (`tlsCAFile`).',
    )
  if (/^(EPROTO|ERR_SSL)/.test(codeOf(root) ?? '') || /SSL routines|secure TLS connection/i.test(message))
    return make(
      'CONNECTION_FAILED',
      `TLS could not be agreed on (${message.trim()}): ${at(connector)}`,
      'The server may offer no TLS: remove `tls=true` from `uri`, or turn TLS on at the server.',
    )
  if (/Credentials|password/i.test(name + message) && number === null)
    return make(
      'AUTHENTICATION_FAILED',
      `The server wants a password (${message}): ${at(connector)}`,
      'Enter it in the connector’s settings.',
    )
  if (/^Mongo(Parse|InvalidArgument|API|MissingDependency)Error$/.test(name))
    return make(
      'CONNECTION_FAILED',
      `The address is not usable (${message})`,
      'Check `uri` in the connector’s settings.',
    )
  if (connectionErrors.test(name) || (name === 'MongoBulkWriteError' && number === null))
    return make(
      'CONNECTION_FAILED',
      `The server did not answer, or broke off (${message}): ${at(connector)}`,
      'Check host, port, TLS and firewalls, and the server’s log.',
    )
  if (name.startsWith('Mongo'))
    return make('DATABASE_REFUSED', `${message}: ${at(connector)}`, 'The server says why; its log says more.')
  if (name.startsWith('BSON'))
    return make(
      'VALUE_INVALID',
      `A document cannot be written (${message}): ${at(connector)}`,
      'Drop or cast the column that holds it.',
    )
  return new EngineError('INTERNAL_ERROR', message, {
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
