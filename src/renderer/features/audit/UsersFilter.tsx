import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getUser, listUsers } from '../../../contract/users.ts'
import { operationQuery, useOperation } from '../../api/queries.ts'
import { useNoOptions } from '../../ui/no-options.ts'
import { FilterMenu } from '../../ui/work-list/FilterMenu.tsx'

interface UsersFilterProps {
  chosen: readonly string[]
  onChange: (ids: string[]) => void
}

/** Chooses users by name. One who is gone stands by his number. */
export function UsersFilter({ chosen, onChange }: UsersFilterProps) {
  const { t } = useTranslation('audit')
  const [text, setText] = useState('')
  const [opened, setOpened] = useState(false)
  const [q] = useDebouncedValue(text, 150)
  const nothingOf = useNoOptions()
  const own = useQueries({
    queries: chosen.map((id) => operationQuery(getUser, { params: { id: Number(id) } })),
    combine: (results) =>
      results.map(({ data }, index) => ({
        value: chosen[index] ?? '',
        label: data?.username ?? `#${chosen[index]}`,
      })),
  })
  const found = useOperation(
    listUsers,
    { query: { limit: 50, ...(q ? { q } : {}) } },
    { enabled: opened, keepPrevious: true },
  )
  const others = (found.data?.result ?? [])
    .map((user) => ({ value: String(user.id), label: user.username }))
    .filter(({ value }) => !chosen.includes(value))
  return (
    <FilterMenu
      label={t('filters.user')}
      options={q ? [...others, ...own] : [...own, ...others]}
      chosen={chosen}
      search={{ text, onChange: setText, nothing: nothingOf(found, q !== '', t('filters.noUser')) }}
      onOpen={() => setOpened(true)}
      onChange={onChange}
    />
  )
}
