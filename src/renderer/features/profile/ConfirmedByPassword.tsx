import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DialogWays } from '../../ui/DialogFoot.tsx'
import { Trouble } from '../sign-in/Trouble.tsx'
import { useSubmit } from '../sign-in/use-submit.ts'

export interface ConfirmedByPasswordProps {
  text: string
  submitLabel: string
  /** Asks for a code of the app, too. */
  withCode?: boolean
  danger?: boolean
  onSubmit: (given: { password: string; code: string }) => Promise<void>
  onCancel: () => void
}

/** What changes how somebody signs in takes the password once more. */
export function ConfirmedByPassword(props: ConfirmedByPasswordProps) {
  const { t } = useTranslation('profile')
  const { t: tSignIn } = useTranslation('signIn')
  const { t: tUi } = useTranslation()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const { busy, failure, left, run } = useSubmit()
  const [tried, setTried] = useState(false)
  const isMissing = { password: password === '', code: props.withCode === true && code.trim() === '' }
  const badPassword = failure?.detailFor('password')
  const badCode = failure?.detailFor('code')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isMissing.password || isMissing.code || left > 0) return
    void run(() => props.onSubmit({ password, code: code.trim() }))
  }
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap={12}>
        <Text size="sm">{props.text}</Text>
        <PasswordInput
          label={t('factor.password')}
          autoComplete="current-password"
          data-autofocus
          value={password}
          error={tried && isMissing.password ? tSignIn('required') : badPassword ? t('password.wrong') : undefined}
          visibilityToggleButtonProps={{ 'aria-label': tSignIn('showPassword') }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {props.withCode ? (
          <TextInput
            label={t('factor.code')}
            autoComplete="one-time-code"
            maxLength={64}
            value={code}
            error={tried && isMissing.code ? tSignIn('required') : badCode ? t('factor.badCode') : undefined}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        ) : null}
        <Trouble message={failure && !badPassword && !badCode ? failure.message : undefined} left={left} />
        <DialogWays>
          <Button variant="default" onClick={props.onCancel}>
            {tUi('form.cancel')}
          </Button>
          <Button type="submit" color={props.danger ? 'red.9' : undefined} loading={busy} disabled={left > 0}>
            {props.submitLabel}
          </Button>
        </DialogWays>
      </Stack>
    </form>
  )
}
