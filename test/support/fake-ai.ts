// A provider that answers as told, on both wires, with every fault that real ones have.
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHash } from 'node:crypto'

export type Reply =
  /** The text, in pieces of so many characters. */
  | { text: string; piece?: number; finish?: string }
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Bytes as they are, under this type; `later`: those that end it. */
  | { bytes: (Buffer | string)[]; type?: string; hang?: boolean; later?: Promise<string> }
  /** One event and then nothing. */
  | { hang: true }
  | { endless: true }
  | { breakAfter: string }

export interface Asked {
  path: string
  headers: IncomingMessage['headers']
  body: string
}
export interface FakeAi {
  /** Of the wire of OpenAI; `anthropic` has none after its host. */
  url: string
  host: string
  asked: Asked[]
  /** Answers one request after the other with these; the last one again and again. */
  reply(...replies: Reply[]): void
  /** Answers each request with what was recorded for the digest of its prompt (`promptDigest`): one text for each of its calls. */
  replay(recorded: ReadonlyMap<string, readonly string[]>): void
  /** When the last answer began, by `performance.now()`. */
  readonly answeredAt: number
  /** Connections whose client has gone before the answer was complete. */
  readonly left: number
  close(): Promise<void>
}

export async function startFakeAi(): Promise<FakeAi> {
  const asked: Asked[] = []
  let replies: Reply[] = []
  let recorded: ReadonlyMap<string, readonly string[]> | null = null
  let left = 0
  let answeredAt = 0
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      asked.push({ path: request.url ?? '', headers: request.headers, body })
      const reply = recorded
        ? recordedFor(body, recorded)
        : ((replies.length > 1 ? replies.shift() : replies[0]) ?? { text: '' })
      response.on('close', () => {
        if (!response.writableFinished) left += 1
      })
      answeredAt = performance.now()
      answer(reply, response, (request.url ?? '').endsWith('/v1/messages'))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on TCP, so it has a port.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    asked,
    reply(...next) {
      asked.length = 0
      left = 0
      recorded = null
      replies = next
    },
    replay(next) {
      asked.length = 0
      recorded = next
    },
    get answeredAt() {
      return answeredAt
    },
    get left() {
      return left
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Of a prompt and the text that it changes, as they leave. */
export const promptDigest = (prompt: string, current = ''): string =>
  createHash('sha256').update(`${prompt}\0${current}`).digest('hex')

function recordedFor(body: string, recorded: ReadonlyMap<string, readonly string[]>): Reply {
  const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] } // both wires have them
  const first = messages.find(({ role }) => role === 'user')?.content ?? '{}'
  const { prompt = '', current_yaml } = JSON.parse(first) as { prompt?: string; current_yaml?: string } // as the server wrote it
  const answers = recorded.get(promptDigest(prompt, current_yaml))
  // The last one again and again, as a model that repeats itself.
  const text = answers?.[Math.min(messages.filter(({ role }) => role === 'assistant').length, answers.length - 1)]
  return text === undefined ? { status: 404 } : { text }
}

function answer(reply: Reply, response: ServerResponse, isAnthropic: boolean): void {
  if ('status' in reply) {
    response.writeHead(reply.status, reply.headers)
    response.end(reply.body ?? '')
    return
  }
  const type = 'type' in reply ? reply.type : undefined
  response.writeHead(200, { 'content-type': type ?? 'text/event-stream' })
  const delta = isAnthropic ? anthropicDelta : openaiDelta
  if ('bytes' in reply) {
    for (const bytes of reply.bytes) response.write(bytes)
    if (reply.later) void reply.later.then((rest) => response.end(rest))
    else if (!reply.hang) response.end()
  } else if ('endless' in reply) {
    const more = () => {
      while (response.write(delta('x'.repeat(10_000)))) if (response.destroyed) return
      response.once('drain', more)
    }
    more()
  } else if ('hang' in reply) response.write(delta('And '))
  else if ('breakAfter' in reply) {
    response.write(delta(reply.breakAfter), () => response.destroy())
  } else {
    if (isAnthropic) response.write(event({ type: 'message_start', message: { usage: { input_tokens: 100 } } }))
    const { text, piece = 40, finish } = reply
    for (let at = 0; at < text.length; at += piece) response.write(delta(text.slice(at, at + piece)))
    response.end(isAnthropic ? anthropicEnd(finish ?? 'end_turn') : openaiEnd(finish ?? 'stop'))
  }
}

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`
export const openaiDelta = (content: string): string => event({ choices: [{ delta: { content } }] })
const anthropicDelta = (text: string) => event({ type: 'content_block_delta', delta: { type: 'text_delta', text } })
const openaiEnd = (finish_reason: string) =>
  event({ choices: [{ delta: {}, finish_reason }] }) +
  event({ choices: [], usage: { prompt_tokens: 100, completion_tokens: 20 } }) +
  'data: [DONE]\n\n'
const anthropicEnd = (stop_reason: string) =>
  event({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 20 } }) +
  event({ type: 'message_stop' })
