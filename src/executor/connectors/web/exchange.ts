import type { Agent, Dispatcher } from 'undici'
import { cancelled } from '../../engine/duckdb.ts'
import { readBody } from './body.ts'
import { RequestTimeout } from './errors.ts'
import type { Hop } from './redirect.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export interface Answer {
  status: number
  /** Names in small letters. */
  headers: Record<string, string>
  body: Buffer
}

export interface ExchangeOptions {
  headers: Record<string, string>
  signal: AbortSignal
  /** For the whole of it: connecting, sending, and the answer to its end. */
  timeoutMs: number
  /** For messages. */
  what: string
}

/** One request and its whole answer. */
export async function exchange(
  agent: Agent,
  { url, method, body }: Pick<Hop, 'url' | 'method' | 'body'>,
  { headers, signal, timeoutMs, what }: ExchangeOptions,
): Promise<Answer> {
  const limit = new Deadline(signal, timeoutMs)
  try {
    const answer = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers,
      body,
      signal: limit.signal,
    })
    limit.answered = true
    const found = flat(answer.headers)
    return {
      status: answer.statusCode,
      headers: found,
      body: await readBody(answer.body, found['content-encoding'] ?? '', what),
    }
  } catch (error) {
    if (signal.aborted) throw cancelled()
    throw limit.reason() ?? error
  } finally {
    limit.end()
  }
}

/** Connecting, sending and the whole answer, within one limit. */
class Deadline {
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal
  readonly #ms: number
  readonly #timer: NodeJS.Timeout
  #over = false
  answered = false

  constructor(outer: AbortSignal, ms: number) {
    this.#outer = outer
    this.#ms = ms
    outer.addEventListener('abort', this.#stop)
    if (outer.aborted) this.#stop()
    this.#timer = setTimeout(() => {
      this.#over = true
      this.#stop()
    }, ms)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  reason(): RequestTimeout | null {
    if (!this.#over) return null
    const given = { seconds: this.#ms / 1000 }
    return new RequestTimeout(
      this.answered ? runMessage('answer_did_not_end', given) : runMessage('no_answer_came', given),
    )
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#outer.removeEventListener('abort', this.#stop)
  }

  readonly #stop = (): void => this.#controller.abort()
}

function flat(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}
