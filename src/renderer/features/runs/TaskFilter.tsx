import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getTask, listTasks } from '../../../contract/tasks.ts'
import { useOperation } from '../../api/queries.ts'

/** Chooses a task by name; the server searches, so that ten thousand tasks cost no more than ten. */
export function TaskFilter({ value, onChange }: { value: number | undefined; onChange(id: number | null): void }) {
  const { t } = useTranslation('runs')
  const [text, setText] = useState('')
  const [opened, setOpened] = useState(false)
  const [q] = useDebouncedValue(text, 150)
  const chosen = useOperation(getTask, { params: { id: value ?? 0 } }, { enabled: value !== undefined })
  const name = chosen.data?.name ?? (value === undefined ? '' : `#${value}`)
  const found = useOperation(
    listTasks,
    { query: { limit: 50, sort: 'name', order: 'asc', ...(q && q !== name ? { q } : {}) } },
    { enabled: opened, keepPrevious: true },
  )
  const options = (found.data?.result ?? []).map((task) => ({ value: String(task.id), label: task.name }))
  const own = value === undefined ? [] : [{ value: String(value), label: name }]
  return (
    <Select
      w={200}
      aria-label={t('filters.task')}
      placeholder={t('filters.anyTask')}
      data={[...own, ...options.filter((option) => option.value !== own[0]?.value)]}
      value={value === undefined ? null : String(value)}
      searchable
      clearable
      filter={({ options: all }) => all}
      onSearchChange={setText}
      onDropdownOpen={() => setOpened(true)}
      nothingFoundMessage={t('filters.noTask')}
      onChange={(id) => onChange(id === null ? null : Number(id))}
    />
  )
}
