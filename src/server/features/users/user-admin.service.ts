import { type Message, msg } from '../../../contract/messages.ts'
import type { User } from '../../../contract/auth.ts'
import type { Paginated } from '../../../contract/common.ts'
import type { BodyOf, QueryOf } from '../../../contract/operation.ts'
import { atLeast } from '../../../contract/roles.ts'
import type { createUser, listUsers, updateOwnUser, updateUser } from '../../../contract/users.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, invalid, invalidState, notFound, unauthenticated } from '../../platform/refusal.ts'
import {
  type Actor,
  type Objection,
  type UserChange,
  isCutOff,
  objectionToChange,
  objectionToRemoval,
  objectionToRole,
  objectionToTotpReset,
  personMistakes,
  personText,
  presentUser,
} from './users.rules.ts'
import type { UsersService } from './users.service.ts'
import { createUsersStore } from './users.store.ts'
import type { UserRow } from './users.table.ts'

export interface UserAdminDependencies {
  users: UsersService
  sessions: { endOfUser(userId: number): number[] }
  apiKeys: { revokeAllOf(userId: number): void }
  auth: {
    /** What is wrong with a new password; undefined when nothing is. */
    passwordMistake(password: string, of: { username: string }): Promise<Message | undefined>
    hash(password: string): Promise<string>
    /** In the transaction under way: the second factor and the recovery codes. */
    removeTotp(userId: number): void
  }
}

export type UserAdminService = ReturnType<typeof createUserAdminService>
type IfMatch = (current: string) => void

/** What people do to accounts: their own, and those that they manage. */
export function createUserAdminService(
  { store, clock, events }: Platform,
  { users: accounts, sessions, apiKeys, auth }: UserAdminDependencies,
) {
  const users = createUsersStore(store)
  const need = (id: number): UserRow => users.get(id) ?? notFound()
  const changed = (id: number) => events.append('user.changed', id, {})

  /** Looked up again: since the gate he may have been demoted or disabled. */
  function actor({ user_id, role }: Caller): Actor {
    const now = users.get(user_id)
    if (!now || now.disabled) unauthenticated()
    return { id: now.id, role: atLeast(now.role, role) ? role : now.role }
  }
  function check(objection: Objection | undefined): void {
    if (!objection) return
    const { error, reason, path } = objection
    if (path === undefined) throw new Refusal(error, reason)
    throw new Refusal(error, undefined, { details: [{ path, ...reason }] })
  }
  /** After a change, in its transaction. */
  function keepASuperadmin(): void {
    if (users.enabledSuperadmins() === 0) {
      invalidState(msg('last_superadmin'))
    }
  }
  /** Before the transaction: hashing takes its time, and a request that is refused anyway shall not cost it. */
  async function hashed(password: string | undefined, username: string): Promise<string | undefined> {
    if (password === undefined) return undefined
    const reason = await auth.passwordMistake(password, { username })
    if (reason) invalid([{ path: 'body.password', ...reason }])
    return auth.hash(password)
  }
  const checkPerson = (person: UserChange, before?: UserRow) => {
    const mistakes = personMistakes(person, before)
    if (mistakes.length > 0) invalid(mistakes)
  }
  const recorded = ({ display_name, email }: UserChange) => ({
    ...(display_name !== undefined && { display_name: personText(display_name) }),
    ...(email !== undefined && { email: personText(email) }),
  })

  return {
    list(query: QueryOf<typeof listUsers>): Paginated<User> {
      const { rows, ...page } = users.list(query)
      return { result: rows.map(presentUser), ...page }
    },

    async create(body: BodyOf<typeof createUser>, caller: Caller): Promise<User> {
      const refuse = () => {
        check(objectionToRole(actor(caller), body.role))
        accounts.freeName(body.username)
      }
      checkPerson(body)
      refuse()
      const { password, password_change_required: passwordChangeRequired = true, ...person } = body
      const passwordHash = (await hashed(password, body.username)) ?? null
      return store.transaction(() => {
        refuse()
        const user = accounts.create({ ...person, passwordHash, passwordChangeRequired })
        changed(user.id)
        return presentUser(user)
      })
    },

    /** `cutOff`: what the user has open is to end. */
    async update(
      id: number,
      body: BodyOf<typeof updateUser>,
      caller: Caller,
      ifMatch: IfMatch,
    ): Promise<{ user: User; cutOff: boolean }> {
      const refuse = (target: UserRow) => {
        check(objectionToChange(actor(caller), target, body))
        ifMatch(String(target.revision))
        if (body.username !== undefined) accounts.freeName(body.username, id)
      }
      const before = need(id)
      checkPerson(body, before)
      refuse(before)
      const password_hash = await hashed(body.password, body.username ?? before.username)
      return store.transaction(() => {
        const target = need(id)
        refuse(target)
        const must = body.password_change_required ?? (password_hash === undefined ? undefined : true)
        const saved = users.save(target, {
          ...(body.username !== undefined && accounts.freeName(body.username, id)),
          ...recorded(body),
          ...(body.role !== undefined && { role: body.role }),
          ...(body.disabled !== undefined && { disabled: body.disabled }),
          ...(password_hash !== undefined && { password_hash }),
          ...(must !== undefined && { password_change_required: must }),
          updated_at: clock.iso(),
        })
        if (target.role === 'superadmin' && !target.disabled) keepASuperadmin()
        if (password_hash !== undefined || saved.disabled) sessions.endOfUser(id)
        changed(id)
        return { user: presentUser(saved), cutOff: isCutOff(target, body) }
      })
    },

    /** The row stays, as the name of what the user made; the name is free for somebody else. */
    remove: (id: number, caller: Caller): void =>
      store.transaction(() => {
        const target = need(id)
        check(objectionToRemoval(actor(caller), target))
        sessions.endOfUser(id)
        apiKeys.revokeAllOf(id)
        auth.removeTotp(id)
        const at = clock.iso()
        users.save(target, {
          // No name holds a control character.
          username_key: `\u0000${id}`,
          email: null,
          password_hash: null,
          // Whatever asks only whether somebody is enabled is told no.
          disabled: true,
          deleted_at: at,
          updated_at: at,
        })
        keepASuperadmin()
        changed(id)
      }),

    resetTotp: (id: number, caller: Caller): void =>
      store.transaction(() => {
        check(objectionToTotpReset(actor(caller), need(id)))
        auth.removeTotp(id)
        sessions.endOfUser(id)
        users.save(need(id), { updated_at: clock.iso() })
        changed(id)
      }),

    updateOwn(body: BodyOf<typeof updateOwnUser>, caller: Caller, ifMatch: IfMatch): User {
      checkPerson(body, need(actor(caller).id))
      return store.transaction(() => {
        const own = need(actor(caller).id)
        ifMatch(String(own.revision))
        const saved = users.save(own, { ...recorded(body), updated_at: clock.iso() })
        changed(own.id)
        return presentUser(saved)
      })
    },
  }
}
