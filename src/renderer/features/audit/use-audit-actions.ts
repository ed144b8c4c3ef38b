import { IconCopy, IconDownload, IconFilter, IconUser } from '@tabler/icons-react'
import { notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditRecord } from '../../../contract/audit.ts'
import { copyText } from '../../ui/copy-text.ts'
import { downloadText } from '../../ui/download.ts'
import { type AddressChange } from '../../ui/use-address.ts'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'

/** As the export of the server has them: one JSON object a line, oldest first. */
const linesOf = (records: readonly AuditRecord[]) =>
  records
    .toSorted((a, b) => a.id - b.id)
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')

/** What can be done with records of the audit log in the list. */
export function useAuditActions(filter: (change: AddressChange) => void): ListAction<AuditRecord>[] {
  const { t } = useTranslation('audit')
  return useMemo(
    () => [
      {
        id: 'of-record',
        label: t('detail.ofRecord'),
        icon: IconFilter,
        shortcut: 'f',
        only: 1,
        when: ({ entity, entity_id }) => entity !== null && entity_id !== null,
        go: ([row]) => row && filter({ entity: row.entity, entity_id: String(row.entity_id) }),
      },
      {
        id: 'of-user',
        label: t('detail.ofUser'),
        icon: IconUser,
        only: 1,
        when: ({ user_id }) => user_id !== null,
        go: ([row]) => row && filter({ user_id: String(row.user_id) }),
      },
      {
        id: 'copy',
        label: t('copyRecords'),
        icon: IconCopy,
        go: (rows) => {
          copyText(linesOf(rows)).then(
            () => notifications.show({ message: t('copied', { count: rows.length }) }),
            (error: Error) => notifications.show({ color: 'red', message: error.message }),
          )
        },
      },
      {
        id: 'export',
        label: t('exportSelected'),
        icon: IconDownload,
        go: (rows) => downloadText('audit.ndjson', linesOf(rows), 'application/x-ndjson'),
      },
    ],
    [t, filter],
  )
}
