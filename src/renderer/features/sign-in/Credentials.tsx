import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { bootstrap, login } from '../../../contract/auth.ts'
import type { ResultOf } from '../../../contract/operation.ts'
import { type ApiFailure, call } from '../../api/client.ts'
import { NewPassword, useMinLength } from './NewPassword.tsx'
import { Trouble } from './Trouble.tsx'
import { passwordRules } from './password-rules.ts'
import { useSubmit } from './use-submit.ts'

export type LoginAnswer = ResultOf<typeof login>

interface Fields {
  username: string
  password: string
  display_name: string
}

export interface CredentialsProps {
  /** Creates the first account instead of signing in. */
  creating: boolean
  username: string
  onAnswer: (answer: LoginAnswer, credentials: { username: string; password: string }) => Promise<void>
}

/** Username and password, for signing in, signing in again, and the first account. */
export function Credentials({ creating, username, onAnswer }: CredentialsProps) {
  const { t } = useTranslation('signIn')
  const form = useForm<Fields>({ defaultValues: { username, password: '', display_name: '' } })
  const { errors } = form.formState
  const { setFocus } = form
  const submission = useSubmit()
  const minLength = useMinLength()
  const [name, password] = form.watch(['username', 'password'])
  useEffect(() => setFocus(username ? 'password' : 'username'), [setFocus, username])

  const wrongPassword = submission.failure?.status === 401
  useEffect(() => {
    if (wrongPassword) setFocus('password', { shouldSelect: true })
  }, [wrongPassword, setFocus])

  const textOf = (failure: ApiFailure) => {
    if (failure.status === 409) return t('exists')
    return failure.status === 401 ? t('wrong') : failure.message
  }
  const submit = form.handleSubmit((fields) =>
    submission.run(async () => {
      const credentials = { username: fields.username.trim(), password: fields.password }
      const display_name = fields.display_name.trim()
      const answer = creating
        ? await call(bootstrap, { body: { ...credentials, ...(display_name ? { display_name } : {}) } })
        : await call(login, { body: credentials })
      await onAnswer(answer, credentials)
    }),
  )
  const messageOf = (field: keyof Fields) => submission.failure?.detailFor(field)?.message
  const detail = (field: keyof Fields) => errors[field]?.message ?? messageOf(field)
  // What stands at a field need not be said twice.
  const otherFailure = (['username', 'password', 'display_name'] as const).some(messageOf) ? null : submission.failure
  const validate = (value: string) => {
    if (value === '') return t('required')
    if (!creating) return true
    // Which of them stands in the list below the field.
    return passwordRules(value, { minLength, username: name }).every(({ met }) => met)
  }
  const passwordField = form.register('password', { validate })
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap={12}>
        <TextInput
          label={t('username')}
          autoComplete="username"
          data-autofocus={username ? undefined : true}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          error={detail('username')}
          {...form.register('username', { validate: (value) => value.trim() !== '' || t('required') })}
        />
        {creating ? (
          <>
            <TextInput
              label={t('displayName')}
              description={t('displayNameHint')}
              autoComplete="name"
              maxLength={200}
              error={detail('display_name')}
              {...form.register('display_name')}
            />
            <NewPassword
              label={t('newPassword')}
              value={password}
              username={name}
              missed={errors.password !== undefined}
              problem={messageOf('password')}
              onChange={(value) => form.setValue('password', value, { shouldValidate: form.formState.isSubmitted })}
            />
          </>
        ) : (
          <PasswordInput
            label={t('password')}
            autoComplete="current-password"
            data-autofocus={username ? true : undefined}
            error={detail('password')}
            visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
            {...passwordField}
          />
        )}
        <Trouble message={otherFailure ? textOf(otherFailure) : undefined} left={submission.left} />
        <Button type="submit" size="sm" loading={submission.busy} disabled={submission.left > 0} mt={4}>
          {t(creating ? 'create' : 'submit')}
        </Button>
      </Stack>
    </form>
  )
}
