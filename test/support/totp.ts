import { generateSync } from 'otplib'
import { type Answer, type TestClient, type TestServer } from './server.ts'
import { cookieOf } from './sign-in.ts'

/** What an authenticator app shows, so many steps of 30 seconds from then. */
export const codeAt = (secret: string, at: Date, steps = 0) =>
  generateSync({ secret, epoch: Math.floor(at.getTime() / 1000) + 30 * steps })

/** A code that is none of those around then. */
export function wrongCode(secret: string, at: Date): string {
  const near = new Set(Array.from({ length: 41 }, (_, i) => codeAt(secret, at, i - 20)))
  const found = Array.from({ length: 50 }, (_, i) => String(100_000 + i)).find((code) => !near.has(code))
  if (!found) throw new Error('Every code is right')
  return found
}

/** A browser that has this cookie. */
export const visitor = (server: TestServer, cookie: string): TestClient =>
  server.client.with({ cookie, origin: server.url })

/** The browser after an answer that gave it a session. */
export const visitorAfter = (server: TestServer, answer: Answer): TestClient => visitor(server, cookieOf(answer))

/** A browser whose user has given his password just now, without the cost of it. */
export function pendingVisitor(server: TestServer, userId = 1): TestClient {
  const visit = {
    userId,
    pending: true,
    via: 'password',
    desktop: false,
    address: '127.0.0.1',
    userAgent: null,
  } as const
  return visitor(server, `svc_session=${server.services.sessions.begin(visit, undefined).issued.token}`)
}

/** Enrols an app by the session of `client`; the secret, the recovery codes and the browser afterwards. */
export async function enrol(server: TestServer, client: TestClient, password?: string) {
  const setup = await client.post('/api/auth/setup-totp', password === undefined ? undefined : { password })
  if (setup.status !== 200) throw new Error(`setup-totp: ${JSON.stringify(setup.body)}`)
  const { secret } = setup.body as { secret: string } // as the contract has it
  const answer = await client.post('/api/auth/verify-totp', { code: codeAt(secret, server.platform.clock.now()) })
  if (answer.status !== 200) throw new Error(`verify-totp: ${JSON.stringify(answer.body)}`)
  const { recovery_codes: recoveryCodes } = answer.body as { recovery_codes: string[] } // as the contract has it
  return { secret, recoveryCodes, client: visitorAfter(server, answer), answer }
}
