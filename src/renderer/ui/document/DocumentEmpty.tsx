import { Button } from '@mantine/core'
import { type TablerIcon, IconArchive, IconFilterOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../EmptyState.tsx'
import type { ListAddress } from '../work-list/use-list-address.ts'

interface Words {
  title: string
  text: string
}

interface DocumentEmptyProps {
  address: ListAddress
  icon: TablerIcon
  none: Words
  noneMatches: Words
  archivedText: string
  /** How the first one is made. */
  action: ReactNode
}

/** Why a list of documents shows nothing: none matches, none is archived, or there is none yet. */
export function DocumentEmpty({ address, icon, none, noneMatches, archivedText, action }: DocumentEmptyProps) {
  const { t } = useTranslation('documents')
  const { archived, filtered, clear } = address
  if (filtered) {
    return (
      <EmptyState
        icon={IconFilterOff}
        {...noneMatches}
        action={
          <Button variant="default" onClick={clear}>
            {t('list.clearFilters')}
          </Button>
        }
      />
    )
  }
  if (archived) return <EmptyState icon={IconArchive} title={t('list.archivedEmptyTitle')} text={archivedText} />
  return <EmptyState icon={icon} {...none} action={action} />
}
