/**
 * The one client of the REST interface, typed by the contract. Every page talks to the server through `call`; nothing else
 * uses fetch (streams excepted: EventSource in events.ts and the log's follower).
 */
import type { ErrorBody, ErrorDetail } from '../../contract/errors.ts'
import type { BodyOf, Operation, ParamsOf, QueryOf, ResultOf } from '../../contract/operation.ts'
import { urlOf } from '../../contract/operation-url.ts'
import { translateMessage } from '../i18n/translate.ts'
import { messageOf, noAnswer, noReason, unreadable } from './failure-words.ts'

/** What an operation takes; parts that it does not have are absent. */
export interface CallInput<T extends Operation> {
  params?: ParamsOf<T>
  query?: QueryOf<T>
  body?: BodyOf<T>
  headers?: Readonly<Record<string, string>>
  signal?: AbortSignal
  /** Also sent while the page goes away. */
  keepalive?: boolean
}

/** Every way a call can fail. `status` is 0 when no answer came. */
export class ApiFailure extends Error {
  readonly status: number
  /** A code of the interface (errors.ts); the window itself adds NETWORK and BAD_ANSWER. */
  readonly code: string
  readonly details: readonly ErrorDetail[]
  readonly request_id: string | undefined
  /** Seconds to wait, when the server said so. */
  readonly retryAfter: number | undefined

  constructor(
    status: number,
    code: string,
    /** A function writes it anew in the language of the window. */
    message: string | (() => string),
    more: { details?: readonly ErrorDetail[]; request_id?: string; retryAfter?: number } = {},
  ) {
    super(typeof message === 'string' ? message : message())
    if (typeof message === 'function') Object.defineProperty(this, 'message', { get: message })
    this.name = 'ApiFailure'
    this.status = status
    this.code = code
    this.details = more.details ?? []
    this.request_id = more.request_id
    this.retryAfter = more.retryAfter
  }

  /** The detail that speaks of a field of the body: `config.port`, `name`. */
  detailFor(field: string): ErrorDetail | undefined {
    return this.details.find((detail) => detail.path === `body.${field}` || detail.path === field)
  }
}

const etags = new WeakMap<object, string>()

/** The ETag that came with this very object, for `If-Match` when it is saved. */
export const etagOf = (record: object | undefined) => (record ? etags.get(record) : undefined)

/** Headers that save over this very record and over no other. */
export function ifMatch(record: object | undefined): Readonly<Record<string, string>> {
  const etag = etagOf(record)
  return etag === undefined ? {} : { 'if-match': etag }
}

type UnauthenticatedListener = () => void
let onUnauthenticated: UnauthenticatedListener | undefined
let onForbidden: (() => void) | undefined

/** Called when a call that needs a session was refused for want of one. */
export function setUnauthenticatedListener(listener: UnauthenticatedListener | undefined): void {
  onUnauthenticated = listener
}

/** Called when a call was refused for what the caller is: his rights may not be what the window thinks. */
export function setForbiddenListener(listener: (() => void) | undefined): void {
  onForbidden = listener
}

const isErrorBody = (value: unknown): value is ErrorBody =>
  typeof value === 'object' && value !== null && 'error' in value && 'message' in value

async function failureOf(response: Response): Promise<ApiFailure> {
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  const body: unknown = await response.json().catch(() => undefined)
  if (!isErrorBody(body)) {
    return new ApiFailure(response.status, 'BAD_ANSWER', () => noReason(response.status), { retryAfter })
  }
  const [first, ...others] = body.details ?? []
  // The words for the whole request come as a detail where the message is always the same.
  const own = first?.path === 'request' ? { ...first, details: others } : body
  const message = () => messageOf(response.status, { ...body, ...own }, retryAfter)
  return new ApiFailure(response.status, body.error, message, {
    details: own.details?.map((detail) => ({
      ...detail,
      get message() {
        return translateMessage(detail)
      },
    })),
    request_id: body.request_id,
    retryAfter,
  })
}

async function send(op: Operation, url: string, input: CallInput<Operation>): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json', ...input.headers }
  if (input.body !== undefined) headers['content-type'] = 'application/json'
  try {
    return await fetch(url, {
      method: op.method,
      headers,
      body: input.body === undefined ? undefined : JSON.stringify(input.body),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: input.signal,
      keepalive: input.keepalive,
    })
  } catch (error) {
    if (input.signal?.aborted) throw error
    throw new ApiFailure(0, 'NETWORK', () => noAnswer(op.method))
  }
}

async function refused(op: Operation, response: Response): Promise<never> {
  const failure = await failureOf(response)
  if (failure.status === 401 && op.security === 'caller') onUnauthenticated?.()
  if (failure.status === 403 && op.security === 'caller') onForbidden?.()
  throw failure
}

/** Gives the answer as it comes, and can send a body as it is: bundles, exports. */
export async function openStream<T extends Operation>(
  op: T,
  input: Pick<CallInput<T>, 'params' | 'query' | 'body' | 'signal'> & { raw?: Blob; type?: string },
): Promise<Response> {
  const type = input.body === undefined ? input.type : 'application/json'
  let response: Response
  try {
    response = await fetch(urlOf(op, input.params, input.query), {
      method: op.method,
      headers: type ? { 'content-type': type } : {},
      body: input.body === undefined ? input.raw : JSON.stringify(input.body),
      credentials: 'same-origin',
      cache: 'no-store',
      signal: input.signal,
    })
  } catch (error) {
    if (input.signal?.aborted) throw error
    throw new ApiFailure(0, 'NETWORK', () => noAnswer(op.method))
  }
  return response.ok ? response : await refused(op, response)
}

export interface SendingFile<T extends Operation> extends Pick<CallInput<T>, 'query'> {
  file: Blob
  type: string
  signal: AbortSignal
  /** Bytes that have been sent so far. */
  onProgress(bytes: number): void
}

/** Sends a file as it is, and tells how far that has come, which fetch does not. Throws as `call` does. */
export function sendFile<T extends Operation>(op: T, sending: SendingFile<T>): Promise<ResultOf<T>> {
  const { query, file, type, signal, onProgress } = sending
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    const lost = () => reject(new ApiFailure(0, 'NETWORK', () => noAnswer(op.method)))
    const answer = () => {
      const response = new Response(request.responseText, {
        status: request.status,
        headers: { 'retry-after': request.getResponseHeader('retry-after') ?? '' },
      })
      // The server shapes its answers by this very schema.
      if (response.ok) response.json().then((result) => resolve(result as ResultOf<T>), lost)
      else refused(op, response).catch(reject)
    }
    request.open(op.method, urlOf(op, {}, query))
    request.setRequestHeader('content-type', type)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', answer)
    request.addEventListener('error', lost)
    request.addEventListener('abort', () => reject(new DOMException('Stopped', 'AbortError')))
    if (signal.aborted) return reject(new DOMException('Stopped', 'AbortError'))
    signal.addEventListener('abort', abort, { once: true })
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort))
    request.send(file)
  })
}

/** Performs an operation and gives its JSON answer. Throws ApiFailure; an aborted call throws the AbortError. */
export async function call<T extends Operation>(op: T, input: CallInput<T> = {}): Promise<ResultOf<T>> {
  const response = await send(op, urlOf(op, input.params, input.query), input)
  if (!response.ok) return await refused(op, response)
  if (response.status === 204) return undefined as ResultOf<T>
  const result: unknown = await response.json().catch(() => {
    throw new ApiFailure(response.status, 'BAD_ANSWER', unreadable)
  })
  const etag = response.headers.get('etag')
  if (etag && typeof result === 'object' && result !== null) etags.set(result, etag)
  // The server shapes its answers by this very schema.
  return result as ResultOf<T>
}
