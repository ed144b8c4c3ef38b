import type { User } from '../../../src/contract/auth.ts'
import type { Paginated } from '../../../src/contract/common.ts'
import type { Role } from '../../../src/contract/roles.ts'
import type { Caller } from '../../../src/server/platform/caller.ts'
import { type TestClient, startTestServer } from '../../support/server.ts'

export const password = 'correct horse battery staple'

let made = 0
export const newName = () => `person-${++made}`
export const pathOf = ({ id }: { id: number }) => `/api/users/${id}`
/** Who a client is. */
export const own = async (client: TestClient) => (await client.get('/api/users/me')).body as User

interface Person {
  id: number
  username: string
  role: Role
}
/** The user, signed in. */
export const callerOf = ({ id, username, role }: Person): Caller => ({
  kind: 'session',
  user_id: id,
  username,
  role,
  scopes: [],
  pending: false,
})

/** A server with users that cost no hash. */
export async function startUsersWorld() {
  const server = await startTestServer()
  const superadmin = server.as('superadmin')
  const admin = server.as('admin')
  return {
    server,
    superadmin,
    admin,
    /** Made without a password. */
    person: (role: Role = 'viewer', more: { username?: string; display_name?: string; email?: string } = {}) =>
      server.services.users.create({ username: newName(), role, passwordHash: null, ...more }),
    /** A client with a key of the user, of his role or of a lesser one. */
    keyOf(user: Person, role?: Role): TestClient {
      const { key } = server.services.apiKeys.create({ name: 'k', ...(role && { role }) }, callerOf(user))
      return server.client.with({ authorization: `Bearer ${key}` })
    },
    list: async (query: string) => ((await admin.get(`/api/users?${query}`)).body as Paginated<User>).result,
    presented: async (id: number) => (await superadmin.get(`/api/users/${id}`)).body,
    signIn: (username: string, secret = password) =>
      server.client.post('/api/auth/login', { username, password: secret }),
  }
}
