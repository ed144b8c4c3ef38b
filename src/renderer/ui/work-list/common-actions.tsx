/** Actions that many lists have. Those of a list are put together by its page, which knows who may do what. */
import { notifications } from '@mantine/notifications'
import { IconArchive, IconArchiveOff, IconArrowsDiff, IconLink, IconPackageExport, IconTag } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import type { NavigateFunction } from 'react-router'
import type { TagChange, TagResult } from '../../../contract/documents.ts'
import { copyText } from '../copy-text.ts'
import { TagDialog } from './TagDialog.tsx'
import type { ListAction } from './work-list.types.ts'

type Words = TFunction<'lists'>
interface Record {
  id: number
}

export const linkAction = <Row extends Record>(t: Words, pathOf: (row: Row) => string): ListAction<Row> => ({
  id: 'copy-link',
  label: t('actions.copyLink'),
  icon: IconLink,
  only: 1,
  go: ([row]) => {
    if (!row) return
    copyText(new URL(pathOf(row), location.href).href).then(
      () => notifications.show({ message: t('actions.linkCopied') }),
      (error: Error) => notifications.show({ color: 'red', message: error.message }),
    )
  },
})

/** Two of them, the older one left. */
export const compareAction = <Row extends Record>(
  t: Words,
  navigate: NavigateFunction,
  pathOf: (a: number, b: number) => string,
): ListAction<Row> => ({
  id: 'compare',
  label: t('actions.compare'),
  icon: IconArrowsDiff,
  shortcut: 'd',
  only: 2,
  go: (rows) => {
    const [a, b] = rows.map(({ id }) => id).toSorted((x, y) => x - y)
    if (a !== undefined && b !== undefined) void navigate(pathOf(a, b))
  },
})

export const exportAction = <Row extends Record>(
  t: Words,
  navigate: NavigateFunction,
  pathOf: (ids: readonly number[]) => string,
): ListAction<Row> => ({
  id: 'export',
  label: t('actions.export'),
  icon: IconPackageExport,
  // The address of the page names each of them.
  most: 1000,
  go: (rows) => void navigate(pathOf(rows.map(({ id }) => id))),
})

/** Adds and removes tags; what that changed in a record takes it back. */
export const tagAction = <Row extends Record & { tags: readonly string[] }>(
  t: Words,
  tag: (id: number, change: TagChange) => Promise<TagResult>,
): ListAction<Row> => ({
  id: 'tag',
  label: t('actions.tag'),
  icon: IconTag,
  shortcut: 't',
  form: ({ rows, listed, perform, onClose }) => (
    <TagDialog
      records={rows}
      listed={listed}
      onClose={onClose}
      onSubmit={(change) =>
        perform(async ({ id }) => {
          const { added, removed } = await tag(id, change)
          if (added.length + removed.length > 0) return () => tag(id, { add: removed, remove: added })
        })
      }
    />
  ),
  done: (count) => t('actions.tagged', { count }),
})

interface Archiving<Row> {
  isArchived: (row: Row) => boolean
  archive: (id: number) => Promise<unknown>
  restore: (id: number) => Promise<unknown>
}

/** Into the archive and out of it: each takes the other back. */
export const archiveActions = <Row extends Record>(
  t: Words,
  { isArchived, archive, restore }: Archiving<Row>,
): ListAction<Row>[] => [
  {
    id: 'archive',
    label: t('actions.archive'),
    icon: IconArchive,
    when: (row) => !isArchived(row),
    perform: async ({ id }) => {
      await archive(id)
      return () => restore(id)
    },
    done: (count) => t('actions.archived', { count }),
  },
  {
    id: 'restore',
    label: t('actions.restore'),
    icon: IconArchiveOff,
    when: isArchived,
    perform: async ({ id }) => {
      await restore(id)
      return () => archive(id)
    },
    done: (count) => t('actions.restored', { count }),
  },
]
