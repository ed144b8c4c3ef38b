import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getUser, listUsers } from '../../../contract/users.ts'
import { useOperation } from '../../api/queries.ts'
import { useNoOptions } from '../../ui/no-options.ts'
import { FilterMenu } from '../../ui/work-list/FilterMenu.tsx'

interface UsersFilterProps {
  value: number | undefined
  onChange: (id: string[]) => void
}

/** Chooses a user by name. One who is gone stands by his number. */
export function UsersFilter({ value, onChange }: UsersFilterProps) {
  const { t } = useTranslation('audit')
  const [text, setText] = useState('')
  const [opened, setOpened] = useState(false)
  const [q] = useDebouncedValue(text, 150)
  const nothingOf = useNoOptions()
  const chosen = useOperation(getUser, { params: { id: value ?? 0 } }, { enabled: value !== undefined })
  const found = useOperation(
    listUsers,
    { query: { limit: 50, ...(q ? { q } : {}) } },
    { enabled: opened, keepPrevious: true },
  )
  const own = value === undefined ? [] : [{ value: String(value), label: chosen.data?.username ?? `#${value}` }]
  const others = (found.data?.result ?? [])
    .map((user) => ({ value: String(user.id), label: user.username }))
    .filter((option) => option.value !== own[0]?.value)
  return (
    <FilterMenu
      label={t('filters.user')}
      single
      options={q ? [...others, ...own] : [...own, ...others]}
      chosen={value === undefined ? [] : [String(value)]}
      search={{ text, onChange: setText, nothing: nothingOf(found, q !== '', t('filters.noUser')) }}
      onOpen={() => setOpened(true)}
      onChange={onChange}
    />
  )
}
