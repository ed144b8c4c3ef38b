import { useTranslation } from 'react-i18next'
import { CommandButton } from '../CommandButton.tsx'
import type { ListAddress } from './use-list-address.ts'

/** Takes back all filters of a list; nothing where none is set. */
export function ClearFilters({ address }: { address: Pick<ListAddress, 'filtered' | 'onlySearched' | 'clear'> }) {
  const { t } = useTranslation('lists')
  if (!address.filtered) return null
  return (
    <CommandButton
      id="list.clear-filters"
      label={t(address.onlySearched ? 'filter.clearSearch' : 'filter.clearAll')}
      variant="subtle"
      color="gray"
      onClick={address.clear}
      shortcut="shift+f"
    />
  )
}
