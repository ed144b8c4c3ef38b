import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getJob, listJobs } from '../../../contract/jobs.ts'
import { useOperation } from '../../api/queries.ts'

export interface JobFilterProps {
  value: number | undefined
  onChange(id: number | null): void
  /** A form has a field of its full width; a toolbar has a filter. */
  field?: { placeholder: string; error?: boolean }
}

/** Chooses a job by name; the server searches, so that ten thousand jobs cost no more than ten. */
export function JobFilter({ value, onChange, field }: JobFilterProps) {
  const { t } = useTranslation('jobRuns')
  const [text, setText] = useState('')
  const [opened, setOpened] = useState(false)
  const [q] = useDebouncedValue(text, 150)
  const chosen = useOperation(getJob, { params: { id: value ?? 0 } }, { enabled: value !== undefined })
  const name = chosen.data?.name ?? (value === undefined ? '' : `#${value}`)
  const found = useOperation(
    listJobs,
    { query: { limit: 50, sort: 'name', order: 'asc', ...(q && q !== name ? { q } : {}) } },
    { enabled: opened, keepPrevious: true },
  )
  const options = (found.data?.result ?? []).map((job) => ({ value: String(job.id), label: job.name }))
  const own = value === undefined ? [] : [{ value: String(value), label: name }]
  return (
    <Select
      w={field ? '100%' : 200}
      aria-label={t('filters.job')}
      placeholder={field?.placeholder ?? t('filters.anyJob')}
      error={field?.error}
      data={[...own, ...options.filter((option) => option.value !== own[0]?.value)]}
      value={value === undefined ? null : String(value)}
      searchable
      clearable
      filter={({ options: all }) => all}
      onSearchChange={setText}
      onDropdownOpen={() => setOpened(true)}
      nothingFoundMessage={t('filters.noJob')}
      onChange={(id) => onChange(id === null ? null : Number(id))}
    />
  )
}
