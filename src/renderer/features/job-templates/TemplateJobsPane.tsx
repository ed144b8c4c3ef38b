import { Button } from '@mantine/core'
import { IconBriefcase } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Job, listJobTemplateJobs } from '../../../contract/jobs.ts'
import { useList } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import dialogs from '../../ui/document/dialogs.module.css'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { LastRun } from '../recent-runs/RunHistory.tsx'
import { useRecentRuns } from '../recent-runs/use-recent-runs.ts'
import classes from './job-templates.module.css'

function useColumns(jobs: readonly Job[]) {
  const { t } = useTranslation('jobTemplates')
  const { t: doc } = useTranslation('documents')
  const recent = useRecentRuns('job', jobs)
  return useMemo(
    (): TableColumn<Job>[] => [
      { id: 'name', header: t('jobs.columns.name'), minWidth: 200, names: true, cell: (job) => job.name },
      {
        id: 'version',
        header: t('jobs.columns.version'),
        width: 130,
        cell: (job) =>
          job.newest_template_version > job.template_version ? (
            <span className={classes.newer}>
              {t('jobs.upgradable', { version: job.template_version, newest: job.newest_template_version })}
            </span>
          ) : (
            doc('page.version', { version: job.template_version })
          ),
      },
      {
        id: 'lastRun',
        header: t('jobs.columns.lastRun'),
        uncut: true,
        width: 240,
        cell: (job) =>
          job.last_run_status ? <LastRun recent={recent.get(job.id)} /> : <StatusBadge status="not_run" />,
      },
      {
        id: 'nextFire',
        header: t('jobs.columns.nextFire'),
        width: 130,
        cell: (job) =>
          job.next_fire_at ? (
            <RelativeTime at={job.next_fire_at} />
          ) : (
            <span className={dialogs.muted}>{t('jobs.none')}</span>
          ),
      },
      {
        id: 'created',
        header: t('jobs.columns.created'),
        width: 112,
        cell: (job) => <RelativeTime at={job.created_at} />,
      },
    ],
    [t, doc, recent],
  )
}

const keyOf = (job: Job) => job.id
const hrefOf = (job: Job) => paths.job(job.id)

/** The jobs that were made from a template, with those it has grown away from. */
export function TemplateJobsPane({ templateId, onMake }: { templateId: number; onMake: (() => void) | undefined }) {
  const { t } = useTranslation('jobTemplates')
  const list = useList(listJobTemplateJobs, { params: { id: templateId }, query: { limit: 100 } })
  const columns = useColumns(list.rows)
  return (
    <div className={dialogs.pane}>
      {list.rows.length > 0 ? (
        <header className={dialogs.choices}>
          <h2>{t('jobs.label')}</h2>
          <Link to={paths.jobs({ job_template_id: templateId })}>{t('jobs.all')}</Link>
        </header>
      ) : null}
      <DataTable
        id="job-template-jobs"
        rows={list.rows}
        columns={columns}
        rowKey={keyOf}
        rowHref={hrefOf}
        label={t('jobs.label')}
        {...listProps(list)}
        what="jobs"
        isMuted={(job) => job.status === 'archived'}
        empty={
          <EmptyState
            icon={IconBriefcase}
            title={t('jobs.emptyTitle')}
            text={t('jobs.emptyText')}
            action={onMake ? <Button onClick={onMake}>{t('page.makeJob')}</Button> : undefined}
          />
        }
      />
    </div>
  )
}
