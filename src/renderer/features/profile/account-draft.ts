import type { User } from '../../../contract/auth.ts'
import type { Role } from '../../../contract/roles.ts'
import { following } from '../../api/followed-draft.rules.ts'

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
const same = (a: AccountDraft, b: AccountDraft) => fields.every((field) => a[field] === b[field])

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

export const accountForm = following({ draftOf, same })
