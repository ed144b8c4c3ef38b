import { useTranslation } from 'react-i18next'
import type { User } from '../../../contract/auth.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { type UserState, stateOf } from './user-acts.ts'

const looks = { active: 'ok', disabled: 'cancelled', given: 'pending' } as const satisfies Record<UserState, string>

export function UserStateBadge({ user, size = 'sm' }: { user: User; size?: 'sm' | 'md' }) {
  const { t } = useTranslation('users')
  const state = stateOf(user)
  return <StatusBadge status={looks[state]} label={t(`states.${state}`)} size={size} />
}
