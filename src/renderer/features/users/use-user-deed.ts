import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { User } from '../../../contract/auth.ts'
import { endSession, listSessions } from '../../../contract/sessions.ts'
import { deleteUser, resetUserTotp, updateUser } from '../../../contract/users.ts'
import { ApiFailure, call } from '../../api/client.ts'
import { useMinLength } from '../sign-in/NewPassword.tsx'
import { newPassword } from './new-password.ts'
import type { UserAct } from './user-acts.ts'

/** Ends them one by one, until none is left; one that ends by itself meanwhile is as good. */
async function endSessionsOf(userId: number): Promise<void> {
  for (;;) {
    const { result } = await call(listSessions, { query: { user_id: userId, limit: 200 } })
    if (result.length === 0) return
    for (const { id } of result) {
      await call(endSession, { params: { id } }).catch((error: unknown) => {
        if (!(error instanceof ApiFailure) || error.status !== 404) throw error
      })
    }
  }
}

interface Deed {
  act: UserAct
  user: User
}

export interface UserDeedListener {
  /** The password that was given, to be shown once. */
  onGiven: (password: string) => void
  onRemoved: () => void
}

/** Does to a user what was confirmed. */
export function useUserDeed({ onGiven, onRemoved }: UserDeedListener) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const minLength = useMinLength()
  return useMutation<void, ApiFailure, Deed>({
    mutationFn: async ({ act, user }) => {
      const params = { id: user.id }
      switch (act) {
        case 'givePassword': {
          const password = newPassword(minLength)
          await call(updateUser, { params, body: { password, password_change_required: true } })
          onGiven(password)
          break
        }
        case 'resetFactor':
          await call(resetUserTotp, { params })
          break
        case 'disable':
        case 'enable':
          await call(updateUser, { params, body: { disabled: act === 'disable' } })
          break
        case 'endSessions':
          await endSessionsOf(user.id)
          break
        case 'remove':
          await call(deleteUser, { params })
      }
    },
    onSuccess: (_, { act, user }) => {
      for (const id of ['listUsers', 'listSessions', 'listApiKeys']) void client.invalidateQueries({ queryKey: [id] })
      if (act === 'remove') onRemoved()
      else void client.invalidateQueries({ queryKey: ['getUser'] })
      if (act !== 'givePassword') notifications.show({ message: t(`confirm.${act}.done`, { name: user.username }) })
    },
  })
}
