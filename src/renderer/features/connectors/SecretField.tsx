import { Button, Group, Input, PasswordInput, Text } from '@mantine/core'
import { IconLock, IconLockOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { SecretEdit } from './connector-draft.ts'
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

/** A write-only field: shows whether a secret is stored, and lets it be replaced or removed. */
export function SecretField({ field, stored, edit, onChange, error, disabled }: SecretFieldProps) {
  const { t } = useTranslation('connectors')
  const keep = () => onChange({ kind: 'keep' })
  if (edit.kind === 'set' || (!stored && edit.kind === 'keep')) {
    return (
      <Group gap={8} align="flex-end" wrap="nowrap">
        <PasswordInput
          style={{ flex: 1 }}
          label={field.title}
          description={field.description}
          error={error}
          disabled={disabled}
          autoComplete="new-password"
          placeholder={stored ? t('secret.newValue') : t('secret.none')}
          visibilityToggleButtonProps={{ 'aria-label': t('secret.show') }}
          value={edit.kind === 'set' ? edit.value : ''}
          onChange={(event) => {
            const { value } = event.currentTarget
            onChange(value === '' && !stored ? { kind: 'keep' } : { kind: 'set', value })
          }}
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
