import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { EngineError, codeOf, messageOf, type EngineErrorCode } from '../../engine/errors.ts'
import { configOf } from '../config.ts'
import { networkError } from '../network-errors.ts'

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
export function sftpError(thrown: unknown, connector: BoundConnector, what: string, signal?: AbortSignal): EngineError {
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
  const make = (name: EngineErrorCode, words: string, hint: string): EngineError =>
    new EngineError(name, words, { hint, cause: thrown })
  if (/All configured authentication methods failed/.test(message)) {
    return make(
      'AUTHENTICATION_FAILED',
      `${server} refuses to let ${user} in (${where})`,
      'Check user, password and private key; the server must know the key.',
    )
  }
  if (/parse privateKey|passphrase|bad decrypt/i.test(message)) {
    return make(
      'AUTHENTICATION_FAILED',
      `The private key of ${where} cannot be read`,
      'Paste the whole key as ssh-keygen wrote it, and its passphrase if it has one.',
    )
  }
  if (isMissing(thrown)) {
    return make('FILE_NOT_FOUND', `${what}: the file does not exist (${where})`, 'Run again to list the files again.')
  }
  if (isDenied(thrown)) {
    return make(
      'FILE_UNREADABLE',
      `${what} is not allowed for ${user} (${where})`,
      'Give this user the right to it on the server.',
    )
  }
  if (numberOf(thrown) === failure) {
    const writing = what.startsWith('Writing')
    return make(
      writing ? 'FILE_UNWRITABLE' : 'FILE_UNREADABLE',
      `${what} failed, and the server does not say why (${where})`,
      writing ? 'Often its disk is full, or a quota is used up.' : 'The server’s own log may say more.',
    )
  }
  if (!isPassing(thrown)) {
    return make('FILE_UNREADABLE', `${what} failed: ${message} (${where})`, 'The server says why.')
  }
  const words = thrown instanceof Error && thrown.name === 'AbortError' ? 'no answer' : message || codeOf(thrown)
  return make(
    'CONNECTION_FAILED',
    `${what} failed: ${words} (${server}, ${where})`,
    'Check host and port, the network and whether the server is up.',
  )
}
