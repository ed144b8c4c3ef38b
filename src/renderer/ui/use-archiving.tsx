import { notifications } from '@mantine/notifications'
import { IconArchive, IconArchiveOff } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { archiveDashboardTemplate, restoreDashboardTemplate } from '../../contract/dashboard-templates.ts'
import type { archiveJobTemplate, restoreJobTemplate } from '../../contract/job-templates.ts'
import type { archiveJob, restoreJob } from '../../contract/jobs.ts'
import type { OperationId } from '../../contract/operations.ts'
import type { archiveTask, restoreTask } from '../../contract/tasks.ts'
import { useAction } from '../api/queries.ts'
import { useSession } from '../api/session.ts'
import type { MenuAction } from './ActionMenu.tsx'
import { ConfirmDialog } from './ConfirmDialog.tsx'

export interface ArchivingProps {
  /** Begins the names of the commands: `job.archive`. */
  noun: string
  id: number
  archived: boolean
  archive: typeof archiveTask | typeof archiveJobTemplate | typeof archiveDashboardTemplate | typeof archiveJob
  restore: typeof restoreTask | typeof restoreJobTemplate | typeof restoreDashboardTemplate | typeof restoreJob
  invalidates: readonly OperationId[]
  words: {
    archive: string
    /** The button that confirms it. */
    archiveDo: string
    restore: string
    /** The question before it is archived, and what becomes of it there. */
    title: string
    text: string
  }
}

/** Into the archive after a question, out of it at once: an entry of a record's menu, and the dialog that it opens. */
export function useArchiving(record: ArchivingProps): { action: MenuAction; dialog: ReactNode } {
  const { noun, id, archived, invalidates, words } = record
  const { can } = useSession()
  const [asking, setAsking] = useState(false)
  const archive = useAction(record.archive, { invalidates })
  const restore = useAction(record.restore, { invalidates })
  const action: MenuAction = archived
    ? {
        id: `${noun}.restore`,
        title: words.restore,
        icon: IconArchiveOff,
        needsServer: true,
        when: can(record.restore.id),
        run: () =>
          restore.mutate(
            { params: { id } },
            { onError: (failure) => notifications.show({ color: 'red', message: failure.message }) },
          ),
      }
    : {
        id: `${noun}.archive`,
        title: words.archive,
        icon: IconArchive,
        needsServer: true,
        when: can(record.archive.id),
        run: () => setAsking(true),
      }
  const dialog = (
    <ConfirmDialog
      opened={asking}
      title={words.title}
      text={words.text}
      confirmLabel={words.archiveDo}
      busy={archive.isPending}
      error={archive.error?.message}
      onConfirm={() => archive.mutate({ params: { id } }, { onSuccess: () => setAsking(false) })}
      onClose={() => setAsking(false)}
    />
  )
  return { action, dialog }
}
