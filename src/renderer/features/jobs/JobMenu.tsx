import { notifications } from '@mantine/notifications'
import { IconArchive, IconArchiveOff, IconArrowUp, IconCalendarRepeat } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type JobDetail, archiveJob, restoreJob } from '../../../contract/jobs.ts'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'

interface JobMenuProps {
  job: JobDetail
  onBackfill: () => void
  onUpgrade: () => void
}

/** What is done to a job as a whole. */
export function JobMenu({ job, onBackfill, onUpgrade }: JobMenuProps) {
  const { t } = useTranslation('jobs')
  const { can } = useSession()
  const [asking, setAsking] = useState(false)
  const invalidates = ['getJob', 'listJobs', 'listTriggers'] as const
  const archive = useAction(archiveJob, { invalidates })
  const restore = useAction(restoreJob, { invalidates })
  const archived = job.status === 'archived'
  const doRestore = () =>
    restore.mutate(
      { params: { id: job.id } },
      { onError: (failure) => notifications.show({ color: 'red', message: failure.message }) },
    )
  const actions = [
    {
      id: 'job.backfill',
      title: t('page.backfill'),
      icon: IconCalendarRepeat,
      when: !archived && can('backfillJob'),
      run: onBackfill,
    },
    { id: 'job.upgrade', title: t('page.upgrade'), icon: IconArrowUp, when: can('upgradeJob'), run: onUpgrade },
    archived
      ? { id: 'job.restore', title: t('page.restore'), icon: IconArchiveOff, when: can('restoreJob'), run: doRestore }
      : {
          id: 'job.archive',
          title: t('page.archive'),
          icon: IconArchive,
          when: can('archiveJob'),
          run: () => setAsking(true),
        },
  ]
  return (
    <>
      <ActionMenu label={t('page.more')} actions={actions} />
      <ConfirmDialog
        opened={asking}
        title={t('page.archiveTitle', { name: job.name })}
        text={t('page.archiveText')}
        confirmLabel={t('page.archive')}
        busy={archive.isPending}
        error={archive.error?.message}
        onConfirm={() => archive.mutate({ params: { id: job.id } }, { onSuccess: () => setAsking(false) })}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
