import { useTranslation } from 'react-i18next'
import { getJob, listJobs } from '../../../contract/jobs.ts'
import { RecordFilter } from '../../ui/RecordFilter.tsx'

export interface JobFilterProps {
  value: number | undefined
  onChange(id: number | null): void
  /** A form has a field of its full width; a toolbar has a filter. */
  field?: { placeholder: string; error?: boolean }
}

/** Chooses a job by name. */
export function JobFilter({ value, onChange, field }: JobFilterProps) {
  const { t } = useTranslation('jobRuns')
  return (
    <RecordFilter
      get={getJob}
      list={listJobs}
      label={t('filters.job')}
      placeholder={field?.placeholder ?? t('filters.anyJob')}
      nothingFound={t('filters.noJob')}
      value={value}
      onChange={onChange}
      error={field?.error}
      width={field ? '100%' : 200}
      first={field !== undefined && value === undefined}
    />
  )
}
