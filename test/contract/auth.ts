// How the operations of signing in are brought to their answers.
import type { Answer, TestClient } from '../support/server.ts'
import { codeAt, enrol, pendingVisitor, visitor } from '../support/totp.ts'
import type { RefusalStage } from './refusals.ts'
import type { Stage } from './successes.ts'
import { send } from './support/send.ts'
import { type LiveWorld, newName } from './support/worlds.ts'

const password = 'a password that nobody knows'
let hash: Promise<string> | undefined

/** Somebody new, whose password costs its hash once for all. */
async function person({ server }: LiveWorld): Promise<number> {
  const passwordHash = await (hash ??= server.services.auth.hash(password))
  return server.services.users.create({ username: newName('user'), role: 'viewer', passwordHash }).id
}
/** Somebody new who has just given his password. */
const pending = async (live: LiveWorld) => pendingVisitor(live.server, await person(live))
/** Somebody new who is signed in. */
async function signedIn(live: LiveWorld): Promise<TestClient> {
  const visit = { userId: await person(live), pending: false, via: 'password', desktop: false } as const
  const { issued } = live.server.services.sessions.begin({ ...visit, address: '::1', userAgent: 'Contract' }, undefined)
  return visitor(live.server, `svc_session=${issued.token}`)
}
async function launched({ server }: LiveWorld): Promise<TestClient> {
  const answer = await send(server.client, 'launch', { body: { token: server.services.auth.makeLaunchToken() } })
  return visitor(server, answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '')
}

export const authSuccesses = {
  setupTotp: async ({ live }: Stage) => send(await pending(live), 'setupTotp'),
  restartTotpSetup: async ({ live }: Stage) => {
    const client = await pending(live)
    await send(client, 'setupTotp')
    return send(client, 'restartTotpSetup')
  },
  verifyTotp: async ({ live }: Stage) => (await enrol(live.server, await pending(live))).answer,
  disableTotp: async ({ live }: Stage) => {
    const { client, secret } = await enrol(live.server, await pending(live))
    const code = codeAt(secret, live.server.platform.clock.now(), 1)
    return send(client, 'disableTotp', { body: { password, code } })
  },
  renewRecoveryCodes: async ({ live }: Stage) => {
    const { client } = await enrol(live.server, await pending(live))
    return send(client, 'renewRecoveryCodes', { body: { password } })
  },
  changeOwnPassword: async ({ live }: Stage) =>
    send(await signedIn(live), 'changeOwnPassword', {
      body: { current_password: password, new_password: 'another that nobody knows' },
    }),
  listSessions: async ({ live }: Stage) => send(await signedIn(live), 'listSessions', { query: { limit: 1 } }),
  endSession: async ({ live }: Stage) => {
    const client = await signedIn(live)
    const { session_id } = (await send(client, 'getMe')).body as { session_id: number } // as the contract has it
    return send(client, 'endSession', { params: { id: session_id } })
  },
  endOtherSessions: async ({ live }: Stage) => send(await signedIn(live), 'endOtherSessions'),
  lockDesktop: async ({ live }: Stage) => {
    const answer = await send(await launched(live), 'lockDesktop')
    live.server.services.sessions.desktop.unlock()
    return answer
  },
} satisfies Record<string, (stage: Stage) => Promise<Answer>>

export const authRefusals = {
  setupTotp: {
    FORBIDDEN: ({ live }: RefusalStage) => send(live.admin, 'setupTotp'),
    INVALID_STATE: async ({ live }: RefusalStage) => {
      const client = await pending(live)
      await send(client, 'setupTotp')
      return send(client, 'setupTotp')
    },
  },
  restartTotpSetup: {
    FORBIDDEN: ({ live }: RefusalStage) => send(live.admin, 'restartTotpSetup'),
    INVALID_STATE: async ({ live }: RefusalStage) => send(await pending(live), 'restartTotpSetup'),
  },
  verifyTotp: {
    FORBIDDEN: ({ live }: RefusalStage) => send(live.admin, 'verifyTotp', { body: { code: '123456' } }),
    INVALID_STATE: async ({ live }: RefusalStage) =>
      send(await pending(live), 'verifyTotp', { body: { code: '123456' } }),
  },
  disableTotp: {
    INVALID_STATE: async ({ live }: RefusalStage) =>
      send(await signedIn(live), 'disableTotp', { body: { password, code: '123456' } }),
  },
  renewRecoveryCodes: {
    INVALID_STATE: async ({ live }: RefusalStage) =>
      send(await signedIn(live), 'renewRecoveryCodes', { body: { password } }),
  },
  listSessions: {
    NOT_FOUND: ({ live }: RefusalStage) => send(live.admin, 'listSessions', { query: { user_id: 999_999 } }),
  },
  lockDesktop: { INVALID_STATE: ({ live }: RefusalStage) => send(live.admin, 'lockDesktop') },
}
