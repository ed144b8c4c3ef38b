import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { revokeApiKey } from '../../../contract/api-keys.ts'
import type { ApiKey } from '../../../contract/auth.ts'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'

export function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const { t } = useTranslation('apiKeys')
  const { me } = useSession()
  const revoke = useAction(revokeApiKey, { invalidates: ['listApiKeys'] })
  const name = apiKey?.name ?? ''
  const ofAnother = apiKey !== null && apiKey.user_id !== me.user.id
  const close = () => {
    revoke.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      opened={apiKey !== null}
      title={t('revokeTitle', { name })}
      text={ofAnother ? `${t('revokeOf', { owner: apiKey.username })} ${t('revokeText')}` : t('revokeText')}
      confirmLabel={t('revoke')}
      danger
      busy={revoke.isPending}
      error={revoke.error?.message}
      onClose={close}
      onConfirm={() => {
        if (!apiKey) return
        const done = () => {
          notifications.show({ message: t('revokeDone', { name }) })
          close()
        }
        revoke.mutate({ params: { id: apiKey.id } }, { onSuccess: done })
      }}
    />
  )
}
