import { IconArrowUp, IconCalendarRepeat } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { type JobDetail, archiveJob, restoreJob } from '../../../contract/jobs.ts'
import { useSession } from '../../api/session.ts'
import { ActionMenu } from '../../ui/ActionMenu.tsx'
import { useArchiving } from '../../ui/use-archiving.tsx'

interface JobMenuProps {
  job: JobDetail
  onBackfill: () => void
  onUpgrade: () => void
}

/** What is done to a job as a whole. */
export function JobMenu({ job, onBackfill, onUpgrade }: JobMenuProps) {
  const { t } = useTranslation('jobs')
  const { can } = useSession()
  const archived = job.status === 'archived'
  const archiving = useArchiving({
    noun: 'job',
    id: job.id,
    archived,
    archive: archiveJob,
    restore: restoreJob,
    invalidates: ['getJob', 'listJobs', 'listTriggers'],
    words: {
      archive: t('page.archive'),
      archiveDo: t('page.archiveDo'),
      restore: t('page.restore'),
      title: t('page.archiveTitle', { name: job.name }),
      text: t('page.archiveText'),
    },
  })
  const actions = [
    {
      id: 'job.backfill',
      title: t('page.backfill'),
      icon: IconCalendarRepeat,
      when: !archived && can('backfillJob'),
      needsServer: true,
      run: onBackfill,
    },
    {
      id: 'job.upgrade',
      title: t('page.upgrade'),
      icon: IconArrowUp,
      when: can('upgradeJob'),
      needsServer: true,
      run: onUpgrade,
    },
    archiving.action,
  ]
  return (
    <>
      <ActionMenu label={t('page.more')} actions={actions} />
      {archiving.dialog}
    </>
  )
}
