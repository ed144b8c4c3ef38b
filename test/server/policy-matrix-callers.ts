// Everybody who may knock.
import type { Operation } from '../../src/contract/operation.ts'
import { type Role, type Scope, roles, scopes } from '../../src/contract/roles.ts'
import { createTestClock } from '../support/platform.ts'
import { type TestServer, startTestServer } from '../support/server.ts'

/** The headers that say who asks, and from where: every caller has an address of his own, as strangers are limited by it. */
export interface Credential {
  headers: Readonly<Record<string, string>>
  address: string
}

export interface Door {
  server: TestServer
  callers: Readonly<Record<string, Credential>>
  /** The status of the answer. */
  ask(credential: Credential, op: Operation, path: string, body?: string): Promise<number>
  /** The answer, of operations that do not stream. */
  answer(credential: Credential, op: Operation, path: string, body?: string): Promise<{ status: number; body: unknown }>
  person(role: Role): Person
  session(of: Person, more?: { pending?: boolean }): Credential & { id: number }
  key(of: Person, more?: { role?: Role; scopes?: Scope[]; expires_at?: string }): Credential & { id: number }
  close(): Promise<void>
}
export interface Person {
  id: number
  username: string
  role: Role
}

export async function openDoor(): Promise<Door> {
  const clock = createTestClock()
  const server = await startTestServer({
    clock,
    config: { limits: { requestsPerSecond: 1_000_000, burst: 1_000_000 } },
  })
  const { services, platform } = server
  let count = 0
  const address = () => `127.0.${Math.trunc(++count / 250)}.${(count % 250) + 1}`
  const person = (role: Role): Person => {
    const { id, username } = services.users.create({ username: `${role} ${++count}`, role, passwordHash: null })
    return { id, username, role }
  }
  const session: Door['session'] = ({ id: userId }, { pending = false } = {}) => {
    const visit = { userId, pending, via: 'password', desktop: false, address: null, userAgent: null } as const
    const { issued } = services.sessions.begin(visit, undefined)
    const headers = { cookie: `svc_session=${issued.token}`, origin: server.url }
    return { id: issued.id, headers, address: address() }
  }
  const key: Door['key'] = (of, more = {}) => {
    const maker = { kind: 'session', user_id: of.id, username: of.username, role: of.role, pending: false } as const
    const made = services.apiKeys.create({ name: 'k', ...more }, { ...maker, scopes: [] })
    return { id: made.id, headers: { authorization: `Bearer ${made.key}` }, address: address() }
  }
  const change = (of: Person, sql: string) =>
    platform.store.sqlite.prepare(`UPDATE users SET ${sql} WHERE id = ?`).run(of.id)
  const chief = {
    kind: 'session',
    user_id: person('superadmin').id,
    username: '',
    role: 'superadmin',
    pending: false,
  } as const

  // What ends by time goes first: the clock moves on before the others come.
  const inAnHour = new Date(clock.now().getTime() + 3_600_000).toISOString()
  const expired = { session: session(person('superadmin')), key: key(person('superadmin'), { expires_at: inAnHour }) }
  clock.advance(platform.config.sessionMaxMs + 3_600_000)

  /** Of two people, as one caller may end what is another's of the same. */
  const after = (then: (of: Person) => void) => {
    const [one, two] = [person('superadmin'), person('superadmin')]
    const made = { session: session(one), key: key(two) }
    then(one)
    then(two)
    return made
  }
  const demoted = after((of) => change(of, "role = 'viewer'"))
  const changing = after((of) => change(of, 'password_change_required = 1'))
  const disabled = after((of) => change(of, 'disabled = 1'))
  const removed = after((of) => services.userAdmin.remove(of.id, { ...chief, scopes: [] }))
  const revoked = key(person('superadmin'))
  services.apiKeys.revoke(revoked.id, { ...chief, scopes: [] })

  const byRole = roles.flatMap((role): [string, Credential][] => [
    [`a session of ${role}`, session(person(role))],
    [`a key of ${role}`, key(person(role))],
    ...scopes.map((scope): [string, Credential] => [
      `a key of ${role} for ${scope}`,
      key(person(role), { scopes: [scope] }),
    ]),
  ])
  return {
    server,
    person,
    session,
    key,
    callers: {
      nobody: { headers: {}, address: address() },
      'the executor key': { headers: server.asExecutor().headers, address: address() },
      ...Object.fromEntries(byRole),
      'a key for viewers of superadmin': key(person('superadmin'), { role: 'viewer' }),
      'a key of somebody demoted to viewer': demoted.key,
      'a session of somebody demoted to viewer': demoted.session,
      'a pending session of superadmin': session(person('superadmin'), { pending: true }),
      'a session that must change its password': changing.session,
      'a key of somebody who must change his password': changing.key,
      'a session of somebody disabled': disabled.session,
      'a key of somebody disabled': disabled.key,
      'a session of somebody removed': removed.session,
      'a key of somebody removed': removed.key,
      'an expired session': expired.session,
      'an expired key': expired.key,
      'a revoked key': revoked,
    },
    async ask(credential, op, path, body) {
      if (!op.streams) return (await injected(server, credential, op, path, body)).statusCode
      return opened(new URL(path, server.url), { method: op.method, headers: headersOf(credential, body), body })
    },
    async answer(credential, op, path, body) {
      const response = await injected(server, credential, op, path, body)
      return { status: response.statusCode, body: response.body === '' ? {} : response.json<unknown>() }
    },
    close: server.close,
  }
}

const headersOf = ({ headers }: Credential, body: string | undefined): Record<string, string> => ({
  ...headers,
  ...(body !== undefined && { 'content-type': 'application/json' }),
})

/** In-process: there the host has no port, and strangers come from where they say. */
function injected({ app }: TestServer, credential: Credential, op: Operation, path: string, payload?: string) {
  const headers = { ...headersOf(credential, payload), host: 'localhost' }
  return app.inject({
    method: op.method,
    url: path,
    headers: 'origin' in headers ? { ...headers, origin: 'http://localhost' } : headers,
    payload,
    remoteAddress: credential.address,
  })
}

/** A stream is only opened: what matters has been said with its first byte. */
async function opened(url: URL, request: RequestInit): Promise<number> {
  const controller = new AbortController()
  const { status } = await fetch(url, { ...request, signal: controller.signal })
  controller.abort()
  return status
}
