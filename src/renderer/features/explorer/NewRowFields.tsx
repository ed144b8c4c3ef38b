import { Select, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type ExplorerValue, filterValueTypes } from '../../../contract/explorer-presets.ts'
import { type BuilderColumn, withColumnValue } from './builder.rules.ts'
import classes from './builder.module.css'

interface NewRowFieldsProps {
  columns: readonly BuilderColumn[]
  values: readonly ExplorerValue[]
  errorAt: (index: number) => string | undefined
  onChange: (values: ExplorerValue[]) => void
}

/** A line for each column of a table: what is entered is written, and the others get what the table gives them. */
export function NewRowFields({ columns, values, errorAt, onChange }: NewRowFieldsProps) {
  const { t } = useTranslation('explorer')
  /** What a row gets where nothing is entered, as far as the table tells. */
  const givenTo = ({ default: given, nullable, primary_key }: BuilderColumn) => {
    if (given !== null) return t('builder.unset.default', { value: given })
    if (primary_key) return t('builder.unset.key')
    return nullable === null ? '' : t(nullable ? 'builder.unset.defaultNull' : 'builder.unset.required')
  }
  return (
    <div className={classes.newRow}>
      {columns.map((column) => {
        const { name, type, primary_key } = column
        const index = values.findIndex(({ field }) => field === name)
        const entered = values[index]
        const isNull = entered?.valueType === 'null'
        const set = (next: Omit<ExplorerValue, 'field'> | null) => onChange(withColumnValue(values, name, next))
        return (
          <div key={name} className={classes.newValue} role="group" aria-label={name}>
            <span className={classes.columnName} title={name}>
              {name}
              {primary_key ? <IconKey size={12} aria-label={t('builder.unset.key')} /> : null}
            </span>
            <span className={classes.columnType} title={type}>
              {type}
            </span>
            <TextInput
              size="xs"
              aria-label={t('builder.value')}
              placeholder={entered ? undefined : givenTo(column)}
              disabled={isNull}
              value={entered?.value ?? ''}
              error={entered && !isNull ? errorAt(index) : undefined}
              onChange={({ currentTarget: { value } }) =>
                set(value === '' && (entered?.valueType ?? 'auto') === 'auto' ? null : { ...entered, value })
              }
            />
            <Select
              size="xs"
              aria-label={t('builder.valueType')}
              allowDeselect={false}
              data={[
                { value: 'unset', label: t('builder.unset.type') },
                ...filterValueTypes.map((value) => ({ value, label: t(`builder.types.${value}`) })),
              ]}
              value={entered ? (entered.valueType ?? 'auto') : 'unset'}
              onChange={(next) => {
                const valueType = filterValueTypes.find((one) => one === next)
                set(valueType ? { value: valueType === 'null' ? '' : (entered?.value ?? ''), valueType } : null)
              }}
            />
          </div>
        )
      })}
    </div>
  )
}
