import { Button } from '@mantine/core'
import { IconArchive, IconArrowUp, IconBriefcase, IconPlayerPlay, IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { getJobTemplate, listJobTemplates } from '../../../contract/job-templates.ts'
import { cancelJobRun, runJob } from '../../../contract/job-run-control.ts'
import { type Job, archiveJob, listJobs, restoreJob } from '../../../contract/jobs.ts'
import { call } from '../../api/client.ts'
import { useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { Cut } from '../../ui/Cut.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { EmptyList } from '../../ui/first-step/FirstStep.tsx'
import { useFirstStep } from '../../ui/first-step/use-first-step.ts'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { RecordsFilter } from '../../ui/work-list/RecordsFilter.tsx'
import { NoMatch } from '../../ui/work-list/NoMatch.tsx'
import { WorkList } from '../../ui/work-list/WorkList.tsx'
import { archiveActions, linkAction } from '../../ui/work-list/common-actions.tsx'
import { byName, idsOf } from '../../ui/work-list/list-address.rules.ts'
import { type ListAddress, useListAddress } from '../../ui/work-list/use-list-address.ts'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'
import { useAddress } from '../../ui/use-address.ts'
import { useRecentColumns } from '../recent-runs/use-recent-columns.tsx'
import { NewJobDialog } from './NewJobDialog.tsx'
import classes from './jobs.module.css'
import { numberText } from '../../ui/format.ts'

const sortable = ['name', 'updated_at'] as const

function TemplateVersion({ job }: { job: Job }) {
  const { t } = useTranslation('jobs')
  const newer = job.newest_template_version > job.template_version
  const versions = { from: job.template_version, to: job.newest_template_version }
  return (
    <span className={classes.template}>
      <span className={classes.clip}>
        <Cut text={job.job_template_name} />
      </span>
      {newer ? (
        <span className={classes.newer} title={t('list.newerHint')}>
          <IconArrowUp size={12} aria-hidden /> {t('list.newer', versions)}
        </span>
      ) : (
        <span className={classes.muted}>{t('list.version', { version: job.template_version })}</span>
      )}
    </span>
  )
}

function useColumns(rows: readonly Job[]) {
  const { t } = useTranslation('jobs')
  const recent = useRecentColumns('job', rows)
  return useMemo(
    (): TableColumn<Job>[] => [
      {
        id: 'name',
        header: t('list.columns.name'),
        minWidth: 144,
        grow: 2,
        sortable: true,
        names: true,
        cell: (job) => job.name,
      },
      {
        id: 'template',
        header: t('list.columns.template'),
        minWidth: 144,
        grow: 2,
        cell: (job) => <TemplateVersion job={job} />,
      },
      ...recent,
      {
        id: 'next',
        header: t('list.columns.next'),
        width: 120,
        cell: (job) => <RelativeTime at={job.next_fire_at} fallback={t('list.noTrigger')} />,
      },
      {
        id: 'updated_at',
        yields: 2,
        header: t('list.columns.updated'),
        width: 112,
        sortable: true,
        cell: (job) => <RelativeTime at={job.updated_at} />,
      },
    ],
    [t, recent],
  )
}

interface EmptyJobsProps {
  address: ListAddress
  templateId: number | undefined
  /** Null: not allowed. */
  onNew: (() => void) | null
}

function EmptyJobs({ address, templateId, onNew }: EmptyJobsProps) {
  const { t } = useTranslation('jobs')
  const { q, archived } = address
  if (q !== '' || (archived && templateId !== undefined)) {
    return <NoMatch title={t('list.filteredTitle')} address={address} />
  }
  if (archived) {
    return <EmptyState icon={IconArchive} title={t('list.archivedEmptyTitle')} text={t('list.archivedEmptyText')} />
  }
  return (
    <EmptyList
      goal="job"
      icon={IconBriefcase}
      title={t(templateId === undefined ? 'list.emptyTitle' : 'list.emptyOfTemplate')}
      text={t('list.emptyText')}
      action={
        onNew ? (
          <Button onClick={onNew} leftSection={<IconPlus size={14} />}>
            {t('new.action')}
          </Button>
        ) : undefined
      }
    />
  )
}

const keyOf = (job: Job) => job.id
const hrefOf = (job: { id: number }) => paths.job(job.id)
const nameOf = (job: Job) => job.name
const isArchived = (job: Job) => job.status === 'archived'
const filters = ['job_template_id']
const invalidates = ['listJobs', 'getJob', 'listAllJobRuns', 'listRecentRuns'] as const

function useActions(): ListAction<Job>[] {
  const { t } = useTranslation('lists')
  const { can } = useSession()
  return useMemo(() => {
    const run: ListAction<Job> = {
      id: 'run',
      label: t('actions.run'),
      icon: IconPlayerPlay,
      shortcut: 'r',
      when: (job) => !isArchived(job),
      question: ({ length: count }) => ({ title: t('actions.runTitle', { count }), text: t('actions.runJobText') }),
      perform: async (job) => {
        const started = await call(runJob, {
          params: { id: job.id },
          headers: { 'idempotency-key': crypto.randomUUID() },
        })
        return () => call(cancelJobRun, { params: { id: started.id } })
      },
      done: (count) => t('actions.started', { count }),
    }
    const archiving = archiveActions<Job>(t, {
      isArchived,
      archive: (id) => call(archiveJob, { params: { id } }),
      restore: (id) => call(restoreJob, { params: { id } }),
    })
    return [...(can('runJob') ? [run] : []), ...(can('archiveJob') ? archiving : []), linkAction<Job>(t, hrefOf)]
  }, [t, can])
}

/** All jobs, searched and sorted by the address. */
export function JobsPage() {
  const { t } = useTranslation('jobs')
  const { t: tLists } = useTranslation('lists')
  const { can } = useSession()
  const [search, set] = useAddress()
  const address = useListAddress(filters, sortable, byName)
  const { q, archived, sort, values } = address
  const [templateId] = idsOf(values('job_template_id')) ?? []
  const field = sortable.find((one) => one === sort?.id)
  const query = {
    limit: 100,
    q: q || undefined,
    status: archived ? ('archived' as const) : ('active' as const),
    job_template_id: templateId,
    ...(field && sort ? { sort: field, order: sort.order } : {}),
  }
  const list = useList(listJobs, { query }, { keepPrevious: true })
  const columns = useColumns(list.rows)
  const actions = useActions()
  const mayMake = can('createJob')
  const lacks = useFirstStep('job')
  const make = () => set({ new: 'yes' })
  const making = mayMake && search.get('new') !== null
  return (
    <Page
      title={t('title')}
      layout="fill"
      actions={
        mayMake ? (
          <CommandButton
            id="jobs.new"
            label={t('new.action')}
            icon={IconPlus}
            onClick={make}
            shortcut="c"
            disabled={Boolean(lacks)}
            hint={lacks ? tLists(`first.${lacks}.text`) : undefined}
          />
        ) : null
      }
    >
      <WorkList
        id="jobs"
        label={t('list.label')}
        // Behind the dialog, half covered, what it says would stand twice.
        list={making ? { ...list, error: null } : list}
        columns={columns}
        rowKey={keyOf}
        rowHref={hrefOf}
        nameOf={nameOf}
        isMuted={isArchived}
        address={address}
        search={t('list.search')}
        archives
        more={
          <RecordsFilter
            get={getJobTemplate}
            list={listJobTemplates}
            label={tLists('filter.template')}
            single
            chosen={values('job_template_id')}
            onChange={(ids) => address.choose('job_template_id', ids)}
          />
        }
        actions={actions}
        invalidates={invalidates}
        total={
          list.total === undefined ? null : t('list.total', { count: list.total, formatted: numberText(list.total) })
        }
        empty={making ? null : <EmptyJobs address={address} templateId={templateId} onNew={mayMake ? make : null} />}
      />
      <NewJobDialog opened={making} templateId={templateId} onClose={() => set({ new: null })} />
    </Page>
  )
}
