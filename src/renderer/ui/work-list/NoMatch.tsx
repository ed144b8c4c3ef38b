import { IconFilterOff, IconSearchOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CommandButton } from '../CommandButton.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { clearFilters } from './ClearFilters.tsx'
import type { ListAddress } from './use-list-address.ts'

/** What a list shows that is narrowed to nothing, and the way back to all of it. `title`: of what there is none, without by what. */
export function NoMatch({
  title,
  address,
}: {
  title: string
  address: Pick<ListAddress, 'q' | 'filtered' | 'onlySearched' | 'clear'>
}) {
  const { t } = useTranslation('lists')
  const { q, filtered, onlySearched, clear } = address
  return (
    <EmptyState
      icon={onlySearched ? IconSearchOff : IconFilterOff}
      title={t(`filter.none.${onlySearched ? 'search' : q === '' ? 'filters' : 'both'}`, { what: title, q })}
      action={
        filtered ? (
          <CommandButton
            {...clearFilters}
            label={t(onlySearched ? 'filter.clearSearch' : 'filter.clearAll')}
            variant="default"
            onClick={clear}
          />
        ) : undefined
      }
    />
  )
}
