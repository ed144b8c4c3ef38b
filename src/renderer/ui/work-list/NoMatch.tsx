import { Button } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../EmptyState.tsx'
import type { ListAddress } from './use-list-address.ts'

/** What a list shows that is narrowed to nothing, and the way back to all of it. */
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
      icon={IconFilterOff}
      title={title}
      text={t(`filter.change.${onlySearched ? 'search' : q === '' ? 'filters' : 'both'}`)}
      action={
        filtered ? (
          <Button variant="default" onClick={clear}>
            {t(onlySearched ? 'filter.clearSearch' : 'filter.clearAll')}
          </Button>
        ) : undefined
      }
    />
  )
}
