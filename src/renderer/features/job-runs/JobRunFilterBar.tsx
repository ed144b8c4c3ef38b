import { Button, Select } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { triggerTypes } from '../../../contract/runs.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import { TimeFilter } from '../runs/TimeFilter.tsx'
import { anyFilter } from '../runs/run-filters.ts'
import { JobFilter } from './JobFilter.tsx'
import { type JobRunFilterChange, type JobRunFilters, statusChoices } from './job-run-filters.ts'

export interface JobRunFilterBarProps {
  filters: JobRunFilters
  right: ReactNode
  onChange(change: JobRunFilterChange): void
  onClear(): void
}

/** A filter that only links set (one trigger, one backfill): named, and taken out by a click. */
function SetFilter({ name, onDrop }: { name: string; onDrop(): void }) {
  const { t } = useTranslation('jobRuns')
  return (
    <Button
      variant="light"
      fw={400}
      rightSection={<IconX size={12} />}
      aria-label={t('filters.drop', { name })}
      onClick={onDrop}
    >
      {name}
    </Button>
  )
}

export function JobRunFilterBar({ filters, right, onChange, onClear }: JobRunFilterBarProps) {
  const { t } = useTranslation('jobRuns')
  const { t: run } = useTranslation('runs')
  return (
    <Toolbar right={right}>
      <Select
        w={160}
        aria-label={run('filters.status')}
        placeholder={run('filters.anyStatus')}
        data={statusChoices.map((status) => ({ value: status as string, label: t(`jobStatus.${status}`) }))}
        value={filters.status ?? null}
        clearable
        onChange={(value) => onChange({ status: statusChoices.find((status) => status === value) ?? null })}
      />
      <JobFilter value={filters.job_id} onChange={(id) => onChange({ job_id: id })} />
      <Select
        w={140}
        aria-label={run('filters.trigger')}
        placeholder={run('filters.anyTrigger')}
        data={triggerTypes.map((trigger) => ({ value: trigger as string, label: run(`trigger.${trigger}`) }))}
        value={filters.trigger_type ?? null}
        clearable
        onChange={(value) => onChange({ trigger_type: triggerTypes.find((trigger) => trigger === value) ?? null })}
      />
      <TimeFilter filters={filters} onChange={onChange} />
      {filters.trigger_id ? (
        <SetFilter
          name={t('filters.oneTrigger', { id: filters.trigger_id })}
          onDrop={() => onChange({ trigger_id: null })}
        />
      ) : null}
      {filters.backfill_id ? (
        <SetFilter name={t('filters.oneBackfill')} onDrop={() => onChange({ backfill_id: null })} />
      ) : null}
      {anyFilter(filters) ? (
        <CommandButton
          id="list.clear-filters"
          label={run('filters.clearAll')}
          variant="subtle"
          color="gray"
          onClick={onClear}
          shortcut="shift+f"
        />
      ) : null}
    </Toolbar>
  )
}
