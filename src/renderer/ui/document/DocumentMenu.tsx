import { notifications } from '@mantine/notifications'
import { IconArchive, IconArchiveOff, IconCopy, IconDownload, IconPackageExport } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { ActionMenu } from '../ActionMenu.tsx'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import type { DocumentKind, DocumentRecord } from './document.types.ts'
import { downloadText } from '../download.ts'
import { exportPath } from './export-path.ts'

interface DocumentMenuProps {
  kind: DocumentKind
  record: DocumentRecord
  text: string
  /** What becomes of it in the archive. */
  archiveText: string
  onDuplicate(): void
}

/** What is done to a task or template as a whole. */
export function DocumentMenu({ kind, record, text, archiveText, onDuplicate }: DocumentMenuProps) {
  const { t } = useTranslation('documents')
  const { can } = useSession()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const invalidates = [kind.get.id, ...kind.lists]
  const archive = useAction(kind.archive, { invalidates })
  const restore = useAction(kind.restore, { invalidates })
  const archived = record.archived === 1

  const doRestore = () =>
    restore.mutate(
      { params: { id: record.id } },
      { onError: (failure) => notifications.show({ color: 'red', message: failure.message }) },
    )
  const actions = [
    {
      id: `${kind.name}.duplicate`,
      title: t('menu.duplicate'),
      icon: IconCopy,
      when: can(kind.create.id),
      run: onDuplicate,
    },
    {
      id: `${kind.name}.download`,
      title: t('menu.download'),
      icon: IconDownload,
      when: true,
      run: () => downloadText(`${record.name.replace(/[^\w.-]+/g, '_')}.yaml`, text),
    },
    {
      id: `${kind.name}.export`,
      title: t('menu.export'),
      icon: IconPackageExport,
      when: can('exportBundle'),
      run: () => void navigate(exportPath(kind.name, [record.id])),
    },
    archived
      ? {
          id: `${kind.name}.restore`,
          title: t('menu.restore'),
          icon: IconArchiveOff,
          when: can(kind.restore.id),
          run: doRestore,
        }
      : {
          id: `${kind.name}.archive`,
          title: t('menu.archive'),
          icon: IconArchive,
          when: can(kind.archive.id),
          run: () => setAsking(true),
        },
  ]
  return (
    <>
      <ActionMenu label={t('menu.more')} actions={actions} />
      <ConfirmDialog
        opened={asking}
        title={t('menu.archiveTitle', { name: record.name })}
        text={archiveText}
        confirmLabel={t('menu.archive')}
        busy={archive.isPending}
        error={archive.error?.message}
        onConfirm={() => archive.mutate({ params: { id: record.id } }, { onSuccess: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
