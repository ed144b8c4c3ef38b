import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { ErrorBody } from '../../contract/errors.ts'
import { derivedKey } from '../../process/derived-key.ts'
import type { BodyOf, Operation, ParamsOf, ResultOf } from '../../contract/operation.ts'

/** The control plane said no: a status below 500 with its error body, which another try would not change. */
export class Refused extends Error {
  readonly status: number
  readonly body: ErrorBody

  constructor(status: number, body: ErrorBody) {
    super(`${status} ${body.error}: ${body.message}`)
    this.name = 'Refused'
    this.status = status
    this.body = body
  }
}

/** No answer, or one that says nothing about the request: worth another try. */
export class Unreachable extends Error {
  /** The control plane asked to wait for so long. */
  readonly retryAfterMs: number | null

  constructor(message: string, retryAfterMs: number | null = null) {
    super(message)
    this.name = 'Unreachable'
    this.retryAfterMs = retryAfterMs
  }
}

export interface CallOptions<T extends Operation> {
  params?: ParamsOf<T>
  body?: BodyOf<T>
  /** The body as it goes over the line, of an operation whose body is no JSON. */
  raw?: readonly Uint8Array[]
  headers?: Record<string, string>
  signal?: AbortSignal
  /** Default 15 s. */
  timeoutMs?: number
}

export interface ControlPlaneClient {
  /** One try. Throws Refused or Unreachable; the signal's reason when it is aborted. */
  call<T extends Operation>(op: T, options: CallOptions<T>): Promise<ResultOf<T>>
  /** Tries until there is an answer: throws Refused, or the signal's reason. */
  persist<T extends Operation>(op: T, options: CallOptions<T>): Promise<ResultOf<T>>
  /** What another process needs to send what `id` names, and nothing else. */
  passFor(id: string): { url: string; key: string }
  close(): void
}

export interface ClientOptions {
  /** Asked before each request: a control plane that restarts may come back elsewhere. */
  url: () => URL
  key: () => string
  backoff?: { firstMs: number; maxMs: number }
}

const DEFAULT_TIMEOUT_MS = 15_000
/** Answers are ours and small but for claims; this only keeps a stray peer from filling the memory. */
const MAX_ANSWER_BYTES = 512 * 1024 * 1024

export function createControlPlaneClient(options: ClientOptions): ControlPlaneClient {
  const { url, key, backoff = { firstMs: 50, maxMs: 3_000 } } = options
  const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }

  async function call<T extends Operation>(op: T, callOptions: CallOptions<T>): Promise<ResultOf<T>> {
    const answer = await send(op, callOptions)
    const { status, text } = answer
    const body = parse(text, status)
    if (status >= 200 && status < 300) return body as ResultOf<T> // the contract, spoken by the control plane
    if (status === 429 || status >= 500)
      throw new Unreachable(`${op.id}: ${status} ${messageOf(body)}`, answer.retryAfterMs)
    throw new Refused(status, errorBodyOf(body, status))
  }

  function send<T extends Operation>(
    op: T,
    { params, body, raw, headers, signal, timeoutMs }: CallOptions<T>,
  ): Promise<Answer> {
    const base = url()
    const secure = base.protocol === 'https:'
    const payload = raw ?? (body === undefined ? undefined : [Buffer.from(JSON.stringify(body))])
    const requestOptions: RequestOptions = {
      method: op.method,
      agent: secure ? agents.https : agents.http,
      protocol: base.protocol,
      hostname: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port,
      path: base.pathname.replace(/\/$/, '') + pathOf(op.path, params),
      timeout: timeoutMs ?? DEFAULT_TIMEOUT_MS,
      headers: {
        authorization: `Bearer ${key()}`,
        accept: 'application/json',
        ...(payload === undefined
          ? {}
          : {
              'content-type': raw ? (op.bodyTypes?.[0] ?? '') : 'application/json',
              'content-length': payload.reduce((sum, { length }) => sum + length, 0),
            }),
        ...headers,
      },
    }
    return exchange(secure ? httpsRequest : httpRequest, requestOptions, { payload, what: op.id, signal })
  }

  async function persist<T extends Operation>(op: T, callOptions: CallOptions<T>): Promise<ResultOf<T>> {
    for (let tries = 0; ; tries++) {
      try {
        return await call(op, callOptions)
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error
        const delay = Math.min(backoff.maxMs, backoff.firstMs * 2 ** Math.min(tries, 16))
        await pause(error.retryAfterMs ?? delay * (0.5 + Math.random() / 2), callOptions.signal)
      }
    }
  }

  return {
    call,
    persist,
    passFor: (id) => ({ url: url().href, key: derivedKey(key(), id) }),
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

interface Answer {
  status: number
  text: string
  retryAfterMs: number | null
}

interface Exchange {
  payload: readonly Uint8Array[] | undefined
  what: string
  signal: AbortSignal | undefined
}

function exchange(
  request: typeof httpRequest,
  options: RequestOptions,
  { payload, what, signal }: Exchange,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(reasonOf(signal))
    const fail = (error: Error): void => {
      signal?.removeEventListener('abort', stop)
      if (signal?.aborted) reject(reasonOf(signal))
      else reject(error instanceof Unreachable ? error : new Unreachable(`${what}: ${error.message}`))
    }
    const outgoing = request(options, (incoming) => {
      readAnswer(incoming, fail, (answer) => {
        signal?.removeEventListener('abort', stop)
        resolve(answer)
      })
    })
    // Not the option `signal` of the request: that watches the stream as well, at a cost that shows with short runs.
    const stop = (): void => void outgoing.destroy(new Error('aborted'))
    signal?.addEventListener('abort', stop, { once: true })
    outgoing.on('error', fail)
    outgoing.on('timeout', () => outgoing.destroy(new Unreachable(`${what}: no answer within ${options.timeout} ms`)))
    // Written as they are: joining them would copy every byte of a large body once more.
    for (const piece of payload ?? []) outgoing.write(piece)
    outgoing.end()
  })
}

function readAnswer(incoming: IncomingMessage, fail: (error: Error) => void, done: (answer: Answer) => void): void {
  const chunks: Buffer[] = []
  let bytes = 0
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes > MAX_ANSWER_BYTES) incoming.destroy(new Error('the answer is too large'))
  })
  incoming.on('error', fail)
  incoming.on('end', () => {
    const text = (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8')
    const seconds = Number(incoming.headers['retry-after'] ?? Number.NaN)
    done({ status: incoming.statusCode ?? 0, text, retryAfterMs: seconds >= 0 ? seconds * 1_000 : null })
  })
}

/** An answer that is no JSON comes from something between us, or from something that is not Headgate. */
function parse(text: string, status: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Unreachable(
      `The answer (status ${status}) is not JSON: is this address Headgate's? ${text.slice(0, 100)}`,
    )
  }
}

function pathOf(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

function messageOf(body: unknown): string {
  return typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : ''
}

function errorBodyOf(body: unknown, status: number): ErrorBody {
  if (typeof body === 'object' && body !== null && 'error' in body && 'message' in body) return body as ErrorBody // its shape
  return { error: 'UNKNOWN', message: `status ${status}` }
}

/** Resolves after `ms`; rejects with the signal's reason. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(reasonOf(signal))
    const stop = (): void => {
      clearTimeout(timer)
      reject(reasonOf(signal!))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted')
}
