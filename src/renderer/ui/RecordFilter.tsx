import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { getJobTemplate, listJobTemplates } from '../../contract/job-templates.ts'
import type { getJob, listJobs } from '../../contract/jobs.ts'
import type { getTask, listTasks } from '../../contract/tasks.ts'
import { useOperation } from '../api/queries.ts'
import { useNoOptions } from './no-options.ts'

interface RecordFilterProps {
  get: typeof getTask | typeof getJob | typeof getJobTemplate
  list: typeof listTasks | typeof listJobs | typeof listJobTemplates
  /** What is chosen, for screen readers. */
  label: string
  placeholder: string
  nothingFound: string
  value: number | undefined
  onChange(id: number | null): void
  error?: boolean | undefined
  width: number | string
  /** A dialog begins here. */
  first?: boolean
}

/** Chooses a record by name; the server searches, so that ten thousand records cost no more than ten. */
export function RecordFilter({
  get,
  list,
  label,
  placeholder,
  nothingFound,
  value,
  onChange,
  error,
  width,
  first,
}: RecordFilterProps) {
  const [text, setText] = useState('')
  const [opened, setOpened] = useState(false)
  const [q] = useDebouncedValue(text, 150)
  const nothingOf = useNoOptions()
  const chosen = useOperation(get, { params: { id: value ?? 0 } }, { enabled: value !== undefined })
  const name = chosen.data?.name ?? (value === undefined ? '' : `#${value}`)
  const searched = q !== '' && q !== name
  const found = useOperation(
    list,
    { query: { limit: 50, sort: 'name', order: 'asc', ...(searched ? { q } : {}) } },
    { enabled: opened, keepPrevious: true },
  )
  const options = (found.data?.result ?? []).map((record) => ({ value: String(record.id), label: record.name }))
  const own = value === undefined ? [] : [{ value: String(value), label: name }]
  return (
    <Select
      w={width}
      aria-label={label}
      data-autofocus={first || undefined}
      // A dialog that has just opened is seen whole first.
      openOnFocus={!first}
      placeholder={placeholder}
      error={error}
      data={[...own, ...options.filter((option) => option.value !== own[0]?.value)]}
      value={value === undefined ? null : String(value)}
      searchable
      clearable
      filter={({ options: all }) => all}
      onSearchChange={setText}
      onDropdownOpen={() => setOpened(true)}
      nothingFoundMessage={nothingOf(found, searched, nothingFound)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
    />
  )
}
