import type * as Undici from 'undici'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { LogLevel } from '../../../contract/runs.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { EngineError, messageOf } from '../../engine/errors.ts'
import { redactorFor } from '../../redact.ts'
import { checkHost, guardedLookup, hostsOf } from './address.ts'
import { authOf, type WebAuth } from './auth.ts'
import { textOf } from './body.ts'
import { baseOf, webConfigOf, type WebConfig } from './config.ts'
import { isTimeout, isTransient, wasNotSent, webError } from './errors.ts'
import { exchange, type Answer } from './exchange.ts'
import { backoffMs, paceOf, pause, retryAfterMs } from './pace.ts'
import { nextHop, type Hop } from './redirect.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export interface WebRequest {
  url: URL
  method: Hop['method']
  /** Names in any case. Those of the connector stand behind these. */
  headers?: Record<string, string>
  body?: string | null
  /** Sending it twice does no harm; by default so for GET, PUT and DELETE. Others are sent again only when they were not processed. */
  repeatable?: boolean
}

export interface WebResponse extends Answer {
  /** Where it came from, after redirects. */
  url: URL
  /** `GET https://…`, for messages. */
  what: string
  /** Throws where the bytes are no text. */
  text(): string
}

/** Sends requests to the system behind a connector: signed, within its limits, tried again where that is safe. */
export interface WebClient {
  readonly base: URL
  readonly config: WebConfig
  /** Whatever the final status is. Throws when no whole answer came. */
  request(request: WebRequest): Promise<WebResponse>
  /** Gets hold of the token where one is needed. */
  signIn(): Promise<void>
  /** Without anything that is secret. */
  shown(url: URL): string
  scrub(text: string): string
  close(): Promise<void>
}

export interface WebClientOptions {
  signal: AbortSignal
  log?: (level: LogLevel, message: string) => void
  /** Attempts for a request; 5 by default. */
  tries?: number
}

const mostRedirects = 5
const usualTries = 5
const connectMs = 10_000
/** A server that takes too long is not given much more. */
const triesAfterTimeout = 2

export async function createWebClient(connector: BoundConnector, options: WebClientOptions): Promise<WebClient> {
  const undici = await loadUndici()
  const config = webConfigOf(connector)
  const timeoutMs = (config.timeout_seconds ?? 60) * 1000
  const agent = new undici.Agent({
    allowH2: false,
    connections: 4,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: Math.min(timeoutMs, connectMs), lookup: guardedLookup(privateReach(config)) },
  })
  const client = new Client(connector, config, agent, timeoutMs, options)
  return client
}

const privateReach = ({ allow_private: allowed, base_url, token_url }: WebConfig) =>
  allowed === true && hostsOf(base_url, token_url)

async function loadUndici(): Promise<typeof Undici> {
  try {
    return await import('undici')
  } catch (error) {
    throw new EngineError('INTERNAL_ERROR', runMessage('http_client_missing', { cause: messageOf(error) }), {
      hint: runMessage('http_client_missing_fix'),
      cause: error,
    })
  }
}

class Client implements WebClient {
  readonly base: URL
  readonly config: WebConfig
  readonly #connector: BoundConnector
  readonly #agent: Undici.Agent
  readonly #timeoutMs: number
  readonly #options: WebClientOptions
  readonly #auth: WebAuth

  constructor(
    connector: BoundConnector,
    config: WebConfig,
    agent: Undici.Agent,
    timeoutMs: number,
    options: WebClientOptions,
  ) {
    this.base = baseOf(connector)
    this.config = config
    this.#connector = connector
    this.#agent = agent
    this.#timeoutMs = timeoutMs
    this.#options = options
    this.#auth = authOf(connector, config, async (url, form, authorization) => {
      const answer = await this.#retried({
        url,
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
          ...(authorization === null ? {} : { authorization }),
        },
        body: form.toString(),
        signed: false,
        repeatable: true,
      })
      return { status: answer.status, text: answer.text() }
    })
  }

  request(request: WebRequest): Promise<WebResponse> {
    return this.#retried({ ...request, signed: true })
  }

  async signIn(): Promise<void> {
    await this.#auth.sign({}, new URL(this.base))
  }

  shown(url: URL): string {
    const { auth, api_key_in: place, api_key_name: key = 'X-API-Key' } = this.config
    const safe = new URL(url)
    if (auth === 'api_key' && place === 'query' && safe.searchParams.has(key)) safe.searchParams.set(key, '***')
    return this.scrub(safe.href)
  }

  scrub(text: string): string {
    const learned = Object.fromEntries(this.#auth.learned().map((secret, index) => [`learned ${index}`, secret]))
    return redactorFor([{ ...this.#connector, secrets: { ...this.#connector.secrets, ...learned } }])(text)
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  async #retried(request: WebRequest & { signed: boolean }): Promise<WebResponse> {
    const tries = this.#options.tries ?? usualTries
    const repeatable = request.repeatable ?? ['GET', 'PUT', 'DELETE'].includes(request.method)
    const what = `${request.method} ${this.shown(request.url)}`
    for (let attempt = 1; ; attempt++) {
      let wait: number
      let why: string
      try {
        const response = await this.#once(request)
        const pauseMs = attempt < tries ? this.#pauseAfter(response, attempt, repeatable) : null
        if (pauseMs === null) return response
        wait = pauseMs
        why = `answered ${response.status}`
      } catch (thrown) {
        if (this.#options.signal.aborted) throw cancelled()
        const most = isTimeout(thrown) ? Math.min(tries, triesAfterTimeout) : tries
        const again = wasNotSent(thrown) || (repeatable && isTransient(thrown))
        const error = webError(thrown, this.#connector.name, what)
        if (attempt >= most || !again) throw error
        wait = backoffMs(attempt)
        why = `failed (${error.message})`
      }
      this.#options.log?.(
        'warn',
        `${what} ${why}; trying again in ${(wait / 1000).toFixed(1)} s (attempt ${attempt + 1} of ${tries})`,
      )
      await pause(wait, this.#options.signal)
    }
  }

  /** null: this answer is final. */
  #pauseAfter(response: WebResponse, attempt: number, repeatable: boolean): number | null {
    const { status, headers } = response
    // Both say that nothing was done yet.
    if (status === 429 || status === 503) return retryAfterMs(headers['retry-after'], Date.now()) ?? backoffMs(attempt)
    return repeatable && (status === 408 || status === 425 || (status >= 500 && status !== 501))
      ? backoffMs(attempt)
      : null
  }

  /** One attempt: through redirects, and with a new token where the old one is refused. */
  async #once(request: WebRequest & { signed: boolean }): Promise<WebResponse> {
    const fresh = (): Hop => ({
      url: new URL(request.url),
      method: request.method,
      body: request.body ?? null,
      trusted: !request.signed || request.url.origin === this.base.origin,
    })
    let hop = fresh()
    let renewed = false
    for (let redirects = 0; ;) {
      const response = await this.#send(hop, request)
      if (response.status === 401 && request.signed && hop.trusted && !renewed && this.#auth.renew()) {
        this.#options.log?.('info', 'The server refused the token: asking for a new one')
        hop = fresh()
        renewed = true
        continue
      }
      const next = nextHop(hop, response, (url) => this.shown(url))
      if (next === null) return response
      if (++redirects > mostRedirects) {
        throw new EngineError(
          'RESPONSE_INVALID',
          runMessage('too_many_redirects', { what: response.what, most: mostRedirects }),
          {
            hint: runMessage('too_many_redirects_fix'),
          },
        )
      }
      hop = next
    }
  }

  async #send(hop: Hop, request: WebRequest & { signed: boolean }): Promise<WebResponse> {
    const { signal } = this.#options
    const what = `${hop.method} ${this.shown(hop.url)}`
    checkHost(hop.url.hostname, privateReach(this.config))
    const url = new URL(hop.url)
    const headers = headersOf(hop, request, request.signed ? (this.config.headers ?? {}) : {})
    if (hop.trusted && request.signed) await this.#auth.sign(headers, url)
    await paceOf(this.#connector.id, this.config.requests_per_second)?.turn(signal)
    const answer = await exchange(this.#agent, { ...hop, url }, { headers, signal, timeoutMs: this.#timeoutMs, what })
    return {
      ...answer,
      url: hop.url,
      what,
      text: () => textOf(answer.body, answer.headers['content-type'] ?? '', what),
    }
  }
}

/** Elsewhere than at the connector's own server nothing of its settings is sent along. */
function headersOf(hop: Hop, request: WebRequest, own: Record<string, string>): Record<string, string> {
  const lower = (headers: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const written = lower(request.headers ?? {})
  const accept = written['accept'] ?? 'application/json, */*;q=0.5'
  const headers = {
    ...(hop.trusted ? { ...lower(own), ...written } : {}),
    accept,
    'accept-encoding': 'gzip, br',
    'user-agent': lower(own)['user-agent'] ?? 'Headgate',
  }
  if (hop.body === null) delete (headers as Record<string, string>)['content-type'] // absent where there is none
  else if (!('content-type' in headers)) Object.assign(headers, { 'content-type': 'application/json' })
  return headers
}
