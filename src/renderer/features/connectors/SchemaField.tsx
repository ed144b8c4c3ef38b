import { NativeSelect, Switch, TextInput, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PathInput } from '../../ui/PathInput.tsx'
import { MapField } from './MapField.tsx'
import type { FieldSpec, FieldValue } from './schema-form.ts'

export interface SchemaFieldProps {
  field: FieldSpec
  value: FieldValue
  onChange: (value: FieldValue) => void
  error?: string
  disabled?: boolean
}

/** One field of a form made from a JSON Schema. */
export function SchemaField({ field, value, onChange, error, disabled }: SchemaFieldProps) {
  const { t } = useTranslation('connectors')
  const common = { label: field.title, description: field.description, error, disabled, withAsterisk: field.required }
  if (field.kind === 'boolean') {
    return <Switch {...common} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
  }
  if (field.kind === 'map') {
    const entries = typeof value === 'object' ? value : []
    return <MapField field={field} entries={entries} onChange={onChange} error={error} disabled={disabled} />
  }
  const text = typeof value === 'string' ? value : ''
  const isNumber = field.kind === 'integer' || field.kind === 'number'
  const hint = field.default === undefined ? field.placeholder : t('form.default', { value: String(field.default) })
  if (field.kind === 'select') {
    return (
      <NativeSelect
        {...common}
        data={(field.options ?? []).map((option) => ({
          value: option,
          label: t(`option.${field.name}.${option}`, { defaultValue: option }),
        }))}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  if (field.kind === 'file' || field.kind === 'folder') {
    return <PathInput {...common} kind={field.kind} placeholder={hint} value={text} onChange={onChange} />
  }
  if (field.kind === 'multiline') {
    return (
      <Textarea
        {...common}
        autosize
        minRows={3}
        placeholder={hint}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  }
  return (
    <TextInput
      {...common}
      inputMode={field.kind === 'integer' ? 'numeric' : isNumber ? 'decimal' : undefined}
      styles={isNumber ? { wrapper: { width: 140 } } : undefined}
      placeholder={hint}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
