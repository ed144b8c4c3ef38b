import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { runStatuses, triggerTypes } from '../../../contract/runs.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import { TaskFilter } from './TaskFilter.tsx'
import { TimeFilter } from './TimeFilter.tsx'
import { type RunFilters, anyFilter } from './run-filters.ts'

export interface RunFilterBarProps {
  filters: RunFilters
  right: ReactNode
  onChange(change: { [K in keyof RunFilters]?: RunFilters[K] | null }): void
  onClear(): void
}

export function RunFilterBar({ filters, right, onChange, onClear }: RunFilterBarProps) {
  const { t } = useTranslation('runs')
  const { t: word } = useTranslation()
  return (
    <Toolbar right={right}>
      <Select
        w={190}
        aria-label={t('filters.status')}
        placeholder={t('filters.anyStatus')}
        data={runStatuses.map((status) => ({ value: status as string, label: word(`status.${status}`) }))}
        value={filters.status ?? null}
        clearable
        onChange={(value) => onChange({ status: runStatuses.find((status) => status === value) ?? null })}
      />
      <TaskFilter value={filters.task_id} onChange={(id) => onChange({ task_id: id })} />
      <Select
        w={140}
        aria-label={t('filters.trigger')}
        placeholder={t('filters.anyTrigger')}
        data={triggerTypes.map((trigger) => ({ value: trigger as string, label: t(`trigger.${trigger}`) }))}
        value={filters.trigger_type ?? null}
        clearable
        onChange={(value) => onChange({ trigger_type: triggerTypes.find((trigger) => trigger === value) ?? null })}
      />
      <TimeFilter filters={filters} onChange={onChange} />
      {anyFilter(filters) ? (
        <CommandButton
          id="list.clear-filters"
          label={t('filters.clearAll')}
          variant="subtle"
          color="gray"
          onClick={onClear}
          shortcut="shift+f"
        />
      ) : null}
    </Toolbar>
  )
}
