import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { getJobTemplate, listJobTemplates } from '../../../contract/job-templates.ts'
import type { getJob, listJobs } from '../../../contract/jobs.ts'
import type { getTask, listTasks } from '../../../contract/tasks.ts'
import { operationQuery, useOperation } from '../../api/queries.ts'
import { useNoOptions } from '../no-options.ts'
import { FilterMenu } from './FilterMenu.tsx'

interface RecordsFilterProps {
  get: typeof getTask | typeof getJob | typeof getJobTemplate
  list: typeof listTasks | typeof listJobs | typeof listJobTemplates
  label: string
  single?: boolean
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** Chooses records by name; the server searches, so that ten thousand records cost no more than ten. */
export function RecordsFilter({ get, list, label, single = false, chosen, onChange }: RecordsFilterProps) {
  const { t } = useTranslation('lists')
  const [text, setText] = useState('')
  const [opened, setOpened] = useState(false)
  const [q] = useDebouncedValue(text, 150)
  const nothingOf = useNoOptions()
  const own = useQueries({
    queries: chosen.map((id) => operationQuery(get, { params: { id: Number(id) } })),
    combine: (results) => results.map(({ data }, index) => ({ id: chosen[index] ?? '', name: data?.name })),
  })
  const found = useOperation(
    list,
    { query: { limit: 50, sort: 'name', order: 'asc', ...(q ? { q } : {}) } },
    { enabled: opened, keepPrevious: true },
  )
  const chosenOptions = own.map(({ id, name }) => ({ value: id, label: name ?? `#${id}` }))
  const others = (found.data?.result ?? [])
    .map((record) => ({ value: String(record.id), label: record.name }))
    .filter(({ value }) => !chosen.includes(value))
  return (
    <FilterMenu
      label={label}
      single={single}
      options={q ? [...others, ...chosenOptions] : [...chosenOptions, ...others]}
      chosen={chosen}
      search={{ text, onChange: setText, nothing: nothingOf(found, q !== '', t('filter.nothing')) }}
      onOpen={() => setOpened(true)}
      onChange={onChange}
    />
  )
}
