/** How providers are asked and how they answer: two wires, OpenAI's and Anthropic's. Pure. */
import type { AiProvider } from '../../../contract/ai.ts'

export interface Prompt {
  system: string
  turns: readonly { role: 'user' | 'assistant'; text: string }[]
}
export interface WireRequest {
  url: string
  /** Without the key. */
  headers: Readonly<Record<string, string>>
  body: string
}
export interface WireUsage {
  input?: number
  output?: number
}
/** What one event of an answer says. */
export interface WirePart {
  text?: string
  usage?: WireUsage
  /** The answer is complete. */
  end?: boolean
  /** The model had more to say than it may. */
  cut?: boolean
  /** The provider reports a failure; its own code, if that is a plain word. */
  failed?: string
}

/** Tokens of an answer; Anthropic wants to be told. */
const MOST_TOKENS = 8_192

export function wireRequest(provider: AiProvider, baseUrl: string, model: string, prompt: Prompt): WireRequest {
  const { system, turns } = prompt
  const messages = turns.map(({ role, text }) => ({ role, content: text }))
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  if (provider === 'anthropic') {
    return {
      url: `${baseUrl}/v1/messages`,
      headers: { ...headers, 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ model, max_tokens: MOST_TOKENS, stream: true, system, messages }),
    }
  }
  // Mistral reports its tokens unasked and refuses the option.
  const options = provider === 'mistral' ? {} : { stream_options: { include_usage: true } }
  return {
    url: `${baseUrl}/chat/completions`,
    headers,
    body: JSON.stringify({
      model,
      messages: [{ role: 'system', content: system }, ...messages],
      stream: true,
      ...options,
    }),
  }
}

export const keyHeader = (provider: AiProvider, key: string): Record<string, string> =>
  provider === 'anthropic' ? { 'x-api-key': key } : { authorization: `Bearer ${key}` }

const eventEnd = /\r?\n\r?\n/

/** Cuts a stream of events that comes in pieces. Each piece is searched once, however long the event is that it belongs to. */
export function createEventCutter() {
  let held = ''
  /** What may be the beginning of an end. */
  let seam = ''
  return {
    /** The events that this piece ends. */
    add(piece: string): string[] {
      held += piece
      seam += piece
      const events = eventEnd.test(seam) ? held.split(eventEnd) : [held]
      held = events.pop() ?? ''
      seam = seam.slice(-3)
      return events
    },
    /** What has no end yet. */
    get rest() {
      return held
    },
  }
}

/** One event of an answer, by the data that it carries. */
export function readPart(provider: AiProvider, data: string): WirePart {
  if (data.trim() === '[DONE]') return { end: true }
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    return { failed: 'invalid_json' }
  }
  const event = fields(value)
  const error = event['error']
  if (error !== undefined && error !== null) {
    const { code, type } = fields(error)
    return { failed: plainWord(code) ?? plainWord(type) ?? 'unknown' }
  }
  return provider === 'anthropic' ? anthropicPart(event) : openaiPart(event)
}

function openaiPart(event: Fields): WirePart {
  const [choice] = Array.isArray(event['choices']) ? event['choices'] : []
  const { delta, finish_reason } = fields(choice)
  const { content } = fields(delta)
  const { prompt_tokens, completion_tokens } = fields(event['usage'])
  return {
    ...(typeof content === 'string' && { text: content }),
    ...usage(prompt_tokens, completion_tokens),
    ...(typeof finish_reason === 'string' && { end: true, cut: finish_reason === 'length' }),
  }
}

function anthropicPart(event: Fields): WirePart {
  const { type } = event
  if (type === 'content_block_delta') {
    const { text } = fields(event['delta'])
    return typeof text === 'string' ? { text } : {}
  }
  if (type === 'message_start') return usage(fields(fields(event['message'])['usage'])['input_tokens'], undefined)
  if (type === 'message_delta') {
    const cut = fields(event['delta'])['stop_reason'] === 'max_tokens'
    return { ...usage(undefined, fields(event['usage'])['output_tokens']), ...(cut && { cut }) }
  }
  return type === 'message_stop' ? { end: true } : {}
}

type Fields = Readonly<Record<string, unknown>>
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
/** More tokens than this in one answer are not believed, so that sums stay exact. */
const MOST_COUNTED = 1_000_000_000
const count = (value: unknown) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= MOST_COUNTED ? value : undefined
function usage(input: unknown, output: unknown): Pick<WirePart, 'usage'> {
  const [read, written] = [count(input), count(output)]
  if (read === undefined && written === undefined) return {}
  return { usage: { ...(read !== undefined && { input: read }), ...(written !== undefined && { output: written }) } }
}
/** What a provider says is not repeated, as it may repeat the key. */
const plainWord = (value: unknown) =>
  typeof value === 'string' && /^[a-z][a-z_]{0,39}$/.test(value) ? value : undefined
