import { useState } from 'react'
import type { User } from '../../../contract/auth.ts'
import type { Role } from '../../../contract/roles.ts'
import type { ApiFailure } from '../../api/client.ts'

export interface AccountDraft {
  username: string
  display_name: string
  email: string
  role: Role
}

export const draftOf = (user: User): AccountDraft => ({
  username: user.username,
  display_name: user.display_name ?? '',
  email: user.email ?? '',
  role: user.role,
})

const fields = ['username', 'display_name', 'email', 'role'] as const
const isSame = (a: AccountDraft, b: AccountDraft) => fields.every((field) => a[field] === b[field])

/** What of the draft differs from the record, as a change takes it: null is no text. */
export function changesOf(draft: AccountDraft, base: User): Partial<Record<keyof AccountDraft, string | null>> {
  const before = draftOf(base)
  const changed = fields.filter((field) => draft[field].trim() !== before[field])
  return Object.fromEntries(
    changed.map((field) => {
      const value = draft[field].trim()
      return [field, value === '' && (field === 'display_name' || field === 'email') ? null : value]
    }),
  )
}

/** A save that came too late, not a name that is taken. */
export const isStale = (failure: ApiFailure | null) => failure?.status === 409 && failure.details.length === 0

/**
 * The fields of an account while they are edited. `record` follows the server: while nothing is edited the draft follows it,
 * afterwards what was typed stays and the two are compared when it is saved.
 */
export function useAccountDraft(record: User) {
  const [base, setBase] = useState(record)
  const [draft, setDraft] = useState(() => draftOf(record))
  const dirty = !isSame(draft, draftOf(base))
  if (record !== base && !dirty) {
    setBase(record)
    setDraft(draftOf(record))
  }
  return {
    draft,
    dirty,
    /** What the draft was made from; its ETag goes with the save. */
    base,
    set: (change: Partial<AccountDraft>) => setDraft((before) => ({ ...before, ...change })),
    /** Goes on from this record, with what was typed or without. */
    rebase: (to: User, keep: boolean) => {
      setBase(to)
      if (!keep) setDraft(draftOf(to))
    },
  }
}
