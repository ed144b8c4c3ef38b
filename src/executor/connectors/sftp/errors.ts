import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { EngineError, codeOf, messageOf, type EngineErrorCode } from '../../engine/errors.ts'
import { configOf } from '../config.ts'
import { networkError } from '../network-errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

/** SFTP's own numbers. */
const [noSuchFile, permissionDenied, failure, noConnection, connectionLost] = [2, 3, 4, 6, 7]

function numberOf(thrown: unknown): number | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined
  return typeof thrown.code === 'number' ? thrown.code : undefined
}

export function isMissing(thrown: unknown): boolean {
  return numberOf(thrown) === noSuchFile
}

export function isDenied(thrown: unknown): boolean {
  return numberOf(thrown) === permissionDenied
}

/** Whether another attempt may go better: everything that the server has not answered. */
export function isPassing(thrown: unknown): boolean {
  const number = numberOf(thrown)
  return number === undefined || number === noConnection || number === connectionLost
}

/** The server's words as ours. `what`: what was being done, with the file's address. */
export function sftpError(
  thrown: unknown,
  connector: BoundConnector,
  what: Message,
  signal?: AbortSignal,
): EngineError {
  if (thrown instanceof EngineError) return thrown
  if (signal?.aborted === true) return cancelled()
  const { host, port, user } = configOf(connector, 'sftp')
  const where = `connector \`${connector.name}\``
  const server = `${host}:${port ?? 22}`
  const unreached = networkError(
    thrown,
    { at: `${server} (${where})`, name: 'the server', host: '`host`', port: 'host and port' },
    what,
  )
  if (unreached) return unreached
  const message = messageOf(thrown)
  const make = (name: EngineErrorCode, words: Message, hint: Message): EngineError =>
    new EngineError(name, words, { hint, cause: thrown })
  if (/All configured authentication methods failed/.test(message)) {
    return make(
      'AUTHENTICATION_FAILED',
      runMessage('sftp_sign_in_refused', { server, user, place: where }),
      runMessage('sftp_sign_in_refused_fix'),
    )
  }
  if (/parse privateKey|passphrase|bad decrypt/i.test(message)) {
    return make(
      'AUTHENTICATION_FAILED',
      runMessage('private_key_unreadable', { place: where }),
      runMessage('private_key_unreadable_fix'),
    )
  }
  if (isMissing(thrown)) {
    return make(
      'FILE_NOT_FOUND',
      runMessage('remote_file_missing', { action: what, place: where }),
      runMessage('file_removed_before_read_fix'),
    )
  }
  if (isDenied(thrown)) {
    return make(
      'FILE_UNREADABLE',
      runMessage('action_not_allowed_for', { action: what, user, place: where }),
      runMessage('action_not_allowed_for_fix'),
    )
  }
  if (numberOf(thrown) === failure) {
    const writing = what.code.startsWith('writing_')
    return make(
      writing ? 'FILE_UNWRITABLE' : 'FILE_UNREADABLE',
      runMessage('action_failed_unexplained', { action: what, place: where }),
      writing ? runMessage('often_disk_full') : runMessage('check_server_own_log'),
    )
  }
  if (!isPassing(thrown)) {
    return make(
      'FILE_UNREADABLE',
      runMessage('action_failed', { action: what, cause: message, place: where }),
      runMessage('server_says_why'),
    )
  }
  const words = thrown instanceof Error && thrown.name === 'AbortError' ? 'no answer' : message || codeOf(thrown)
  return make(
    'CONNECTION_FAILED',
    runMessage('action_failed_server', { action: what, cause: words ?? '', server, place: where }),
    runMessage('check_host_network'),
  )
}
