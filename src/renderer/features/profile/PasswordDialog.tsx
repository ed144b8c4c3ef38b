import { Button, Modal, PasswordInput, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { NewPassword } from '../sign-in/NewPassword.tsx'
import { DialogWays } from '../../ui/DialogFoot.tsx'
import { Trouble } from '../sign-in/Trouble.tsx'
import { useOwnPassword } from '../sign-in/use-own-password.ts'

function PasswordForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('profile')
  const { t: tSignIn } = useTranslation('signIn')
  const { t: tUi } = useTranslation()
  const { me, refresh } = useSession()
  const client = useQueryClient()
  const { username } = me.user
  const form = useOwnPassword(username, () => {
    // This session was replaced by another one.
    refresh()
    void client.invalidateQueries({ queryKey: ['listSessions'] })
    notifications.show({ message: t('password.changed') })
    onClose()
  })
  return (
    <form noValidate onSubmit={form.submit}>
      <Stack gap={12}>
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <PasswordInput
          label={t('password.current')}
          autoComplete="current-password"
          data-autofocus
          value={form.current}
          error={form.currentIsMissing ? tSignIn('required') : form.currentIsWrong ? t('password.wrong') : undefined}
          visibilityToggleButtonProps={{ 'aria-label': tSignIn('showPassword') }}
          onChange={(event) => form.setCurrent(event.currentTarget.value)}
        />
        <NewPassword
          label={t('password.fresh')}
          value={form.fresh}
          username={username}
          onChange={form.setFresh}
          problem={form.freshProblem}
          missed={form.freshIsMissing}
        />
        <Trouble message={form.trouble} left={form.left} />
        <DialogWays>
          <Button variant="default" onClick={onClose}>
            {tUi('form.cancel')}
          </Button>
          <Button type="submit" loading={form.busy} disabled={form.left > 0}>
            {t('password.change')}
          </Button>
        </DialogWays>
      </Stack>
    </form>
  )
}

export function PasswordDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('profile')
  return (
    <Modal opened={opened} onClose={onClose} title={<b>{t('password.change')}</b>} size={420}>
      <PasswordForm onClose={onClose} />
    </Modal>
  )
}
