import { Button, PasswordInput, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeOwnPassword } from '../../../contract/users.ts'
import { call } from '../../api/client.ts'
import { NewPassword, useMinLength } from './NewPassword.tsx'
import { Trouble } from './Trouble.tsx'
import { passwordRules } from './password-rules.ts'
import { useSubmit } from './use-submit.ts'

export interface GivenPasswordProps {
  username: string
  /** The one that was just typed to sign in; it is asked for when nobody remembers it. */
  known: string | null
  onChanged: () => void
}

/** Somebody else gave the password: nothing goes on before it is one's own. */
export function GivenPassword({ username, known, onChanged }: GivenPasswordProps) {
  const { t } = useTranslation('signIn')
  const minLength = useMinLength()
  const [current, setCurrent] = useState(known ?? '')
  const [fresh, setFresh] = useState('')
  const { busy, failure, left, run } = useSubmit()
  const ready = current !== '' && passwordRules(fresh, { minLength, username }).every(({ met }) => met)
  const wrong = failure?.detailFor('current_password')
  const bad = failure?.detailFor('new_password')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!ready) return
    void run(async () => {
      await call(changeOwnPassword, { body: { current_password: current, new_password: fresh } })
      onChanged()
    })
  }
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={12}>
        {/* Password managers learn whose password this is. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        {known === null ? (
          <PasswordInput
            label={t('change.current')}
            autoComplete="current-password"
            data-autofocus
            value={current}
            error={wrong ? t('change.wrong') : undefined}
            visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
        ) : null}
        <NewPassword
          label={t('change.fresh')}
          value={fresh}
          username={username}
          onChange={setFresh}
          problem={bad?.message}
          focused={known !== null}
        />
        <Trouble message={failure && !wrong && !bad ? failure.message : undefined} left={left} />
        <Button type="submit" size="sm" loading={busy} disabled={!ready || left > 0}>
          {t('change.submit')}
        </Button>
      </Stack>
    </form>
  )
}
