import { NumberInput, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FILTER_BAR } from '../../../language/dashboard/limits.ts'
import type { DashboardFilter, FilterValue, RangeValue } from '../../../language/dashboard/dashboard.types.ts'
import { DayInput } from '../../ui/DayInput.tsx'
import { OptionPicker } from './OptionPicker.tsx'
import type { Choice } from './dashboard-choice.rules.ts'
import classes from './dashboards.module.css'

interface FilterFieldProps {
  name: string
  filter: DashboardFilter
  value: FilterValue
  choice: Choice
  onChange(value: FilterValue): void
}

/** What is typed becomes the filter after a pause, or with Enter. */
function TypedText({
  label,
  description,
  value,
  most,
  onChange,
}: {
  label: string
  description: string | undefined
  value: string
  most: number
  onChange: (text: string) => void
}) {
  const { t } = useTranslation('dashboards')
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text), 500)
    return () => clearTimeout(timer)
  }, [text, value, onChange])
  return (
    <TextInput
      label={label}
      description={description}
      placeholder={t('filters.any')}
      maxLength={most}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={({ key }) => key === 'Enter' && text !== value && onChange(text)}
    />
  )
}

export function FilterField({ name, filter, value, choice, onChange }: FilterFieldProps) {
  const { t } = useTranslation('dashboards')
  const label = filter.label ?? name
  const description = filter.description ?? undefined
  switch (filter.type) {
    case 'date':
      return (
        <DayInput
          w={150}
          label={label}
          description={description}
          min={filter.min ?? undefined}
          max={filter.max ?? undefined}
          value={typeof value === 'string' ? value : ''}
          onChange={(day) => onChange(day || null)}
        />
      )
    case 'text':
      return (
        <TypedText
          label={label}
          description={description}
          value={typeof value === 'string' ? value : ''}
          most={filter.max_length}
          onChange={(text) => onChange(text || null)}
        />
      )
    case 'select':
    case 'multiselect':
      return (
        <OptionPicker
          label={label}
          description={description}
          placeholder={filter.type === 'select' ? t('filters.any') : undefined}
          multiple={filter.type === 'multiselect'}
          value={Array.isArray(value) || typeof value === 'string' ? value : null}
          options={filter.options}
          from={{ widgetId: FILTER_BAR, side: name, draft: value ?? undefined, choice }}
          onChange={onChange}
        />
      )
    case 'range': {
      const range: RangeValue =
        typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { from: null, to: null }
      const end = (key: 'from' | 'to') => {
        const word = t(`filters.${key}`, { label })
        // Stays where the end has a value.
        const within = {
          leftSection: <span className={classes.end}>{t(`filters.${key}Short`)}</span>,
          leftSectionWidth: 44,
        }
        const set = (next: string | number | null) => onChange({ ...range, [key]: next })
        return filter.of === 'number' ? (
          <NumberInput
            hideControls
            aria-label={word}
            {...within}
            value={range[key] ?? ''}
            onChange={(next) => set(typeof next === 'number' ? next : null)}
          />
        ) : (
          <DayInput
            aria-label={word}
            {...within}
            value={String(range[key] ?? '')}
            onChange={(day) => set(day || null)}
          />
        )
      }
      return (
        <div role="group" aria-label={label}>
          <div className={classes.label}>{label}</div>
          <div className={classes.range}>
            {end('from')}
            <span>–</span>
            {end('to')}
          </div>
        </div>
      )
    }
  }
}
