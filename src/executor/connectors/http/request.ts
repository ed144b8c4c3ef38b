import { shortened } from '../../../language/shortened.ts'
import { STATUS_CODES } from 'node:http'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { HttpRequest, Json } from '../../../language/task/task.types.ts'
import { EngineError } from '../../engine/errors.ts'
import type { Place } from '../../formats/json/places.ts'
import { plain } from '../../sources/record-values.ts'
import {
  createWebClient,
  type WebClient,
  type WebClientOptions,
  type WebRequest,
  type WebResponse,
} from '../web/client.ts'
import { urlBelow } from '../web/config.ts'
import { parseJson, scanJson } from '../web/json.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** Requests as tasks write them. */

/** A client for as long as `work` takes. */
export async function withWebClient<T>(
  connector: BoundConnector,
  options: WebClientOptions,
  work: (client: WebClient) => Promise<T>,
): Promise<T> {
  const client = await createWebClient(connector, options)
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

/** Sends a request and gives whatever is answered in the end. */
export function sendRequest(
  client: WebClient,
  request: HttpRequest,
  more: Pick<WebRequest, 'repeatable'> = {},
): Promise<WebResponse> {
  return client.request({ ...preparedRequest(client, request), ...more })
}

export function preparedRequest(client: WebClient, { path, method, query, headers, body }: HttpRequest): WebRequest {
  const url = urlBelow(client.base, path)
  for (const [name, value] of Object.entries(query)) setParameter(url, name, value)
  return { url, method, headers, body: body === null ? null : JSON.stringify(body) }
}

/** A list repeats the parameter, null leaves it out; what is nested is sent as JSON. */
export function setParameter(url: URL, name: string, value: Json): void {
  url.searchParams.delete(name)
  for (const item of Array.isArray(value) ? value : [value]) {
    if (item !== null) url.searchParams.append(name, typeof item === 'object' ? JSON.stringify(item) : String(item))
  }
}

export function isSuccess({ status }: Pick<WebResponse, 'status'>): boolean {
  return status >= 200 && status < 300
}

/** Why an answer is no success. */
export function refusal(response: WebResponse, connector: BoundConnector, client: WebClient): EngineError {
  const { status, what } = response
  const excerpt = answerText(response, client, 200)
  const given = { connector: connector.name, what, answer: `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd() }
  const full =
    excerpt === '' ? runMessage('answered_with', given) : runMessage('answered_with_text', { ...given, text: excerpt })
  if (status === 401) {
    return new EngineError('AUTHENTICATION_FAILED', full, {
      hint: runMessage('check_web_sign_in'),
    })
  }
  if (status === 403) {
    return new EngineError('AUTHENTICATION_FAILED', full, {
      hint: runMessage('account_not_allowed'),
    })
  }
  if (status === 429) {
    return new EngineError('REQUEST_FAILED', full, {
      hint: runMessage('fewer_requests'),
    })
  }
  if (status >= 500) return new EngineError('REQUEST_FAILED', full, { hint: runMessage('server_failed') })
  return new EngineError('REQUEST_REFUSED', full, {
    hint: status === 404 ? runMessage('check_path') : runMessage('check_request'),
  })
}

/** What an answer says of a failure, or its start. */
export function answerText(response: WebResponse, client: WebClient, length: number): string {
  const text = client.scrub(response.body.toString('utf8', 0, 65_536))
  return shortened((errorText(text) ?? text).replace(/\s+/g, ' ').trim(), length)
}

/** The sentences of `{"error": {"message", "details": [{"message"}]}}`, which OData and many others answer; null: it is something else. */
function errorText(text: string): string | null {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    return null
  }
  const error = member(answer, 'error')
  const details = member(error, 'details') ?? []
  const sentences = [error, ...(Array.isArray(details) ? details : [{}])].map((one) => member(one, 'message'))
  return sentences.every((one) => typeof one === 'string') ? sentences.join(' ') : null
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key] // just found
    : undefined
}

/** Statuses of answers that have no content. */
const withoutContent = new Set([204, 205])

/** The JSON of an answer, and where in the bytes it stands. */
export interface JsonAnswer {
  /** UTF-8, without a byte order mark and without halves of characters. */
  bytes: Buffer
  place: Place
  /** The text as it came, where there were such halves. */
  halved: string | null
}

/** The JSON of a response, looked through to its end; undefined where its status says that there is none. */
export function answerOf(response: WebResponse, client: Pick<WebClient, 'scrub'>): JsonAnswer | undefined {
  if (response.status === 202) {
    throw new EngineError('REQUEST_FAILED', runMessage('answer_not_ready', { what: response.what }), {
      hint: runMessage('answer_not_ready_fix'),
    })
  }
  if (withoutContent.has(response.status)) return undefined
  if (response.body.length === 0) {
    throw new EngineError(
      'RESPONSE_INVALID',
      runMessage('answer_empty', { what: response.what, http_status: response.status }),
      {
        hint: runMessage('answer_empty_fix'),
      },
    )
  }
  return scanJson(response.text(), response.headers['content-type'] ?? '', response.what, (text) => client.scrub(text))
}

/** What expressions see of a response: JSON as its values, large integers as text, anything else as text. */
export function responseScope(
  response: WebResponse,
  client: Pick<WebClient, 'scrub'>,
): {
  status: number
  headers: Record<string, string>
  body: unknown
} {
  const { status, headers } = response
  return { status, headers, body: bodyOf(response, client) }
}

function bodyOf(response: WebResponse, client: Pick<WebClient, 'scrub'>): unknown {
  if (response.body.length === 0) return null
  const type = response.headers['content-type'] ?? ''
  if (!/\bjson\b|\+json/i.test(type)) return response.body.toString('utf8')
  return plain(parseJson(scanJson(response.text(), type, response.what, (text) => client.scrub(text)).bytes.toString()))
}
