import { Button, NativeSelect } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DashboardView } from '../../../contract/dashboard-views.ts'
import type { FilterValue } from '../../../language/dashboard/dashboard.types.ts'
import { dateRangeText } from '../../ui/format.ts'
import { FilterField } from './FilterField.tsx'
import { type Choice, filtersOfBar, valueOf, windowChoices } from './dashboard-choice.rules.ts'
import classes from './dashboards.module.css'
import { useSpanText } from './span-text.ts'

interface FilterBarProps {
  /** What is chosen before the filters. */
  lead?: ReactNode
  view: DashboardView
  choice: Choice
  onFilter(name: string, value: FilterValue): void
  onWindow(lastMs: number | null): void
  onClear(): void
  /** Why they have no effect; absent: they have one. */
  idle?: string | undefined
}

/** Filters that no widget shows, and the time window. */
export function FilterBar({ lead, view, choice, onFilter, onWindow, onClear, idle }: FilterBarProps) {
  const { t } = useTranslation('dashboards')
  const spanText = useSpanText()
  const shown = filtersOfBar(view)
  const { time_window: window } = view
  if (shown.length === 0 && !window && !lead) return null
  const chosen = choice.time_window
  const last = chosen && 'last_ms' in chosen ? chosen.last_ms : window?.default_ms
  const narrowed = choice.filters !== undefined || chosen !== undefined
  return (
    <div className={classes.filters} role="search" aria-label={t('filters.label')}>
      {lead}
      <fieldset className={classes.fields} disabled={idle !== undefined}>
        {window ? (
          <NativeSelect
            label={t('window.label')}
            value={chosen && 'from' in chosen ? 'fixed' : String(last)}
            onChange={({ currentTarget: { value } }) =>
              onWindow(Number(value) === window.default_ms ? null : Number(value))
            }
            data={[
              ...(chosen && 'from' in chosen
                ? [
                    {
                      value: 'fixed',
                      label: dateRangeText(new Date(chosen.from), new Date(chosen.to), 'shortMoment'),
                      disabled: true,
                    },
                  ]
                : []),
              ...windowChoices(window).map((ms) => ({
                value: String(ms),
                label: t('window.last', { span: spanText(ms) }),
              })),
            ]}
          />
        ) : null}
        {shown.map(([name, filter]) => (
          <FilterField
            key={name}
            name={name}
            filter={filter}
            value={valueOf(name, filter, choice)}
            choice={choice}
            onChange={(value) => onFilter(name, value)}
          />
        ))}
      </fieldset>
      {idle && (window || shown.length > 0) ? <span className={classes.idle}>{idle}</span> : null}
      {narrowed ? (
        <Button variant="subtle" color="gray" leftSection={<IconFilterOff size={14} />} onClick={onClear}>
          {t('filters.clear')}
        </Button>
      ) : null}
    </div>
  )
}
