import type { FastifyInstance, FastifyReply } from 'fastify'
import { beginRuns, claimWork, heartbeatExecutor, registerExecutor } from '../../../contract/executor-lifecycle.ts'
import { drainExecutor, listExecutors } from '../../../contract/executors.ts'
import { route } from '../../platform/http.ts'
import type { ExecutorsService } from './executors.service.ts'

export function registerExecutorsRoutes(app: FastifyInstance, executors: ExecutorsService): void {
  route(app, listExecutors, () => executors.list())
  route(app, drainExecutor, ({ params }) => executors.drain(params.id))
  route(app, registerExecutor, ({ body, request }) => executors.register(body, request.ip))
  route(app, heartbeatExecutor, ({ params, headers, body }) =>
    executors.heartbeat(params.id, headers['x-executor-credential'], body),
  )
  route(app, beginRuns, ({ params, headers, body }) =>
    executors.begin(params.id, headers['x-executor-credential'], body),
  )
  route(app, claimWork, ({ params, headers, body, reply }) =>
    executors.claim(params.id, headers['x-executor-credential'], body, whenGone(reply)),
  )
}

/** Calls back when the client goes away before it has its answer. */
const whenGone = (reply: FastifyReply) => (listener: () => void) => {
  const { raw } = reply
  if (raw.destroyed) return listener()
  raw.once('close', () => {
    if (!raw.writableFinished) listener()
  })
}
