import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { bootstrap, login } from '../../../contract/auth.ts'
import { ApiFailure, call } from '../../api/client.ts'

interface Fields {
  username: string
  password: string
  display_name: string
}

export interface CredentialsProps {
  /** Creates the first account instead of signing in. */
  bootstrap?: boolean
  username?: string
  onSignedIn: () => void
}

const minimumPassword = 8

/** Username and password, for signing in, signing in again, and the first account. */
export function Credentials({ bootstrap: creating = false, username = '', onSignedIn }: CredentialsProps) {
  const { t } = useTranslation('signIn')
  const form = useForm<Fields>({ defaultValues: { username, password: '', display_name: '' } })
  const { errors, isSubmitting } = form.formState
  const { setFocus } = form
  useEffect(() => setFocus(username ? 'password' : 'username'), [setFocus, username])

  const failureText = (failure: ApiFailure) => {
    if (failure.status === 429) return t('tooMany', { count: failure.retryAfter ?? 60 })
    if (failure.status === 409) return t('exists')
    return failure.status === 401 ? t('wrong') : failure.message
  }
  const fail = (error: unknown) => {
    if (!(error instanceof ApiFailure)) throw error
    for (const field of ['username', 'password', 'display_name'] as const) {
      const detail = error.detailFor(field)
      if (detail) form.setError(field, { message: detail.message })
    }
    form.setError('root', { message: failureText(error) })
    if (error.status === 401) form.setFocus('password', { shouldSelect: true })
  }
  const submit = form.handleSubmit(async ({ username: name, password, display_name }) => {
    const credentials = { username: name.trim(), password }
    try {
      const answer = creating
        ? await call(bootstrap, {
            body: { ...credentials, ...(display_name.trim() ? { display_name: display_name.trim() } : {}) },
          })
        : await call(login, { body: credentials })
      if (answer.authenticated) onSignedIn()
      else form.setError('root', { message: t('totp') })
    } catch (error) {
      fail(error)
    }
  })
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap={12}>
        <TextInput
          label={t('username')}
          autoComplete="username"
          data-autofocus={username ? undefined : true}
          autoCapitalize="none"
          spellCheck={false}
          error={errors.username?.message}
          {...form.register('username', { validate: (value) => value.trim() !== '' || t('required') })}
        />
        {creating ? (
          <TextInput
            label={t('displayName')}
            description={t('displayNameHint')}
            autoComplete="name"
            error={errors.display_name?.message}
            {...form.register('display_name')}
          />
        ) : null}
        <PasswordInput
          label={creating ? t('newPassword') : t('password')}
          description={creating ? t('newPasswordHint') : undefined}
          autoComplete={creating ? 'new-password' : 'current-password'}
          data-autofocus={username ? true : undefined}
          error={errors.password?.message}
          visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
          {...form.register('password', {
            validate: (value) => {
              if (value === '') return t('required')
              const missing = creating ? minimumPassword - value.length : 0
              return missing <= 0 || t('tooShort', { count: missing })
            },
          })}
        />
        {errors.root ? (
          <Alert color="red" variant="light" p={8} role="alert">
            {errors.root.message}
          </Alert>
        ) : null}
        <Button type="submit" size="sm" loading={isSubmitting} mt={4}>
          {creating ? t('create') : t('submit')}
        </Button>
      </Stack>
    </form>
  )
}
