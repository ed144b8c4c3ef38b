import { Button, Checkbox } from '@mantine/core'
import { IconArchive, IconArrowUp, IconBriefcase, IconFilterOff, IconPlus } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { listJobTemplates } from '../../../contract/job-templates.ts'
import { type Job, listJobs } from '../../../contract/jobs.ts'
import { useList, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { SearchField, Toolbar } from '../../ui/Toolbar.tsx'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn, TableSort } from '../../ui/table.types.ts'
import { useAddress } from '../../ui/use-address.ts'
import { TemplateFilter } from '../job-templates/TemplateFilter.tsx'
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
      <span className={classes.clip}>{job.job_template_name}</span>
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
      { id: 'name', header: t('list.columns.name'), minWidth: 180, sortable: true, cell: (job) => job.name },
      {
        id: 'template',
        header: t('list.columns.template'),
        minWidth: 180,
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
  q: string
  templateId: number | undefined
  archived: boolean
  onClear: () => void
  /** Null: not allowed. */
  onNew: (() => void) | null
}

function EmptyJobs({ q, templateId, archived, onClear, onNew }: EmptyJobsProps) {
  const { t } = useTranslation('jobs')
  const templates = useOperation(listJobTemplates, { query: { limit: 1 } })
  if (q !== '' || (archived && templateId !== undefined)) {
    const clear = (
      <CommandButton
        id="list.clear-filters"
        label={t('list.clear')}
        variant="default"
        onClick={onClear}
        shortcut="shift+f"
      />
    )
    return (
      <EmptyState icon={IconFilterOff} title={t('list.filteredTitle')} text={t('list.filteredText')} action={clear} />
    )
  }
  if (archived) {
    return <EmptyState icon={IconArchive} title={t('list.archivedEmptyTitle')} text={t('list.archivedEmptyText')} />
  }
  // A job is made from a template: without one that comes first.
  const first = templates.data?.total === 0
  return (
    <EmptyState
      icon={IconBriefcase}
      title={t(templateId === undefined ? 'list.emptyTitle' : 'list.emptyOfTemplate')}
      text={t(first ? 'list.emptyFirst' : 'list.emptyText')}
      action={
        first ? (
          <CommandButton id="jobs.to-templates" label={t('list.emptyAction')} to={paths.jobTemplates()} />
        ) : onNew ? (
          <Button onClick={onNew} leftSection={<IconPlus size={14} />}>
            {t('new.action')}
          </Button>
        ) : undefined
      }
    />
  )
}

const keyOf = (job: Job) => job.id
const hrefOf = (job: Job) => paths.job(job.id)

/** All jobs, searched and sorted by the address. */
export function JobsPage() {
  const { t } = useTranslation('jobs')
  const { can } = useSession()
  const [search, set] = useAddress()
  const q = search.get('q') ?? ''
  const archived = search.get('status') === 'archived'
  const sort = sortable.find((field) => field === search.get('sort'))
  const order: 'asc' | 'desc' = search.get('order') === 'asc' ? 'asc' : 'desc'
  const templateId = Number(search.get('job_template_id')) || undefined
  const query = {
    limit: 100,
    q: q || undefined,
    status: archived ? ('archived' as const) : ('active' as const),
    job_template_id: templateId,
    ...(sort ? { sort, order } : {}),
  }
  const list = useList(listJobs, { query }, { keepPrevious: true })
  const columns = useColumns(list.rows)
  const onSort = (next: TableSort) => set({ sort: next.id, order: next.order })
  const mayMake = can('createJob')
  const make = () => set({ new: 'yes' })
  return (
    <Page
      title={t('title')}
      layout="fill"
      actions={
        mayMake ? (
          <CommandButton id="jobs.new" label={t('new.action')} icon={IconPlus} onClick={make} shortcut="c" />
        ) : null
      }
      toolbar={
        <Toolbar
          right={
            list.total === undefined ? null : (
              <span role="status">{t('list.total', { count: list.total, formatted: numberText(list.total) })}</span>
            )
          }
        >
          <SearchField value={q} onChange={(value) => set({ q: value })} label={t('list.search')} />
          <TemplateFilter
            value={templateId}
            onChange={(id) => set({ job_template_id: id === null ? null : String(id) })}
          />
          <Checkbox
            label={t('list.archivedOnly')}
            checked={archived}
            onChange={(event) => set({ status: event.currentTarget.checked ? 'archived' : null })}
          />
        </Toolbar>
      }
    >
      <DataTable
        id="jobs"
        rows={list.rows}
        columns={columns}
        rowKey={keyOf}
        rowHref={hrefOf}
        label={t('list.label')}
        sort={sort ? { id: sort, order } : undefined}
        onSort={onSort}
        {...listProps(list)}
        isMuted={(job) => job.status === 'archived'}
        empty={
          <EmptyJobs
            q={q}
            templateId={templateId}
            archived={archived}
            onClear={() => set({ q: null, job_template_id: null })}
            onNew={mayMake ? make : null}
          />
        }
      />
      <NewJobDialog
        opened={mayMake && search.get('new') !== null}
        templateId={templateId}
        onClose={() => set({ new: null })}
      />
    </Page>
  )
}
