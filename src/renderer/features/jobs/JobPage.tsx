import { Skeleton } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArrowUp, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { type JobDetail, type SnapshotTask, getJob } from '../../../contract/jobs.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useOpened } from '../../commands/open/recent.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ErrorState, useRecordName } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { SplitCommandButton } from '../../ui/SplitCommandButton.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useStartNow } from '../../ui/use-start-now.ts'
import { JobTriggersPane } from '../triggers/JobTriggersPane.tsx'
import { BackfillDialog } from './BackfillDialog.tsx'
import { JobFacts } from './JobFacts.tsx'
import { JobMenu } from './JobMenu.tsx'
import { JobOverview } from './JobOverview.tsx'
import { JobSettingsPane } from './JobSettingsPane.tsx'
import { OverridesPane } from './OverridesPane.tsx'
import { RunJobDialog } from './RunJobDialog.tsx'
import { SnapshotPane } from './SnapshotPane.tsx'
import { UpgradeDialog } from './UpgradeDialog.tsx'
import classes from './jobs.module.css'
import { runJobLikeLast } from './run-like-last.ts'
import { useJobShape } from './use-job-shape.ts'

const tabs = ['overview', 'settings', 'snapshot', 'overrides', 'triggers'] as const
type Tab = (typeof tabs)[number]
type Dialog = 'run' | 'backfill' | 'upgrade' | null

interface UpgradableProps {
  job: JobDetail
  tasks: readonly SnapshotTask[]
  onUpgrade: () => void
}

/** So many tasks are named. */
const namedTasks = 3

/** A job holds what it was made from: says that its template or its tasks have newer versions. */
function Upgradable({ job, tasks, onUpgrade }: UpgradableProps) {
  const { t } = useTranslation('jobs')
  const { can } = useSession()
  const newer = tasks.filter((task) => task.newest_version > task.version)
  const template = job.newest_template_version > job.template_version
  if (!template && newer.length === 0) return null
  const named = newer
    .slice(0, namedTasks)
    .map((task) => `${task.task_key} ${t('list.newer', { from: task.version, to: task.newest_version })}`)
  return (
    <div className={classes.notice}>
      <IconArrowUp size={14} aria-hidden />
      {template
        ? t('page.upgradable', { from: job.template_version, to: job.newest_template_version })
        : t('page.tasksUpgradable', { count: newer.length, tasks: named.join(', ') })}
      {can('upgradeJob') ? (
        <CommandButton
          id="job.upgrade"
          label={t('page.upgrade')}
          size="compact-xs"
          variant="default"
          onClick={onUpgrade}
          shortcut="u"
        />
      ) : null}
    </div>
  )
}

function Content({ job, tab }: { job: JobDetail; tab: Tab }) {
  const shape = useJobShape(job)
  if (tab === 'overview') {
    return (
      <>
        <JobFacts job={job} shape={shape} />
        <JobOverview job={job} />
      </>
    )
  }
  if (tab === 'triggers') return <JobTriggersPane jobId={job.id} />
  if (shape.error) return <ErrorState what="job-template" error={shape.error} onRetry={shape.retry} />
  if (!shape.snapshot) return null
  if (tab === 'settings') {
    return (
      <div className={classes.settings}>
        <JobSettingsPane job={job} shape={shape} />
      </div>
    )
  }
  return tab === 'snapshot' ? (
    <SnapshotPane jobId={job.id} snapshot={shape.snapshot} />
  ) : (
    <OverridesPane job={job} snapshot={shape.snapshot} />
  )
}

/** `overridden`: how many tasks have their own YAML. */
function useJobTabs(id: number, overridden: number) {
  const { t } = useTranslation('jobs')
  const [address] = useAddress()
  const tab = tabs.find((one) => one === address.get('tab')) ?? 'overview'
  const all = tabs.map((one) => ({
    label: t(`tabs.${one}`),
    to: paths.job(id, one === 'overview' ? undefined : { tab: one }),
    active: one === tab,
    ...(one === 'overrides' && overridden > 0 ? { count: overridden } : {}),
  }))
  return { tab, tabs: all }
}

function Workspace({ job }: { job: JobDetail }) {
  const { t } = useTranslation('jobs')
  const { can } = useSession()
  const [dialog, setDialog] = useState<Dialog>(null)
  const shape = useJobShape(job)
  const { tab, tabs: pageTabs } = useJobTabs(job.id, job.overridden_task_keys.length)
  const archived = job.status === 'archived'
  const mayRun = can('runJob') && !archived
  const close = () => setDialog(null)
  const navigate = useNavigate()
  const now = useStartNow({
    start: () => runJobLikeLast(job.id),
    onStarted: ({ id }) => {
      notifications.show({ message: t('page.runStarted', { id }) })
      void navigate(paths.jobRun(id))
    },
    onRefused: () => setDialog('run'),
  })
  return (
    <Page
      title={job.name}
      layout="fill"
      crumbs={[{ label: t('title'), to: paths.jobs() }]}
      badge={archived ? <StatusBadge status="archived" size="md" label={t('page.archived')} /> : null}
      subtitle={
        <Link to={paths.jobTemplate(job.job_template_id)}>
          {t('page.from', { template: job.job_template_name, version: job.template_version })}
        </Link>
      }
      actions={
        <>
          {mayRun ? (
            <SplitCommandButton
              id="job.run"
              label={t('page.run')}
              icon={IconPlayerPlay}
              hint={t('page.runHint')}
              busy={now.busy}
              onClick={now.run}
              shortcut="mod+Enter"
              other={{
                id: 'job.run-with',
                label: t('page.runWith'),
                shortcut: 'shift+r',
                onClick: () => setDialog('run'),
              }}
            />
          ) : null}
          <JobMenu job={job} onBackfill={() => setDialog('backfill')} onUpgrade={() => setDialog('upgrade')} />
        </>
      }
      tabs={pageTabs}
    >
      <div className={classes.column}>
        <Upgradable job={job} tasks={shape.snapshot?.tasks ?? []} onUpgrade={() => setDialog('upgrade')} />
        <div className={classes.grow}>
          <Content job={job} tab={tab} />
        </div>
      </div>
      {dialog === 'run' && shape.loaded ? <RunJobDialog job={job} shape={shape} onClose={close} /> : null}
      {dialog === 'backfill' ? <BackfillDialog job={job} onClose={close} /> : null}
      {dialog === 'upgrade' && shape.loaded ? <UpgradeDialog job={job} shape={shape} onClose={close} /> : null}
    </Page>
  )
}

/** A job: its history, what it is bound to, what it holds, what starts it. */
export function JobPage() {
  const { t } = useTranslation('jobs')
  const { id } = useParams()
  const number = Number(id)
  const recordName = useRecordName('job', id)
  const job = useOperation(getJob, { params: { id: number } })
  const { tabs: pageTabs } = useJobTabs(number, 0)
  useOpened({
    kind: 'job',
    id: number,
    title: job.data?.name,
    to: paths.job(number),
    gone: job.error?.status === 404,
  })
  if (job.data) return <Workspace key={number} job={job.data} />
  return (
    <Page
      title={recordName}
      crumbs={[{ label: t('title'), to: paths.jobs() }]}
      tabs={job.error?.status === 404 ? undefined : pageTabs}
      layout="fill"
    >
      {job.error ? (
        <ErrorState error={job.error} onRetry={() => void job.refetch()} record={{ kind: 'job', id: number }} />
      ) : (
        <Skeleton height={34} radius={0} />
      )}
    </Page>
  )
}
