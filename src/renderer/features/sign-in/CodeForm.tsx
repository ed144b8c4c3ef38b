import { Button, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ResultOf } from '../../../contract/operation.ts'
import { verifyTotp } from '../../../contract/totp.ts'
import { call } from '../../api/client.ts'
import { Trouble } from './Trouble.tsx'
import classes from './SignInPage.module.css'
import { codeDigits, onlyDigits } from './code-text.ts'
import { useSubmit } from './use-submit.ts'

export type Verified = ResultOf<typeof verifyTotp>

export interface CodeFormProps {
  label: string
  submitLabel: string
  /** `recovery` takes a text; `digits` sends itself when the sixth digit is there. */
  kind: 'digits' | 'recovery'
  onVerified: (answer: Verified) => void
}

/** A code of the authenticator app, typed, pasted or filled in by the system; or a recovery code. */
export function CodeForm({ label, submitLabel, kind, onVerified }: CodeFormProps) {
  const { t } = useTranslation('signIn')
  const [code, setCode] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const { busy, failure, left, run, clear } = useSubmit()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [])
  useEffect(() => {
    if (failure) input.current?.select()
  }, [failure])

  const send = (text: string) => {
    setIsMissing(text.trim() === '')
    if (busy || left > 0 || text.trim() === '') return
    void run(async () => onVerified(await call(verifyTotp, { body: { code: text.trim() } })))
  }
  const change = (text: string) => {
    clear()
    setIsMissing(false)
    if (kind === 'recovery') return setCode(text)
    const digits = onlyDigits(text)
    setCode(digits)
    if (digits.length === codeDigits) send(digits)
  }
  const refused = failure && (failure.status === 400 || failure.status === 401 || failure.status === 403)
  const message =
    refused && failure.code !== 'INVALID_STATE'
      ? t(kind === 'digits' ? 'code.bad' : 'code.badRecovery')
      : failure?.message
  return (
    <form
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        send(code)
      }}
    >
      <Stack gap={12}>
        <TextInput
          ref={input}
          label={label}
          classNames={{ input: classes.code }}
          data-autofocus
          value={code}
          error={isMissing ? t('required') : undefined}
          inputMode={kind === 'digits' ? 'numeric' : 'text'}
          autoComplete={kind === 'digits' ? 'one-time-code' : 'off'}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          onChange={(event) => change(event.currentTarget.value)}
        />
        <Trouble message={message ?? undefined} left={left} />
        <Button type="submit" size="sm" loading={busy} disabled={left > 0} mt={4}>
          {submitLabel}
        </Button>
      </Stack>
    </form>
  )
}
