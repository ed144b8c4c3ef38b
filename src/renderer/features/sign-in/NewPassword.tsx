import { PasswordInput } from '@mantine/core'
import { IconCheck, IconPoint, IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { getAuthStatus } from '../../../contract/auth.ts'
import { useOperation } from '../../api/queries.ts'
import { passwordRules } from './password-rules.ts'
import classes from './SignInPage.module.css'

/** The length that a new password must have here; the interface's own bound until the server has said. */
export function useMinLength(): number {
  const status = useOperation(getAuthStatus, {}, { staleTime: 60_000 })
  return status.data?.password_min_length ?? 8
}

export interface NewPasswordProps {
  label: string
  value: string
  username: string
  onChange: (value: string) => void
  /** What the server says against it: `is on the list …`. */
  problem?: string | undefined
  /** It was sent too early: what it still misses is marked in the list. */
  missed?: boolean
  focused?: boolean
}

/** A new password; what it takes is ticked off while it is typed. */
export function NewPassword({ label, value, username, onChange, problem, missed, focused }: NewPasswordProps) {
  const { t } = useTranslation('signIn')
  const minLength = useMinLength()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (focused) input.current?.focus()
  }, [focused])
  const shown = missed && value === '' ? t('required') : problem ? t('rules.bad', { problem }) : undefined
  return (
    <PasswordInput
      ref={input}
      label={label}
      autoComplete="new-password"
      value={value}
      error={shown ?? missed}
      aria-invalid={shown || missed ? true : undefined}
      // A list stands in it.
      descriptionProps={{ component: 'div' }}
      description={
        <ul className={classes.rules} aria-label={t('rules.label')}>
          {passwordRules(value, { minLength, username }).map(({ id, met }) => (
            <li key={id} data-met={met || undefined} data-missed={(missed && !met) || undefined}>
              {met ? (
                <IconCheck size={13} aria-hidden />
              ) : missed ? (
                <IconX size={13} aria-hidden />
              ) : (
                <IconPoint size={13} aria-hidden />
              )}
              {t(`rules.${id}`, { count: minLength })}
            </li>
          ))}
          {/* Only the server knows the common ones: it is never ticked off here. */}
          <li>
            <IconPoint size={13} aria-hidden />
            {t('rules.known')}
          </li>
        </ul>
      }
      visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
