import { IconCopy, IconDownload, IconPackageExport } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSession } from '../../api/session.ts'
import { ActionMenu, type MenuAction } from '../ActionMenu.tsx'
import type { DocumentKind, DocumentRecord } from './document.types.ts'
import { downloadText } from '../download.ts'
import { useArchiving } from '../use-archiving.tsx'
import { exportPath } from './export-path.ts'

interface DocumentMenuProps {
  kind: DocumentKind
  record: DocumentRecord
  text: string
  /** What this kind has beside. */
  more?: readonly MenuAction[]
}

/** What is done to a task or template as a whole. */
export function DocumentMenu({ kind, record, text, more }: DocumentMenuProps) {
  const { t } = useTranslation('documents')
  const { t: own } = useTranslation(kind.words)
  const { can } = useSession()
  const navigate = useNavigate()
  const archiving = useArchiving({
    noun: kind.name,
    id: record.id,
    archived: record.archived === 1,
    archive: kind.archive,
    restore: kind.restore,
    invalidates: [kind.get.id, kind.list.id],
    words: {
      archive: t('menu.archive'),
      archiveDo: own('page.archiveDo'),
      restore: t('menu.restore'),
      title: t('menu.archiveTitle', { name: record.name }),
      text: own('page.archiveText'),
    },
  })
  const actions = [
    ...(more ?? []),
    {
      id: `${kind.name}.duplicate`,
      title: t('menu.duplicate'),
      icon: IconCopy,
      when: can(kind.create.id),
      run: () => void navigate(kind.paths.create({ sample: 'copy' }), { state: { yaml: text } }),
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
    archiving.action,
  ]
  return (
    <>
      <ActionMenu label={t('menu.more')} actions={actions} />
      {archiving.dialog}
    </>
  )
}
