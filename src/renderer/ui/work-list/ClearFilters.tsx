import { useTranslation } from 'react-i18next'
import { CommandButton } from '../CommandButton.tsx'
import type { ListAddress } from './use-list-address.ts'

/** The command, wherever its button stands. */
export const clearFilters = { id: 'list.clear-filters', shortcut: 'shift+f' } as const

interface ClearFiltersProps {
  address: Pick<ListAddress, 'filtered' | 'onlySearched' | 'clear'>
  /** The list shows that nothing matches, with this button. */
  none: boolean
}

/** Takes back all filters of a list; nothing where none is set. A search alone is cleared in its field. */
export function ClearFilters({ address, none }: ClearFiltersProps) {
  const { t } = useTranslation('lists')
  if (none || !address.filtered || address.onlySearched) return null
  return (
    <CommandButton
      {...clearFilters}
      label={t('filter.clearAll')}
      variant="subtle"
      color="gray"
      onClick={address.clear}
    />
  )
}
