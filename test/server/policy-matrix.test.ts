// Who may do what, all of it: every operation with every kind of caller, and every kind of record of somebody else. What is
// expected follows from the policy table alone; whatever the table does not allow is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OperationId, operations } from '../../src/contract/operations.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { policies } from '../../src/contract/policy.ts'
import { type Role, type Scope, atLeast, roles, scopes } from '../../src/contract/roles.ts'
import { type Credential, type Door, openDoor } from './policy-matrix-callers.ts'

let door: Door
beforeAll(async () => {
  door = await openDoor()
})
afterAll(() => door?.close())

const ids = Object.keys(operations) as OperationId[]
/** Whoever these let in loses what the test stands on, or starts work: they are knocked on by those who are refused. */
const withSideEffects = new Set<OperationId>(['logout', 'restartServer'])
/** All that is open to whoever has to change his password first. */
const beforePasswordChange = new Set<OperationId>(['getMe', 'getOwnUser', 'changeOwnPassword', 'endSession'])

type Outcome = 'in' | 401 | 403
/** Never the answer to who asks. */
const faults = new Set([421, 429, 500])

/** A request that passes the door and then fails, or does no harm: what matters is whether it is let in. */
async function knock(credential: Credential, op: Operation): Promise<Outcome> {
  const path = op.path.replaceAll(/\{\w+\}/g, '999999')
  // A body that no schema accepts: nothing is done behind the door.
  const status = await door.ask(credential, op, path, op.body ? '"knock"' : undefined)
  if (faults.has(status)) throw new Error(`${op.id} answers ${status}`)
  return status === 401 || status === 403 ? status : 'in'
}

/** What the table says of a caller who is who he says. */
function expected(id: OperationId, role: Role, keyScopes: readonly Scope[] = []): Outcome {
  const policy = policies[id]
  switch (policy.access) {
    case 'public':
    case 'pending':
      return 'in'
    case 'executor':
      return 401
    case 'role':
      return atLeast(role, policy.role) && (keyScopes.length === 0 || keyScopes.includes(policy.scope)) ? 'in' : 403
  }
}
const ifPublic = (id: OperationId): Outcome => (policies[id].access === 'public' ? 'in' : 401)

function mustChangePassword(id: OperationId): Outcome {
  const { access } = policies[id]
  if (access === 'public' || access === 'executor') return ifPublic(id)
  return beforePasswordChange.has(id) || id === 'logout' ? 'in' : 403
}

/** Every kind of caller with what he is to meet. */
const columns: Readonly<Record<string, (id: OperationId) => Outcome>> = {
  nobody: ifPublic,
  'the executor key': (id) => (policies[id].access === 'executor' ? 'in' : ifPublic(id)),
  ...Object.fromEntries(
    roles.flatMap((role) => [
      [`a session of ${role}`, (id: OperationId) => expected(id, role)],
      [`a key of ${role}`, (id: OperationId) => expected(id, role)],
      ...scopes.map(
        (scope) => [`a key of ${role} for ${scope}`, (id: OperationId) => expected(id, role, [scope])] as const,
      ),
    ]),
  ),
  'a key for viewers of superadmin': (id) => expected(id, 'viewer'),
  'a key of somebody demoted to viewer': (id) => expected(id, 'viewer'),
  'a session of somebody demoted to viewer': (id) => expected(id, 'viewer'),
  'a pending session of superadmin': (id) => (policies[id].access === 'pending' ? 'in' : ifPublic(id)),
  'a session that must change its password': mustChangePassword,
  'a key of somebody who must change his password': mustChangePassword,
  'a session of somebody disabled': ifPublic,
  'a key of somebody disabled': ifPublic,
  'a session of somebody removed': ifPublic,
  'a key of somebody removed': ifPublic,
  'an expired session': ifPublic,
  'an expired key': ifPublic,
  'a revoked key': ifPublic,
}
const names = Object.keys(columns)

test('every operation has a route, a policy and its own id', () => {
  for (const id of ids) {
    const op: Operation = operations[id]
    expect(op.id).toBe(id)
    expect(policies).toHaveProperty(id)
    const url = op.path.replaceAll(/\{(\w+)\}/g, ':$1')
    expect([id, door.server.app.hasRoute({ method: op.method, url })]).toEqual([id, true])
  }
  expect(Object.keys(policies).toSorted()).toEqual(ids.toSorted())
})

test('what an operation says of its security is what its policy does', () => {
  for (const id of ids) {
    const { access } = policies[id]
    const security = { public: 'none', pending: 'pending', executor: 'executor', role: 'caller' }[access]
    expect([id, (operations[id] as Operation).security]).toEqual([id, security])
  }
})

describe('every caller', () => {
  test('is there', () => expect(Object.keys(door.callers).toSorted()).toEqual(names.toSorted()))

  test.each(ids)('%s', async (id) => {
    const found: Record<string, Outcome> = {}
    const wanted: Record<string, Outcome> = {}
    for (const name of names) {
      const want = columns[name]!(id)
      if (want === 'in' && withSideEffects.has(id)) continue
      wanted[name] = want
      found[name] = await knock(door.callers[name]!, operations[id])
    }
    expect(found).toEqual(wanted)
  })
})
