import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { EngineError, codeOf, messageOf, type EngineErrorCode } from '../../engine/errors.ts'
import { configOf } from '../config.ts'
import { networkError, type UnreachedServer } from '../network-errors.ts'

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

const nameHint = 'Check endpoint, region and bucket, and whether “Bucket in the path” is needed.'

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
export function s3Error(thrown: unknown, connector: BoundConnector, what: string, signal?: AbortSignal): EngineError {
  if (thrown instanceof EngineError) return thrown
  if (signal?.aborted === true) return cancelled()
  const { bucket, endpoint, region } = configOf(connector, 's3')
  const where = `connector \`${connector.name}\``
  const host = endpoint?.replace(/^https?:\/\//i, '') ?? `s3.${region ?? 'us-east-1'}.amazonaws.com`
  const unreached = networkError(thrown, s3Server(connector, host), what)
  if (unreached) return unreached
  const code = s3CodeOf(thrown)
  const make = (name: EngineErrorCode, message: string, hint: string): EngineError =>
    new EngineError(name, message, { hint, cause: thrown })
  if (code === 'RequestTimeTooSkewed') {
    return make(
      'AUTHENTICATION_FAILED',
      `The clocks of this machine and of S3 differ too much (${where})`,
      'Set this machine’s clock.',
    )
  }
  if (code === 'PermanentRedirect' || (code === 'AuthorizationHeaderMalformed' && endpoint === undefined)) {
    return make(
      'CONNECTION_FAILED',
      `The bucket ${bucket} is not in region ${region ?? 'us-east-1'} (${where})`,
      'Set the bucket’s region in the connector’s settings.',
    )
  }
  if (isWrongKey(thrown)) {
    return make(
      'AUTHENTICATION_FAILED',
      `S3 refuses the keys of ${where}: ${code || messageOf(thrown)}`,
      'Check access key, secret key and, with temporary keys, the session token.',
    )
  }
  if (code === 'NoSuchBucket') {
    return make(
      'FOLDER_NOT_FOUND',
      `There is no bucket ${bucket} (${where})`,
      'Check the bucket’s name, and the endpoint.',
    )
  }
  if (isDenied(thrown)) {
    return make(
      'FILE_UNREADABLE',
      `${what} is not allowed (${where})`,
      'Give these keys the right to it in the bucket’s policy.',
    )
  }
  if (isMissing(thrown)) {
    return make('FILE_NOT_FOUND', `${what}: the object does not exist (${where})`, 'Run again to list the files again.')
  }
  if (statusOf(thrown) === undefined || isPassing(thrown)) {
    return make(
      'CONNECTION_FAILED',
      `${what} failed: ${wordsOf(thrown)} (${where})`,
      'Check the endpoint, the network and whether the store is up.',
    )
  }
  return make(
    'FILE_UNREADABLE',
    `${what} failed: ${code} ${messageOf(thrown)} (${where})`,
    'The store says why; check bucket and keys.',
  )
}

/** Node hides why a connection failed inside of lists of attempts. */
function wordsOf(thrown: unknown): string {
  const first = thrown instanceof AggregateError ? (thrown.errors[0] as unknown) : thrown
  return messageOf(first) || codeOf(thrown) || 'the connection ended'
}
