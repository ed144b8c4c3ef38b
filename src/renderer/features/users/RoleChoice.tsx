import { Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Role, manages, roles } from '../../../contract/roles.ts'
import { useSession } from '../../api/session.ts'

export interface RoleChoiceProps {
  value: Role
  onChange: (role: Role) => void
  /** Why it cannot be changed at all. */
  reason?: string | null
  error?: string | undefined
}

/** The roles, weakest first, each with what it may do; those that are not one's own to give say so. */
export function RoleChoice({ value, onChange, reason, error }: RoleChoiceProps) {
  const { t } = useTranslation('users')
  const { t: tShell } = useTranslation('shell')
  const { me } = useSession()
  return (
    <Radio.Group
      label={t('form.role')}
      description={reason ?? undefined}
      value={value}
      error={error}
      onChange={onChange}
    >
      <Stack gap={8} mt={6}>
        {roles.map((role) => {
          const mine = manages(me.user.role, role)
          return (
            <Radio
              key={role}
              value={role}
              disabled={Boolean(reason) || !mine}
              label={tShell(`user.role.${role}`)}
              description={mine || role === value ? t(`may.${role}`) : `${t(`may.${role}`)} ${t('beyond')}`}
            />
          )
        })}
      </Stack>
    </Radio.Group>
  )
}
