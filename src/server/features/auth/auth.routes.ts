import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bootstrap, getAuthStatus, getMe, launch, login, logout } from '../../../contract/auth.ts'
import { callerKey } from '../../platform/caller.ts'
import { SESSION_COOKIE, cookieOf } from '../../platform/http-gate.ts'
import { route } from '../../platform/http.ts'
import type { AuthService, SignInSource, SignedIn } from './auth.service.ts'

export function registerAuthRoutes(app: FastifyInstance, auth: AuthService): void {
  route(app, getAuthStatus, () => auth.status())
  route(app, bootstrap, async ({ body, request, reply }) =>
    answer(reply, await auth.bootstrap(body, sourceOf(request))),
  )
  route(app, login, async ({ body, request, reply }) => answer(reply, await auth.login(body, sourceOf(request))))
  route(app, launch, ({ body, request, reply }) => answer(reply, auth.launch(body.token, sourceOf(request))))
  route(app, logout, ({ caller, reply }) => {
    auth.logout(caller)
    app.headgate.streams.revoke(callerKey(caller))
    reply.header('set-cookie', cookie('', 0))
    return { success: true }
  })
  route(app, getMe, ({ caller }) => auth.me(caller))

  function answer(reply: FastifyReply, { session, replaced, result }: SignedIn) {
    if (replaced !== undefined) app.headgate.streams.revoke(`session:${replaced}`)
    reply.header('set-cookie', cookie(session.token, session.maxAgeSeconds))
    return result
  }
}

function sourceOf(request: FastifyRequest): SignInSource {
  return {
    address: request.socket.remoteAddress ?? 'unknown',
    userAgent: request.headers['user-agent'] ?? null,
    cookie: cookieOf(request, SESSION_COOKIE),
  }
}

/** Tokens are base64url: nothing needs encoding. No `Secure`: the server speaks plain HTTP on the loopback address. */
function cookie(value: string, maxAgeSeconds: number): string {
  return `${SESSION_COOKIE}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Strict`
}
