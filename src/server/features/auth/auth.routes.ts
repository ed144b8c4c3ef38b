import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bootstrap, getAuthStatus, getMe, launch, login, logout } from '../../../contract/auth.ts'
import { endOtherSessions, endSession, listSessions, lockDesktop } from '../../../contract/sessions.ts'
import { disableTotp, renewRecoveryCodes, restartTotpSetup, setupTotp, verifyTotp } from '../../../contract/totp.ts'
import { changeOwnPassword } from '../../../contract/users.ts'
import { callerKey } from '../../platform/caller.ts'
import { SESSION_COOKIE, cookieOf } from '../../platform/http-gate.ts'
import { auditRecord, route } from '../../platform/http.ts'
import type { AuthService } from './auth.service.ts'
import type { OwnSessionsService } from './own-sessions.service.ts'
import type { NewVisit, SignInSource, SignedIn } from './sign-ins.ts'

export function registerAuthRoutes(app: FastifyInstance, auth: AuthService, sessions: OwnSessionsService): void {
  const { streams } = app.headgate
  const { totp } = auth

  route(app, getAuthStatus, () => auth.status())
  route(app, bootstrap, async ({ body, request, reply }) =>
    signedIn(request, reply, await auth.bootstrap(body, sourceOf(request))),
  )
  route(app, login, async ({ body, request, reply }) =>
    signedIn(request, reply, await auth.login(body, sourceOf(request))),
  )
  route(app, launch, ({ body, request, reply }) => signedIn(request, reply, auth.launch(body.token, sourceOf(request))))
  route(app, logout, ({ caller, reply }) => {
    auth.logout(caller)
    streams.revoke(callerKey(caller))
    forgetCookie(reply)
    return { success: true }
  })
  route(app, getMe, ({ caller }) => auth.me(caller))
  route(app, changeOwnPassword, async ({ body, caller, request, reply }) => {
    renew(reply, await auth.changePassword(caller, body, sourceOf(request)))
    return { success: true }
  })

  route(app, setupTotp, ({ body, caller, request }) => totp.setup(caller, body.password, sourceOf(request), false))
  route(app, restartTotpSetup, ({ body, caller, request }) =>
    totp.setup(caller, body.password, sourceOf(request), true),
  )
  route(app, verifyTotp, async ({ body, caller, request, reply }) => {
    const { result, ...visit } = await totp.verify(caller, body.code, sourceOf(request))
    renew(reply, visit)
    return result
  })
  route(app, disableTotp, async ({ body, caller, request }) => {
    await totp.disable(caller, body, sourceOf(request))
    return { success: true }
  })
  route(app, renewRecoveryCodes, async ({ body, caller, request }) => ({
    recovery_codes: await totp.renewCodes(caller, body.password, sourceOf(request)),
  }))

  auditRecord(app, listSessions, ({ caller }) => sessions.list({}, caller))
  route(app, listSessions, ({ query, caller }) => sessions.list(query, caller))
  route(app, endSession, ({ params, caller, reply }) => {
    sessions.end(params.id, caller)
    endStreams([params.id])
    if (params.id === caller.session_id) forgetCookie(reply)
    return { success: true }
  })
  route(app, endOtherSessions, ({ caller }) => {
    const ended = sessions.endOthers(caller)
    endStreams(ended)
    return { ended: ended.length }
  })
  route(app, lockDesktop, ({ caller, request, reply }) => {
    endStreams(auth.lockDesktop(caller, sourceOf(request)))
    forgetCookie(reply)
    return { success: true }
  })

  function endStreams(ids: number[]): void {
    for (const id of ids) streams.revoke(`session:${id}`)
  }
  function renew(reply: FastifyReply, { session, ended }: NewVisit): void {
    endStreams(ended)
    reply.header('set-cookie', cookie(session.token, session.maxAgeSeconds))
  }
  function signedIn(request: FastifyRequest, reply: FastifyReply, { result, user, ...visit }: SignedIn) {
    request.signedIn = user
    renew(reply, visit)
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

const forgetCookie = (reply: FastifyReply) => void reply.header('set-cookie', cookie('', 0))

/** Tokens are base64url: nothing needs encoding. No `Secure`: the server speaks plain HTTP on the loopback address. */
function cookie(value: string, maxAgeSeconds: number): string {
  return `${SESSION_COOKIE}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Strict`
}
