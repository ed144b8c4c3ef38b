import { Button, Checkbox } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { SearchField, Toolbar } from '../Toolbar.tsx'
import type { DocumentListAddress } from './use-document-list.ts'

interface DocumentToolbarProps {
  address: DocumentListAddress
  searchLabel: string
  /** How many there are, in words; null until it is known. */
  total: string | null
}

/** Search, the chosen tag and the archive above a list of documents. */
export function DocumentToolbar({ address, searchLabel, total }: DocumentToolbarProps) {
  const { t } = useTranslation('documents')
  const { q, tag, archived, set } = address
  return (
    <Toolbar right={total === null ? null : <span role="status">{total}</span>}>
      <SearchField value={q} onChange={(value) => set({ q: value })} label={searchLabel} />
      {tag ? (
        <Button
          variant="light"
          rightSection={<IconX size={13} />}
          onClick={() => set({ tag: null })}
          title={t('list.clearTag')}
        >
          {t('list.tag', { tag })}
        </Button>
      ) : null}
      <Checkbox
        label={t('list.archivedOnly')}
        checked={archived}
        onChange={(event) => set({ archived: event.currentTarget.checked ? 'true' : null })}
      />
    </Toolbar>
  )
}
