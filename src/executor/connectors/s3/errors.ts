import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { EngineError, codeOf, messageOf, type EngineErrorCode } from '../../engine/errors.ts'
import { configOf } from '../config.ts'
import { networkError, type UnreachedServer } from '../network-errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

/** HTTP status of an answer; undefined: there was none. */
export function statusOf(thrown: unknown): number | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('$metadata' in thrown)) return undefined
  const metadata = thrown.$metadata
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return undefined
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined
}

/** The store's own word for what is wrong: `NoSuchBucket`. */
export function s3CodeOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : ''
}

const wrongKeys: ReadonlySet<string> = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
  'InvalidSecurity',
  'AuthorizationHeaderMalformed',
  'RequestTimeTooSkewed',
  'TokenRefreshRequired',
])

/** Whether the keys themselves were refused. */
export function isWrongKey(thrown: unknown): boolean {
  return wrongKeys.has(s3CodeOf(thrown)) || statusOf(thrown) === 401
}

export function isDenied(thrown: unknown): boolean {
  return s3CodeOf(thrown) === 'AccessDenied' || statusOf(thrown) === 403
}

export function isMissing(thrown: unknown): boolean {
  return s3CodeOf(thrown) === 'NoSuchKey' || (s3CodeOf(thrown) !== 'NoSuchBucket' && statusOf(thrown) === 404)
}

/** Whether another attempt may go better: the connection, or a store that has too much to do. */
export function isPassing(thrown: unknown): boolean {
  const status = statusOf(thrown)
  return status === undefined ? !wrongKeys.has(s3CodeOf(thrown)) : status >= 500 || status === 408 || status === 429
}

const nameHint = runMessage('bucket_unreached_fix')

/** The store, for messages that it cannot be reached. */
export function s3Server(connector: BoundConnector, host: string): UnreachedServer {
  return {
    at: `${host} (connector \`${connector.name}\`)`,
    name: 'the store',
    host: 'the endpoint',
    port: 'the endpoint',
    hints: { ENOTFOUND: nameHint, EAI_AGAIN: nameHint },
  }
}

/** S3's words as ours. `what`: what was being done, with the object's address. */
export function s3Error(thrown: unknown, connector: BoundConnector, what: Message, signal?: AbortSignal): EngineError {
  if (thrown instanceof EngineError) return thrown
  if (signal?.aborted === true) return cancelled()
  const { bucket, endpoint, region } = configOf(connector, 's3')
  const where = `connector \`${connector.name}\``
  const host = endpoint?.replace(/^https?:\/\//i, '') ?? `s3.${region ?? 'us-east-1'}.amazonaws.com`
  const unreached = networkError(thrown, s3Server(connector, host), what)
  if (unreached) return unreached
  const code = s3CodeOf(thrown)
  const make = (name: EngineErrorCode, message: Message, hint: Message): EngineError =>
    new EngineError(name, message, { hint, cause: thrown })
  if (code === 'RequestTimeTooSkewed') {
    return make('AUTHENTICATION_FAILED', runMessage('clocks_differ', { place: where }), runMessage('clocks_differ_fix'))
  }
  if (code === 'PermanentRedirect' || (code === 'AuthorizationHeaderMalformed' && endpoint === undefined)) {
    return make(
      'CONNECTION_FAILED',
      runMessage('bucket_elsewhere', { bucket, region: region ?? 'us-east-1', place: where }),
      runMessage('bucket_elsewhere_fix'),
    )
  }
  if (isWrongKey(thrown)) {
    return make(
      'AUTHENTICATION_FAILED',
      runMessage('keys_refused', { place: where, code: code || messageOf(thrown) }),
      runMessage('keys_refused_fix'),
    )
  }
  if (code === 'NoSuchBucket') {
    return make(
      'FOLDER_NOT_FOUND',
      runMessage('bucket_missing', { bucket, place: where }),
      runMessage('bucket_missing_fix'),
    )
  }
  if (isDenied(thrown)) {
    return make(
      'FILE_UNREADABLE',
      runMessage('action_not_allowed', { action: what, place: where }),
      runMessage('action_not_allowed_fix'),
    )
  }
  if (isMissing(thrown)) {
    return make(
      'FILE_NOT_FOUND',
      runMessage('object_missing', { action: what, place: where }),
      runMessage('file_removed_before_read_fix'),
    )
  }
  if (statusOf(thrown) === undefined || isPassing(thrown)) {
    return make(
      'CONNECTION_FAILED',
      runMessage('action_failed', { action: what, cause: wordsOf(thrown), place: where }),
      runMessage('check_endpoint'),
    )
  }
  return make(
    'FILE_UNREADABLE',
    runMessage('action_failed_code', { action: what, code, cause: messageOf(thrown), place: where }),
    runMessage('store_says_why'),
  )
}

/** Node hides why a connection failed inside of lists of attempts. */
function wordsOf(thrown: unknown): string {
  const first = thrown instanceof AggregateError ? (thrown.errors[0] as unknown) : thrown
  return messageOf(first) || codeOf(thrown) || 'the connection ended'
}
