import { Button, PasswordInput, Stack } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { NewPassword } from './NewPassword.tsx'
import { Trouble } from './Trouble.tsx'
import { useOwnPassword } from './use-own-password.ts'

export interface GivenPasswordProps {
  username: string
  /** The one that was just typed to sign in; it is asked for when nobody remembers it. */
  known: string | null
  onChanged: () => void
}

/** Somebody else gave the password: nothing goes on before it is one's own. */
export function GivenPassword({ username, known, onChanged }: GivenPasswordProps) {
  const { t } = useTranslation('signIn')
  const form = useOwnPassword(username, onChanged, known ?? '')
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  return (
    <form noValidate onSubmit={form.submit}>
      <Stack gap={12}>
        {/* Password managers learn whose password this is. */}
        <input type="text" autoComplete="username" value={username} readOnly hidden />
        {known === null ? (
          <PasswordInput
            ref={first}
            label={t('change.current')}
            autoComplete="current-password"
            value={form.current}
            error={form.currentIsMissing ? t('required') : form.currentIsWrong ? t('change.wrong') : undefined}
            visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
            onChange={(event) => form.setCurrent(event.currentTarget.value)}
          />
        ) : null}
        <NewPassword
          label={t('change.fresh')}
          value={form.fresh}
          username={username}
          onChange={form.setFresh}
          problem={form.freshProblem}
          missed={form.freshIsMissing}
          focused={known !== null}
        />
        <Trouble message={form.trouble} left={form.left} />
        <Button type="submit" size="sm" loading={form.busy} disabled={form.left > 0} mt={4}>
          {t('change.submit')}
        </Button>
      </Stack>
    </form>
  )
}
