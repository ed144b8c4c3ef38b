import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../RelativeTime.tsx'
import { Tags } from '../Tags.tsx'
import type { TableColumn } from '../table.types.ts'

export interface DocumentRow {
  id: number
  archived: 0 | 1
  name: string
  description: string | null
  tags: readonly string[]
  current_version: number
  created_at: string
  updated_at: string | null
}

/** The columns of a list of documents; what one kind alone has stands before the version. */
export function useDocumentColumns<Row extends DocumentRow>(
  own: readonly TableColumn<Row>[],
  onTag: (tag: string) => void,
): TableColumn<Row>[] {
  const { t } = useTranslation('documents')
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('list.columns.name'),
        minWidth: 168,
        grow: 2,
        sortable: true,
        names: true,
        cell: (row) => row.name,
      },
      {
        id: 'description',
        header: t('list.columns.description'),
        minWidth: 160,
        grow: 4,
        cell: (row) =>
          row.description ? (
            // Its ellipsis has its color.
            <Text inherit truncate c="var(--hg-text-muted)" title={row.description}>
              {row.description}
            </Text>
          ) : null,
      },
      {
        id: 'tags',
        header: t('list.columns.tags'),
        minWidth: 112,
        grow: 0,
        cell: (row) => <Tags tags={row.tags} onTag={onTag} brief />,
      },
      ...own,
      {
        id: 'version',
        yields: 2,
        header: t('list.columns.version'),
        width: 72,
        align: 'right',
        cell: (row) => t('page.version', { version: row.current_version }),
      },
      {
        id: 'updated_at',
        yields: 3,
        header: t('list.columns.updated'),
        width: 96,
        sortable: true,
        cell: (row) => <RelativeTime at={row.updated_at ?? row.created_at} />,
      },
      {
        id: 'created_at',
        header: t('list.columns.created'),
        width: 96,
        sortable: true,
        hidden: true,
        cell: (row) => <RelativeTime at={row.created_at} />,
      },
    ],
    [t, own, onTag],
  )
}
