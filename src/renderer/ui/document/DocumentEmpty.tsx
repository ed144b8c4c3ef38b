import { Button } from '@mantine/core'
import { type TablerIcon, IconArchive, IconFilterOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../EmptyState.tsx'
import type { DocumentListAddress } from './use-document-list.ts'

interface Words {
  title: string
  text: string
}

interface DocumentEmptyProps {
  address: DocumentListAddress
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
  const { q, tag, archived, set } = address
  if (q !== '' || tag !== null) {
    return (
      <EmptyState
        icon={IconFilterOff}
        {...noneMatches}
        action={
          <Button variant="default" onClick={() => set({ q: null, tag: null })}>
            {t('list.clearFilters')}
          </Button>
        }
      />
    )
  }
  if (archived) return <EmptyState icon={IconArchive} title={t('list.archivedEmptyTitle')} text={archivedText} />
  return <EmptyState icon={icon} {...none} action={action} />
}
