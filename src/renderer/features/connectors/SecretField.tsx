import { ActionIcon, Button, Group, Input, PasswordInput, Text, Textarea } from '@mantine/core'
import { IconEye, IconEyeOff, IconLock, IconLockOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecretEdit } from './connector-draft.ts'
import classes from './connectors.module.css'
import type { FieldSpec } from './schema-form.ts'

export interface SecretFieldProps {
  field: FieldSpec
  /** One is stored at the server; its value is never given out. */
  stored: boolean
  edit: SecretEdit
  onChange: (edit: SecretEdit) => void
  error?: string
  disabled?: boolean
}

interface SecretInputProps {
  field: FieldSpec
  value: string
  placeholder: string
  error: string | undefined
  disabled: boolean | undefined
  onChange: (value: string) => void
}

/** One line, or as many as a key has; both are hidden from who looks over the shoulder. */
function SecretInput({ field, value, placeholder, error, disabled, onChange }: SecretInputProps) {
  const { t } = useTranslation('connectors')
  const [shown, setShown] = useState(false)
  const common = { label: field.title, description: field.description, error, disabled, placeholder, value }
  if (field.kind !== 'multiline') {
    return (
      <PasswordInput
        {...common}
        style={{ flex: 1 }}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('secret.show') }}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <Textarea
      {...common}
      style={{ flex: 1 }}
      classNames={{ input: shown ? classes.keyText : `${classes.keyText} ${classes.masked}` }}
      minRows={4}
      maxRows={10}
      autosize
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="none"
      rightSectionProps={{ style: { alignItems: 'flex-start', paddingTop: 4 } }}
      rightSection={
        <ActionIcon aria-label={t('secret.show')} aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? <IconEyeOff size={15} /> : <IconEye size={15} />}
        </ActionIcon>
      }
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** A write-only field: shows whether a secret is stored, and lets it be replaced or removed. */
export function SecretField({ field, stored, edit, onChange, error, disabled }: SecretFieldProps) {
  const { t } = useTranslation('connectors')
  const keep = () => onChange({ kind: 'keep' })
  if (edit.kind === 'set' || (!stored && edit.kind === 'keep')) {
    return (
      <Group gap={8} align="flex-end" wrap="nowrap">
        <SecretInput
          field={field}
          error={error}
          disabled={disabled}
          placeholder={stored ? t('secret.newValue') : t('secret.none')}
          value={edit.kind === 'set' ? edit.value : ''}
          onChange={(value) => onChange(value === '' && !stored ? { kind: 'keep' } : { kind: 'set', value })}
        />
        {stored ? (
          <Button variant="default" onClick={keep}>
            {t('secret.keep')}
          </Button>
        ) : null}
      </Group>
    )
  }
  const removed = edit.kind === 'remove'
  return (
    <Input.Wrapper label={field.title} description={field.description} error={error} labelElement="div">
      <Group gap={8} mt={2}>
        {removed ? <IconLockOff size={14} aria-hidden /> : <IconLock size={14} aria-hidden />}
        <Text size="sm" c={removed ? 'var(--hg-status-failed-text)' : 'dimmed'}>
          {removed ? t('secret.removed') : t('secret.stored')}
        </Text>
        {disabled ? null : removed ? (
          <Button size="compact-xs" variant="default" onClick={keep} aria-label={`${t('secret.keep')} ${field.title}`}>
            {t('secret.keep')}
          </Button>
        ) : (
          <>
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => onChange({ kind: 'set', value: '' })}
              aria-label={`${t('secret.replace')} ${field.title}`}
            >
              {t('secret.replace')}
            </Button>
            <Button
              size="compact-xs"
              variant="subtle"
              color="red"
              c="var(--hg-status-failed-text)"
              onClick={() => onChange({ kind: 'remove' })}
              aria-label={`${t('secret.remove')} ${field.title}`}
            >
              {t('secret.remove')}
            </Button>
          </>
        )}
      </Group>
    </Input.Wrapper>
  )
}
