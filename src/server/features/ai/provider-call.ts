import type { IncomingMessage } from 'node:http'
import { request as overHttp } from 'node:http'
import { request as overTls } from 'node:https'
import { TextDecoder } from 'node:util'
import type { AiProvider } from '../../../contract/ai.ts'
import { type Message, msg } from '../../../contract/messages.ts'
import { ForbiddenAddress, guardedLookup, namesLocal, refuseWritten } from '../../platform/reachable-address.ts'
import { type WireRequest, type WireUsage, createEventCutter, keyHeader, readPart } from './provider-wire.rules.ts'

/** Of the text of an answer, and of everything that a provider sends for it, in bytes. */
const MOST_TEXT = 1024 * 1024
const MOST_WIRE = 16 * 1024 * 1024
/** Of one event. */
const MOST_EVENT = 2 * 1024 * 1024

/** Why a provider gave no answer. What it said itself is not repeated. */
export class ProviderFailure extends Error {
  readonly reason: Message
  /** Milliseconds after which it may be asked again. */
  readonly retryMs: number | undefined
  constructor(reason: Message, retryMs?: number) {
    super(reason.message)
    this.name = 'ProviderFailure'
    this.reason = reason
    this.retryMs = retryMs
  }
}
export interface Limits {
  /** Until the first byte of the answer. */
  answerMs: number
  /** Between two parts of it. */
  idleMs: number
}
const usualLimits: Limits = { answerMs: 30_000, idleMs: 30_000 }
/** A model on this machine reads the request on its processor, which takes longer than a provider is ever silent. */
const localLimits: Limits = { answerMs: 85_000, idleMs: 85_000 }
export const limitsOf = (base: string): Limits => (namesLocal(new URL(base)) ? localLimits : usualLimits)

export interface Asking {
  provider: AiProvider
  key: string
  request: WireRequest
  signal: AbortSignal
  limits: Limits
  /** Hears what the provider says it has counted. */
  counted: (usage: WireUsage) => void
}

const fail = (reason: Message): never => {
  throw new ProviderFailure(reason)
}

/** The answer as it comes. Throws a ProviderFailure, or the reason of the signal; leaving the loop ends the request. */
export async function* askProvider(asking: Asking): AsyncGenerator<string> {
  const { provider, signal, counted } = asking
  const { answer, destroy } = await open(asking)
  try {
    let text = 0
    let ended = false
    for await (const data of events(answer, asking)) {
      const part = readPart(provider, data)
      if (part.failed !== undefined) fail(msg('ai_provider_failed', { code: part.failed }))
      if (part.usage) counted(part.usage)
      if (part.text) {
        text += Buffer.byteLength(part.text)
        if (text > MOST_TEXT) fail(msg('ai_answer_too_large'))
        yield part.text
      }
      if (part.cut) fail(msg('ai_answer_too_long'))
      // What has ended may still be followed by its usage.
      ended ||= part.end === true
    }
    if (!ended) fail(msg('ai_answer_cut'))
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof ProviderFailure ? error : new ProviderFailure(msg('ai_answer_cut'))
  } finally {
    destroy()
  }
}

async function open(asking: Asking): Promise<{ answer: IncomingMessage; destroy: () => void }> {
  const { provider, key, request, signal, limits } = asking
  const url = new URL(request.url)
  const allowsLocal = namesLocal(url)
  try {
    refuseWritten(url.hostname, allowsLocal)
  } catch {
    fail(msg('ai_address_refused'))
  }
  if (url.protocol !== 'https:' && !allowsLocal) fail(msg('ai_needs_tls'))
  const send = url.protocol === 'https:' ? overTls : overHttp
  const timeout = AbortSignal.timeout(limits.answerMs)
  const body = Buffer.from(request.body)
  const asked = send(url, {
    method: 'POST',
    headers: { ...request.headers, ...keyHeader(provider, key), 'content-length': String(body.length) },
    agent: false,
    lookup: guardedLookup(allowsLocal),
  })
  const destroy = () => void asked.destroy()
  const stop = AbortSignal.any([signal, timeout])
  stop.addEventListener('abort', destroy, { once: true })
  try {
    stop.throwIfAborted()
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      asked.on('response', resolve).on('error', reject).end(body)
    })
    // A connection that breaks later is told by its stream.
    answer.on('error', () => {})
    stop.removeEventListener('abort', destroy)
    signal.addEventListener('abort', destroy, { once: true })
    const refusal = refusalOf(answer)
    if (refusal) throw refusal
    return { answer, destroy }
  } catch (error) {
    destroy()
    signal.throwIfAborted()
    if (error instanceof ProviderFailure) throw error
    if (timeout.aborted) return fail(msg('ai_no_answer', { seconds: limits.answerMs / 1000 }))
    if (error instanceof ForbiddenAddress) return fail(msg('ai_address_refused'))
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return fail(msg('ai_unreachable', { host: url.host, code }))
  }
}

function refusalOf({ statusCode: status = 0, headers }: IncomingMessage): ProviderFailure | undefined {
  if (status === 401 || status === 403) return new ProviderFailure(msg('ai_key_refused', { status }))
  if (status === 404) return new ProviderFailure(msg('ai_model_unknown'))
  if (status === 429 || status === 503 || status === 529) {
    const retryMs = retryAfter(headers['retry-after'])
    return new ProviderFailure(
      retryMs === undefined ? msg('ai_busy') : msg('ai_busy_for', { seconds: Math.ceil(retryMs / 1000) }),
      retryMs,
    )
  }
  if (status >= 300 && status < 400) return new ProviderFailure(msg('ai_redirect', { status }))
  if (status !== 200) return new ProviderFailure(msg('ai_status', { status }))
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('text/event-stream'))
    return new ProviderFailure(msg(type.startsWith('text/html') ? 'ai_answer_html' : 'ai_answer_not_stream'))
  return undefined
}

/** Seconds, or a date. */
function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

/** The data of each event of a stream of server-sent events. */
async function* events(answer: IncomingMessage, { limits, signal }: Asking): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let bytes = 0
  const cutter = createEventCutter()
  let idle = false
  const timer = setTimeout(() => {
    idle = true
    answer.destroy()
  }, limits.idleMs)
  try {
    for await (const chunk of answer) {
      timer.refresh()
      // A stream without an encoding gives bytes.
      const part = chunk as Buffer
      bytes += part.length
      if (bytes > MOST_WIRE) fail(msg('ai_answer_too_large'))
      const blocks = cutter.add(decode(decoder, part))
      if (cutter.rest.length > MOST_EVENT) fail(msg('ai_answer_too_large'))
      for (const block of blocks) {
        const data = dataOf(block)
        if (data !== '') yield data
      }
    }
    decode(decoder)
    // The last event may lack its empty line.
    const rest = dataOf(cutter.rest)
    if (rest !== '') yield rest
  } catch (error) {
    signal.throwIfAborted()
    if (idle) fail(msg('ai_answer_stalled', { seconds: limits.idleMs / 1000 }))
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function decode(decoder: TextDecoder, part?: Buffer): string {
  try {
    return part ? decoder.decode(part, { stream: true }) : decoder.decode()
  } catch {
    return fail(msg('ai_answer_not_utf8'))
  }
}

const dataOf = (block: string) =>
  block
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).replace(/^ /, ''))
    .join('\n')
