import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getUser, listUsers } from '../../../contract/users.ts'
import { useOperation } from '../../api/queries.ts'
import { useNoOptions } from '../../ui/no-options.ts'

interface UserFilterProps {
  value: number | undefined
  onChange: (id: number | null) => void
}

/** Chooses a user by name. One who is gone stands by his number. */
export function UserFilter({ value, onChange }: UserFilterProps) {
  const { t } = useTranslation('audit')
  const [text, setText] = useState('')
  const [opened, setOpened] = useState(false)
  const [q] = useDebouncedValue(text, 150)
  const nothingOf = useNoOptions()
  const chosen = useOperation(getUser, { params: { id: value ?? 0 } }, { enabled: value !== undefined })
  const name = chosen.data?.username ?? (value === undefined ? '' : `#${value}`)
  const searched = q !== '' && q !== name
  const found = useOperation(
    listUsers,
    { query: { limit: 50, ...(searched ? { q } : {}) } },
    { enabled: opened, keepPrevious: true },
  )
  const own = value === undefined ? [] : [{ value: String(value), label: name }]
  const options = (found.data?.result ?? []).map((user) => ({ value: String(user.id), label: user.username }))
  return (
    <Select
      w={140}
      aria-label={t('filters.user')}
      placeholder={t('filters.anyUser')}
      data={[...own, ...options.filter((option) => option.value !== own[0]?.value)]}
      value={value === undefined ? null : String(value)}
      searchable
      clearable
      filter={({ options: all }) => all}
      onSearchChange={setText}
      onDropdownOpen={() => setOpened(true)}
      nothingFoundMessage={nothingOf(found, searched, t('filters.noUser'))}
      onChange={(id) => onChange(id === null ? null : Number(id))}
    />
  )
}
