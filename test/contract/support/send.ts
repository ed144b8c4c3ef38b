import type { Operation } from '../../../src/contract/operation.ts'
import { type OperationId, operations } from '../../../src/contract/operations.ts'
import { rawRequest } from '../../support/http.ts'
import type { Answer, TestClient } from '../../support/server.ts'

export interface Request {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean | readonly number[]>
  body?: unknown
  headers?: Record<string, string>
}

export const operationOf = (id: OperationId): Operation => operations[id]

/** The path of an operation; parameters that are not given stand for records that do not exist. */
export function pathOf({ path }: Operation, params: Request['params'] = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 999_999))
}

/** Performs an operation, with whatever the caller thinks fit. */
export function send(client: TestClient, id: OperationId, request: Request = {}): Promise<Answer> {
  const op = operationOf(id)
  const { query, body, headers } = request
  return client.request(op.method, pathOf(op, request.params), { query, body, headers })
}

/** The same with exactly these headers and bytes. */
export async function sendRaw(
  url: string,
  id: OperationId,
  { params, headers = {} }: Pick<Request, 'params' | 'headers'>,
  body?: string,
): Promise<Answer> {
  const op = operationOf(id)
  const all = { host: new URL(url).host, ...headers }
  const answer = await rawRequest(url, op.method, pathOf(op, params), all, body)
  const given = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
  const json = String(answer.headers['content-type']).startsWith('application/json')
  return {
    status: answer.status,
    headers: new Headers(given),
    body: json ? (JSON.parse(answer.body) as unknown) : answer.body,
  }
}

/** Opens a stream, reads until the text so far will do, and closes it. */
export async function openStream(
  client: TestClient,
  url: string,
  id: OperationId,
  { params, headers }: Request,
  until: (text: string) => boolean,
): Promise<Answer & { body: string }> {
  const controller = new AbortController()
  const response = await fetch(new URL(pathOf(operationOf(id), params), url), {
    headers: { ...client.headers, accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let body = ''
  while (!until(body)) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`The stream has ended: ${body}`)
    body += value
  }
  controller.abort()
  return { status: response.status, headers: response.headers, body }
}
