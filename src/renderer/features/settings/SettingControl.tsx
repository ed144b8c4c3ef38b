import { Button, Group, NumberInput, PasswordInput, Select, Switch, TagsInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ServerSetting } from '../../../contract/server-config.ts'
import { numberSigns } from '../../ui/quantity.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { type Change, isSet } from './config-draft.ts'
import { emptyWord, zeroWord } from './zero-words.ts'

export interface SettingControlProps {
  setting: ServerSetting
  /** What is to be shown: drafted or stored. */
  value: unknown
  drafted: Change | undefined
  disabled: boolean
  error: string | undefined
  onChange(change: Change): void
  onUndo(): void
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

function NumberControl({ setting, value, disabled, error, onChange }: SettingControlProps) {
  const { t } = useTranslation('configuration')
  const { group, point } = numberSigns()
  const zero = zeroWord(setting.key)
  return (
    <NumberInput
      w={320}
      aria-label={setting.title}
      value={zero && value === 0 ? '' : typeof value === 'number' || typeof value === 'string' ? value : ''}
      placeholder={zero && t(`zero.${zero}`)}
      startValue={Math.max(1, setting.minimum ?? 0)}
      min={setting.minimum}
      max={setting.maximum}
      clampBehavior="none"
      allowDecimal={false}
      suffix={setting.unit ? ` ${setting.unit}` : undefined}
      thousandSeparator={(setting.maximum ?? 0) > 99_999 ? group : undefined}
      decimalSeparator={point}
      disabled={disabled}
      error={error}
      // An emptied field is kept as it is, unless it means something: the server says what is missing.
      onChange={(next) => onChange({ value: zero && next === '' ? 0 : next })}
    />
  )
}

function SecretControl({ setting, value, drafted, disabled, error, onChange, onUndo }: SettingControlProps) {
  const { t } = useTranslation('configuration')
  const stored = isSet(value)
  if (drafted === undefined || drafted === 'default') {
    return (
      <Group gap={8}>
        <StatusBadge
          status={stored && !drafted ? 'ok' : 'not_run'}
          label={stored && !drafted ? t('secret.set') : t('secret.notSet')}
        />
        <Button variant="default" size="compact-xs" disabled={disabled} onClick={() => onChange({ value: '' })}>
          {stored ? t('secret.replace') : t('secret.enter')}
        </Button>
        {error ? <span role="alert">{error}</span> : null}
      </Group>
    )
  }
  return (
    <Group gap={8} align="flex-start">
      <PasswordInput
        w={260}
        aria-label={setting.title}
        autoComplete="off"
        data-autofocus
        value={textOf(drafted.value)}
        error={error}
        disabled={disabled}
        onChange={(event) => onChange({ value: event.currentTarget.value })}
      />
      <Button variant="subtle" color="gray" size="xs" onClick={onUndo}>
        {t('secret.keep')}
      </Button>
    </Group>
  )
}

/** The right input for each type of setting. */
export function SettingControl(props: SettingControlProps) {
  const { setting, value, disabled, error, onChange } = props
  const { t } = useTranslation('configuration')
  const common = { 'aria-label': setting.title, disabled, error }
  const values = Array.isArray(value) ? value.map(String) : []
  switch (setting.type) {
    case 'boolean':
      return (
        <Switch
          {...common}
          checked={value === true}
          onChange={(event) => onChange({ value: event.currentTarget.checked })}
        />
      )
    case 'integer':
      return <NumberControl {...props} />
    case 'enum':
      return (
        <Select
          {...common}
          w={320}
          data={(setting.options ?? []).map((value) => ({
            value,
            label: t(`option.${value}`, { defaultValue: value }),
          }))}
          value={textOf(value)}
          allowDeselect={false}
          onChange={(next) => next !== null && onChange({ value: next })}
        />
      )
    case 'list':
      return (
        <TagsInput
          {...common}
          w={320}
          placeholder={values.length === 0 ? t('none') : undefined}
          value={values}
          onChange={(next) => onChange({ value: next })}
          acceptValueOnBlur
        />
      )
    case 'secret':
      return <SecretControl {...props} />
    case 'string':
      return (
        <TextInput
          {...common}
          w={320}
          placeholder={setting.nullable ? t(emptyWord(setting.key)) : undefined}
          value={textOf(value)}
          onChange={({ currentTarget }) =>
            onChange({ value: currentTarget.value === '' && setting.nullable ? null : currentTarget.value })
          }
        />
      )
  }
}
