import { Button, Group, Modal, PasswordInput, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeOwnPassword } from '../../../contract/users.ts'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { NewPassword, useMinLength } from '../sign-in/NewPassword.tsx'
import { Trouble } from '../sign-in/Trouble.tsx'
import { passwordRules } from '../sign-in/password-rules.ts'
import { useSubmit } from '../sign-in/use-submit.ts'

function PasswordForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('profile')
  const { t: tSignIn } = useTranslation('signIn')
  const { t: tUi } = useTranslation()
  const { me, refresh } = useSession()
  const client = useQueryClient()
  const minLength = useMinLength()
  const [current, setCurrent] = useState('')
  const [fresh, setFresh] = useState('')
  const { busy, failure, left, run } = useSubmit()
  const { username } = me.user
  const ready = current !== '' && passwordRules(fresh, { minLength, username }).every(({ met }) => met)
  const wrong = failure?.detailFor('current_password')
  const bad = failure?.detailFor('new_password')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!ready) return
    void run(async () => {
      await call(changeOwnPassword, { body: { current_password: current, new_password: fresh } })
      // This session was replaced by another one.
      refresh()
      void client.invalidateQueries({ queryKey: ['listSessions'] })
      notifications.show({ message: t('password.changed') })
      onClose()
    })
  }
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={12}>
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        <PasswordInput
          label={t('password.current')}
          autoComplete="current-password"
          data-autofocus
          value={current}
          error={wrong ? t('password.wrong') : undefined}
          visibilityToggleButtonProps={{ 'aria-label': tSignIn('showPassword') }}
          onChange={(event) => setCurrent(event.currentTarget.value)}
        />
        <NewPassword
          label={t('password.fresh')}
          value={fresh}
          username={username}
          onChange={setFresh}
          problem={bad?.message}
        />
        <Trouble message={failure && !wrong && !bad ? failure.message : undefined} left={left} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {tUi('form.cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={!ready || left > 0}>
            {t('password.change')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

export function PasswordDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('profile')
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      closeOnClickOutside={false}
      title={<b>{t('password.change')}</b>}
      size={420}
    >
      <PasswordForm onClose={onClose} />
    </Modal>
  )
}
