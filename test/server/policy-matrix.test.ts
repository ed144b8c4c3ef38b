import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OperationId, operations } from '../../src/contract/operations.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { policies } from '../../src/contract/policy.ts'
import { type Role, type Scope, atLeast, roles, scopes } from '../../src/contract/roles.ts'
import { type TestClient, type TestServer, startTestServer } from '../support/server.ts'

let server: TestServer
const byRole = new Map<Role, TestClient>()
const byScope = new Map<Scope, TestClient>()
beforeAll(async () => {
  server = await startTestServer()
  for (const role of roles) byRole.set(role, server.as(role))
  for (const scope of scopes) byScope.set(scope, server.as('superadmin', [scope]))
})
afterAll(() => server.close())

/** A request that passes the door and then fails, or does no harm: what matters is whether it is let in. */
async function knock(client: TestClient, op: Operation): Promise<'in' | 401 | 403> {
  const path = op.path.replaceAll(/\{\w+\}/g, '999999')
  const controller = new AbortController()
  const url = new URL(path, server.url)
  // A body that no schema accepts: nothing is done behind the door.
  const body = op.body ? '"knock"' : undefined
  const init: RequestInit = {
    method: op.method,
    headers: { ...client.headers, ...(body && { 'content-type': 'application/json' }) },
    body,
    signal: controller.signal,
  }
  const response = await fetch(url, init)
  // Streams are only opened.
  controller.abort()
  return response.status === 401 || response.status === 403 ? response.status : 'in'
}

const ids = Object.keys(operations) as OperationId[]
/** These act on what every caller has: knocking would end what the test stands on. */
const withSideEffects = new Set<OperationId>(['logout'])

test('every operation has a route, a policy and its own id', () => {
  for (const id of ids) {
    const op: Operation = operations[id]
    expect(op.id).toBe(id)
    expect(policies).toHaveProperty(id)
    const url = op.path.replaceAll(/\{(\w+)\}/g, ':$1')
    expect([id, server.app.hasRoute({ method: op.method, url })]).toEqual([id, true])
  }
  expect(Object.keys(policies).toSorted()).toEqual(ids.toSorted())
})

test('what an operation says of its security is what its policy does', () => {
  for (const id of ids) {
    const { access } = policies[id]
    const expected = { public: 'none', pending: 'pending', executor: 'executor', role: 'caller' }[access]
    expect([id, (operations[id] as Operation).security]).toEqual([id, expected])
  }
})

describe.each(ids.filter((id) => !withSideEffects.has(id)))('%s', (id) => {
  const op: Operation = operations[id]
  const policy = policies[id]

  test('nobody in particular', async () => {
    expect(await knock(server.client, op)).toBe(policy.access === 'public' ? 'in' : 401)
  })

  test('the executor key', async () => {
    // On a door for callers it is a key that nobody knows.
    const expected = policy.access === 'executor' || policy.access === 'public' ? 'in' : 401
    expect(await knock(server.asExecutor(), op)).toBe(expected)
  })

  test.each(roles)('%s', async (role) => {
    const expected =
      policy.access === 'public'
        ? 'in'
        : policy.access === 'executor'
          ? 401
          : policy.access === 'pending'
            ? 'in'
            : atLeast(role, policy.role)
              ? 'in'
              : 403
    expect(await knock(byRole.get(role)!, op)).toBe(expected)
  })

  test.each(scopes)('a key of the scope %s', async (scope) => {
    const expected =
      policy.access === 'public'
        ? 'in'
        : policy.access === 'executor'
          ? 401
          : policy.access === 'pending' || policy.scope === scope
            ? 'in'
            : 403
    expect(await knock(byScope.get(scope)!, op)).toBe(expected)
  })
})
