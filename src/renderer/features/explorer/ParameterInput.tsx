import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { PresetParameter } from '../../../contract/explorer-presets.ts'
import { RecordPicker } from './RecordPicker.tsx'

interface ParameterInputProps {
  connectorId: number
  /** The preset that the parameter is from; null: it was not saved yet. */
  presetId: number | null
  parameter: PresetParameter
  label: string
  required: boolean
  isFirst?: boolean
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** The value of a preset's parameter, as its type is entered. */
export function ParameterInput({ connectorId, presetId, parameter, isFirst = false, ...input }: ParameterInputProps) {
  const { t } = useTranslation('explorer')
  if (parameter.type === 'mongoRecord') {
    return (
      <RecordPicker connectorId={connectorId} presetId={presetId} parameter={parameter} isFirst={isFirst} {...input} />
    )
  }
  const { label, required, value, error, onChange } = input
  return (
    <TextInput
      label={label}
      withAsterisk={required}
      data-autofocus={isFirst || undefined}
      placeholder={parameter.type === 'objectId' ? t('parameters.objectIdHint') : undefined}
      spellCheck={false}
      value={value}
      error={error}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
