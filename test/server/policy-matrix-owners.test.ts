// Who may do what to whose records: every operation of the policy table that knows others, for every role and kind of
// credential, on one's own record and on one of somebody of every role. What is refused leaves the record as it was.
import { lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OperationId, operations } from '../../src/contract/operations.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { policies } from '../../src/contract/policy.ts'
import { type Role, atLeast, roles, scopes } from '../../src/contract/roles.ts'
import { type Credential, type Door, type Person, openDoor } from './policy-matrix-callers.ts'

let door: Door
beforeAll(async () => {
  door = await openDoor()
})
afterAll(() => door?.close())

interface Target {
  path: string
  body?: object
  /** The rows that the operation is about. */
  table: 'users' | 'sessions' | 'api_keys' | 'uploads' | 'explorer_presets'
}
type Refusal = 400 | 403 | 404 | 'hidden'
interface Row {
  /** How to ask for it of a record of this person. */
  of(owner: Person): Target
  /** What one meets at one's own; usually it is done. */
  own?: Refusal
  /** What meets a caller of this role who may not. */
  refused(role: Role): Refusal
  reads?: true
}

let count = 0

/** The name of a file of this person, who may be no editor any more. */
function uploadOf({ id }: Person): string {
  const { dataDir, platform } = door.server
  const name = `upload ${++count}.csv`
  const path = join(`${dataDir}-files`, name)
  mkdirSync(`${dataDir}-files`, { recursive: true })
  writeFileSync(path, 'id')
  platform.store.sqlite
    .prepare('INSERT INTO uploads (path, uploaded_at, uploaded_by) VALUES (?, ?, ?)')
    .run(path, lstatSync(path).mtime.toISOString(), id)
  return name
}

/** A preset of this person, who may be no editor any more. */
function presetOf({ id }: Person): number {
  const { lastInsertRowid } = door.server.platform.store.sqlite
    .prepare(
      `INSERT INTO explorer_presets (name, definition, search_text, revision, created_by, created_at)
       VALUES ('mine', '{"mode":"visual"}', 'mine', 1, ?, '2026-03-01T00:00:00.000Z')`,
    )
    .run(id)
  return Number(lastInsertRowid)
}

const users = (more: Partial<Row> & { body?: object; end?: string }): Row => ({
  of: ({ id }) => ({ path: `/api/users/${id}${more.end ?? ''}`, table: 'users', body: more.body }),
  refused: () => 403,
  ...more,
})
const rows: Partial<Record<OperationId, Row>> = {
  listSessions: {
    of(owner) {
      door.session(owner)
      return { path: `/api/auth/sessions?user_id=${owner.id}`, table: 'sessions' }
    },
    refused: () => 404,
    reads: true,
  },
  endSession: {
    of: (owner) => ({ path: `/api/auth/sessions/${door.session(owner).id}`, table: 'sessions' }),
    refused: () => 404,
  },
  listUsers: {
    of: ({ username }) => ({ path: `/api/users?q=${username}`, table: 'users' }),
    refused: () => 403,
    reads: true,
  },
  createUser: {
    // Whose record it is to be: somebody of this role.
    of: ({ role }) => ({
      path: '/api/users',
      table: 'users',
      body: { username: `new ${++count}`, password: 'a password that nobody knows', role },
    }),
    refused: () => 400,
  },
  getUser: users({ reads: true }),
  updateUser: users({ body: { display_name: 'Changed' } }),
  deleteUser: users({ own: 400 }),
  resetUserTotp: users({ own: 403, end: '/reset-totp' }),
  listApiKeys: {
    of(owner) {
      door.key(owner)
      return { path: `/api/api-keys?user_id=${owner.id}`, table: 'api_keys' }
    },
    // Others' keys are simply not there.
    refused: () => 'hidden',
    reads: true,
  },
  revokeApiKey: {
    of: (owner) => ({ path: `/api/api-keys/${door.key(owner).id}`, table: 'api_keys' }),
    refused: (role) => (atLeast(role, 'admin') ? 403 : 404),
  },
  updateExplorerPreset: {
    of: (owner) => ({
      path: `/api/explorer-presets/${presetOf(owner)}`,
      table: 'explorer_presets',
      body: { name: 'Changed', definition: { mode: 'visual' } },
    }),
    refused: () => 403,
  },
  deleteExplorerPreset: {
    of: (owner) => ({ path: `/api/explorer-presets/${presetOf(owner)}`, table: 'explorer_presets' }),
    refused: () => 403,
  },
  deleteUpload: {
    of: (owner) => ({ path: `/api/uploads/${uploadOf(owner)}`, table: 'uploads' }),
    refused: () => 403,
  },
}

/** Said once more, in other words than the server's. */
function mayTouch(id: OperationId, role: Role, owner: Role): boolean {
  const policy = policies[id]
  if (policy.access !== 'role' || !policy.others) return false
  const rank = (one: Role) => roles.indexOf(one)
  if (rank(role) < rank(policy.others)) return false
  if (policy.of === 'managed') return role === 'superadmin' || rank(owner) < rank(role)
  return policy.of === undefined || rank(owner) <= rank(role)
}

const ids = Object.keys(operations) as OperationId[]
const knowOthers = ids.filter((id) => 'others' in policies[id])
const kinds = ['a session', 'a key', 'a key of the scope', 'a key of other scopes'] as const
type Kind = (typeof kinds)[number]

function credentialOf(kind: Kind, id: OperationId, caller: Person): Credential {
  const policy = policies[id]
  if (kind === 'a session') return door.session(caller)
  if (kind === 'a key' || policy.access !== 'role') return door.key(caller)
  const others = scopes.filter((scope) => scope !== policy.scope)
  return door.key(caller, { scopes: kind === 'a key of the scope' ? [policy.scope] : others })
}

const stateOf = ({ table }: Target, owner: Person): unknown =>
  door.server.platform.store.sqlite
    .prepare(
      {
        users: 'SELECT *, (SELECT max(id) FROM users) AS newest FROM users WHERE id = ?',
        sessions: 'SELECT id FROM sessions WHERE user_id = ?',
        api_keys: 'SELECT id, revoked_at FROM api_keys WHERE user_id = ?',
        uploads: 'SELECT path FROM uploads WHERE uploaded_by = ?',
        explorer_presets: 'SELECT id, revision FROM explorer_presets WHERE created_by = ?',
      }[table],
    )
    .all(owner.id)

type Cell = number | 'done' | 'hidden'
async function cell(id: OperationId, kind: Kind, caller: Person, owner: Person): Promise<Cell> {
  const op: Operation = operations[id]
  const row = rows[id]!
  const credential = credentialOf(kind, id, caller)
  const target = row.of(owner)
  const before = stateOf(target, owner)
  const { status, body } = await door.answer(credential, op, target.path, target.body && JSON.stringify(target.body))
  const changed = JSON.stringify(stateOf(target, owner)) !== JSON.stringify(before)
  // What is refused touches nothing, and what is done does.
  expect(changed, `${id} ${status}`).toBe(status < 300 && !row.reads)
  if (status >= 300) return status
  const { result } = body as { result?: unknown[] }
  return result?.length === 0 ? 'hidden' : 'done'
}

function expected(id: OperationId, kind: Kind, role: Role, owner: Role | 'oneself'): Cell {
  const policy = policies[id]
  const row = rows[id]!
  if (policy.access !== 'role' || !atLeast(role, policy.role) || kind === 'a key of other scopes') return 403
  if (owner === 'oneself') return row.own ?? 'done'
  return mayTouch(id, role, owner) ? 'done' : row.refused(role)
}

test('every operation that knows others is tried here', () => {
  expect(Object.keys(rows).toSorted()).toEqual(knowOthers.toSorted())
})

describe.each(knowOthers)('%s', (id) => {
  test.each(kinds)('by %s', async (kind) => {
    const found: Record<string, Cell> = {}
    const wanted: Record<string, Cell> = {}
    for (const role of roles) {
      for (const owner of ['oneself', ...roles] as const) {
        // Nobody makes himself.
        if (id === 'createUser' && owner === 'oneself') continue
        const caller = door.person(role)
        const name = `${role} → ${owner}`
        wanted[name] = expected(id, kind, role, owner)
        found[name] = await cell(id, kind, caller, owner === 'oneself' ? caller : door.person(owner))
      }
    }
    expect(found).toEqual(wanted)
  })
})
