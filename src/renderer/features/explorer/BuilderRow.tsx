import { ActionIcon, Autocomplete, Select, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type ExplorerFilter, type ExplorerValue, filterValueTypes } from '../../../contract/explorer-presets.ts'
import { filterOperators, withoutValue } from '../../../language/query/query.types.ts'
import { operatorWords } from './builder.rules.ts'
import classes from './builder.module.css'

type Part = 'field' | 'operator' | 'value'

interface BuilderRowProps {
  label: string
  /** What the system calls a part of a row: a column, a field. */
  fieldLabel: string
  removeLabel: string
  /** A value that is written has no operator. */
  row: ExplorerFilter | ExplorerValue
  names: readonly string[]
  errorAt: (part: Part) => string | undefined
  onChange: (part: Partial<ExplorerFilter>) => void
  onRemove: () => void
}

/** A condition, or a value that is written. */
export function BuilderRow({
  label,
  fieldLabel,
  removeLabel,
  row,
  names,
  errorAt,
  onChange,
  onRemove,
}: BuilderRowProps) {
  const { t } = useTranslation('explorer')
  const operator = 'operator' in row ? row.operator : null
  const takesValue = (operator === null || !withoutValue(operator)) && (operator !== null || row.valueType !== 'null')
  return (
    <div className={operator === null ? classes.assignment : classes.filter} role="group" aria-label={label}>
      <Autocomplete
        size="xs"
        aria-label={fieldLabel}
        placeholder={fieldLabel}
        data={[...names]}
        value={row.field}
        error={row.field === '' ? undefined : errorAt('field')}
        onChange={(field) => onChange({ field })}
      />
      {operator === null ? (
        <span aria-hidden>=</span>
      ) : (
        <Select
          size="xs"
          aria-label={t('builder.operator')}
          allowDeselect={false}
          data={filterOperators.map((value) => ({ value, label: t(`builder.operators.${operatorWords[value]}`) }))}
          value={operator}
          error={errorAt('operator')}
          onChange={(next) => onChange({ operator: next ?? '=' })}
        />
      )}
      <TextInput
        size="xs"
        aria-label={t('builder.value')}
        placeholder={operator?.endsWith('in') ? t('builder.list') : t('builder.value')}
        disabled={!takesValue}
        value={takesValue ? row.value : ''}
        error={takesValue ? errorAt('value') : undefined}
        onChange={(event) => onChange({ value: event.currentTarget.value })}
      />
      <Select
        size="xs"
        aria-label={t('builder.valueType')}
        allowDeselect={false}
        disabled={operator !== null && !takesValue}
        data={filterValueTypes.map((value) => ({ value, label: t(`builder.types.${value}`) }))}
        value={row.valueType ?? 'auto'}
        onChange={(valueType) => onChange({ valueType: valueType ?? 'auto' })}
      />
      <ActionIcon size={30} aria-label={removeLabel} onClick={onRemove}>
        <IconX size={13} />
      </ActionIcon>
    </div>
  )
}
