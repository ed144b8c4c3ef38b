import { msg } from '../../contract/messages.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { Refusal, notFound } from './refusal.ts'

/** Where GET answers with a stream there is nothing to say beforehand. */
export const hasHead = ({ method, streams }: Operation) => method === 'GET' && !streams

const paths = new Map<string, { pattern: RegExp; methods: string[] }>()
for (const op of Object.values(operations) as Operation[]) {
  const { method, path } = op
  const source = path.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')
  const known = paths.get(path) ?? { pattern: new RegExp(`^${source}$`), methods: [] }
  known.methods.push(method, ...(hasHead(op) ? ['HEAD'] : []))
  paths.set(path, known)
}

/** A path as it stands goes before those with parameters that it would also fit. */
export const methodsOf = (path: string): string[] => [
  ...new Set(
    paths.get(path)?.methods ??
      [...paths.values()].filter(({ pattern }) => pattern.test(path)).flatMap((one) => one.methods),
  ),
]

/** `GET /api/tasks/validate` would be a task named validate: refused as what it is, a wrong method. */
export function refuseShadowedMethods(app: FastifyInstance): void {
  for (const path of paths.keys()) {
    const shadowing = [...paths].filter(([other, { pattern }]) => other !== path && pattern.test(path))
    const own = new Set(methodsOf(path))
    const wrong = shadowing.flatMap(([, { methods }]) => methods).filter((method) => !own.has(method))
    if (wrong.length === 0) continue
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    const refuse = async (request: FastifyRequest, reply: FastifyReply) => answerUnknownPath(request, reply)
    app.route({ method: [...new Set(wrong)], url, exposeHeadRoute: false, onRequest: refuse, handler: refuse })
  }
}

const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0] ?? ''

/** Without the query and without the token of a hook: what proves who calls stays out of logs. */
export const loggedPath = (request: FastifyRequest) => {
  const { path = '' } = request.routeOptions?.config.operation ?? {}
  // However its address was written.
  if (path.includes('{token}')) return path.replace(/\{token\}.*/, '…')
  return pathOf(request).replace(/^(\/api\/hooks\/|\/api\/public\/dashboards\/|\/public\/dashboards\/).+/, '$1…')
}

/** 405 for a path that takes other methods, else 404. */
export function answerUnknownPath(request: FastifyRequest, reply: FastifyReply): void {
  const path = pathOf(request)
  const methods = methodsOf(path).join(', ')
  if (methods === '') notFound()
  reply.header('allow', methods)
  throw new Refusal('METHOD_NOT_ALLOWED', msg('method_not_taken', { path, methods, method: request.method }))
}
