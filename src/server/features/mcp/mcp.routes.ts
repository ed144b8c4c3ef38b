import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorBody } from '../../../contract/errors.ts'
import { callMcp } from '../../../contract/mcp.ts'
import { msg } from '../../../contract/messages.ts'
import type { Operation } from '../../../contract/operation.ts'
import { urlOf } from '../../../contract/operation-url.ts'
import { withoutValues } from '../../../contract/without-values.ts'
import { auditedRequest } from '../../platform/http-audit.ts'
import { abortSignal, route, streamed } from '../../platform/http.ts'
import { notFound } from '../../platform/refusal.ts'
import type { Api } from './mcp-tools.ts'
import { ToolError } from './tool-error.ts'

/** Headers of the protocol that its library reads. */
const passedOn = ['mcp-protocol-version', 'mcp-method', 'mcp-name']

export function registerMcpRoutes(app: FastifyInstance): void {
  const { config, audit } = app.headgate.platform

  route(app, callMcp, async ({ body, caller, request, reply }): Promise<typeof streamed> => {
    if (!config.mcpEnabled) notFound(msg('mcp_off'))
    const { answerMcp } = await import('./mcp-server.ts')
    const { status, text } = await answerMcp({
      body,
      headers: Object.fromEntries(passedOn.flatMap((name) => headerOf(request, name))),
      api: apiOf(app, request, caller.scopes.includes('rows')),
      showsRows: caller.scopes.includes('rows'),
      called: (tool, failure) =>
        audit.append({
          ...auditedRequest(callMcp, request),
          entity: 'mcp',
          entity_id: null,
          entity_name: tool,
          outcome: failure === undefined ? 'ok' : 'refused',
          status: 200,
          error: failure ?? null,
          before_digest: null,
          after_digest: null,
        }),
    })
    void reply.status(status)
    if (text === '') void reply.send()
    else void reply.header('content-type', 'application/json; charset=utf-8').send(text)
    return streamed
  })
}

const headerOf = ({ headers }: FastifyRequest, name: string): [string, string][] => {
  const value = headers[name]
  return typeof value === 'string' ? [[name, value]] : []
}

/** Each call goes through the door of its operation, with the key and the address of whoever sent the message. */
function apiOf(app: FastifyInstance, request: FastifyRequest, showsRows: boolean): Api {
  const signal = abortSignal(request)
  const { authorization, cookie, 'user-agent': agent = '' } = request.headers
  const host = '127.0.0.1'
  return async (
    op: Operation,
    { params = {}, query = {}, body }: { params?: object; query?: object; body?: unknown },
  ) => {
    const answer = await app.inject({
      method: op.method,
      url: urlOf(op, params, query),
      headers: {
        host,
        // The outer request has passed the checks of cookies.
        origin: `http://${host}`,
        ...(authorization !== undefined && { authorization }),
        ...(cookie !== undefined && { cookie }),
        'user-agent': agent,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      remoteAddress: request.ip,
      signal,
      ...(body !== undefined && { payload: JSON.stringify(body) }),
    })
    if (answer.statusCode >= 400) throw refusalOf(answer.json<ErrorBody>(), showsRows)
    // The server shapes its answers by the contract.
    return answer.json()
  }
}

function refusalOf(body: ErrorBody, showsRows: boolean): ToolError {
  const { error } = body
  let { message, details = [] } = body
  // What a connected system said may hold values of rows; the rest is about what the agent wrote.
  const isTold = error === 'CONNECTOR_ERROR' || error === 'TIMEOUT' || details.some(({ path }) => path === 'connector')
  if (isTold && !showsRows) {
    const safe = [body, ...details].map(({ code, params }) => withoutValues({ ...params, reason: code }).message)
    message = safe.find((text) => text !== null) ?? 'The API key lacks the scope `rows`, so the reason is not shown.'
    details = []
  }
  const lines = details.slice(0, 10).map(({ path, message: what }) => `${path}: ${what}`)
  return new ToolError([`${error}: ${message}`, ...lines].join('\n'), error)
}
