import { Button } from '@mantine/core'
import { IconTimeline, IconX } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type JobRun, listAllJobRuns } from '../../../contract/job-runs.ts'
import { getJob, jobRunStatuses, listJobs } from '../../../contract/jobs.ts'
import { triggerTypes } from '../../../contract/runs.ts'
import { useList } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { EmptyList } from '../../ui/first-step/FirstStep.tsx'
import { Page } from '../../ui/Page.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { numberText } from '../../ui/format.ts'
import { RecordsFilter } from '../../ui/work-list/RecordsFilter.tsx'
import { NoMatch } from '../../ui/work-list/NoMatch.tsx'
import { WorkList } from '../../ui/work-list/WorkList.tsx'
import { idsOf, known, listedSortQuery, listedSortable, newestFirst } from '../../ui/work-list/list-address.rules.ts'
import { spanQuery } from '../../ui/work-list/span.rules.ts'
import { useListAddress } from '../../ui/work-list/use-list-address.ts'
import { jobRunColumns } from './job-run-columns.tsx'
import { useJobRunActions } from './use-job-run-actions.ts'

/** Rows a request brings: the most that the interface gives. */
const pageRows = 200
/** `success` asks for those that completed without any blemish. */
const statusChoices = [...jobRunStatuses, 'success'] as const
const filters = ['status', 'job_id', 'trigger_type', 'trigger_id', 'backfill_id', 'pool']
const invalidates = ['listAllJobRuns', 'getJobRun', 'listRecentRuns', 'getAttention', 'listJobs'] as const
const keyOf = (run: JobRun) => run.id
const hrefOf = (run: JobRun) => paths.jobRun(run.id)
const nameOf = (run: JobRun) => `#${run.id} ${run.job_name}`

/** A filter that only links set (one trigger, one backfill, one pool): named, and taken out by a click. */
function SetFilter({ name, onDrop }: { name: string; onDrop(): void }) {
  const { t } = useTranslation('jobRuns')
  return (
    <Button
      variant="light"
      fw={400}
      rightSection={<IconX size={12} />}
      aria-label={t('filters.drop', { name })}
      onClick={onDrop}
    >
      {name}
    </Button>
  )
}

/** Every job run, live; filters and sort stand in the address. */
export function JobRunsPage() {
  const { t } = useTranslation('jobRuns')
  const { t: run } = useTranslation('runs')
  const { t: tLists } = useTranslation('lists')
  const address = useListAddress(filters, listedSortable, newestFirst)
  const { span, sort, values } = address
  const [triggerId] = idsOf(values('trigger_id')) ?? []
  const [backfill] = values('backfill_id')
  const [pool] = values('pool')
  const query = useMemo(
    () => ({
      limit: pageRows,
      status: known(values('status'), statusChoices),
      job_id: idsOf(values('job_id')),
      trigger_type: known(values('trigger_type'), triggerTypes),
      trigger_id: triggerId,
      backfill_id: backfill?.slice(0, 40),
      pool: pool?.slice(0, 63),
      // "Last 24 hours" is fixed when the filter is chosen: the list must not become another one under the reader's eyes.
      // oxlint-disable-next-line react/purity
      ...spanQuery(span, Date.now()),
      ...listedSortQuery(sort),
    }),
    [values, span, triggerId, backfill, pool, sort],
  )
  const list = useList(listAllJobRuns, { query }, { keepPrevious: true })
  const columns = useMemo(() => jobRunColumns(t, (row) => run(`trigger.${row.trigger_type}`)), [t, run])
  const actions = useJobRunActions()
  const choices = useMemo(
    () => [
      {
        id: 'status',
        label: tLists('filter.status'),
        options: statusChoices.map((status) => {
          const label = t(status === 'paused' ? 'filters.paused' : `jobStatus.${status}`)
          return { value: status, label, look: <StatusBadge status={status} label={label} /> }
        }),
      },
      {
        id: 'trigger_type',
        label: tLists('filter.trigger'),
        options: triggerTypes.map((trigger) => ({ value: trigger, label: run(`trigger.${trigger}`) })),
      },
    ],
    [t, tLists, run],
  )
  const empty = address.filtered ? (
    <NoMatch title={t('list.filteredTitle')} address={address} />
  ) : (
    <EmptyList
      goal="jobRun"
      icon={IconTimeline}
      title={t('list.emptyTitle')}
      text={t('list.emptyText')}
      action={<CommandButton id="job-runs.to-jobs" label={t('list.emptyAction')} to={paths.jobs()} />}
    />
  )
  return (
    <Page title={t('title')} layout="fill">
      <WorkList
        id="job-runs"
        label={t('list.label')}
        list={list}
        columns={columns}
        rowKey={keyOf}
        rowHref={hrefOf}
        nameOf={nameOf}
        address={address}
        choices={choices}
        spans
        more={
          <>
            <RecordsFilter
              get={getJob}
              list={listJobs}
              label={tLists('filter.job')}
              chosen={values('job_id')}
              onChange={(ids) => address.choose('job_id', ids)}
            />
            {triggerId ? (
              <SetFilter
                name={t('filters.oneTrigger', { id: triggerId })}
                onDrop={() => address.choose('trigger_id', [])}
              />
            ) : null}
            {backfill ? (
              <SetFilter name={t('filters.oneBackfill')} onDrop={() => address.choose('backfill_id', [])} />
            ) : null}
            {pool ? (
              <SetFilter name={t('filters.onePool', { pool })} onDrop={() => address.choose('pool', [])} />
            ) : null}
          </>
        }
        actions={actions}
        invalidates={invalidates}
        total={
          list.total === undefined ? null : t('list.total', { count: list.total, formatted: numberText(list.total) })
        }
        empty={empty}
      />
    </Page>
  )
}
