import { IconPlayerPlay } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Run, listRuns, runStatuses, triggerTypes } from '../../../contract/runs.ts'
import { getTask, listTasks } from '../../../contract/tasks.ts'
import { useList } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { EmptyList } from '../../ui/first-step/FirstStep.tsx'
import { Page } from '../../ui/Page.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { numberText } from '../../ui/format.ts'
import { RecordsFilter } from '../../ui/work-list/RecordsFilter.tsx'
import { NoMatch } from '../../ui/work-list/NoMatch.tsx'
import { WorkList } from '../../ui/work-list/WorkList.tsx'
import { idsOf, known, listedSortQuery, listedSortable, newestFirst } from '../../ui/work-list/list-address.rules.ts'
import { SpanFilter } from '../../ui/work-list/SpanFilter.tsx'
import { spanQuery } from '../../ui/work-list/span.rules.ts'
import { useAddress } from '../../ui/use-address.ts'
import { getJob, listJobs } from '../../../contract/jobs.ts'
import { ExecutorFilter } from './ExecutorFilter.tsx'
import { endChange, endQuery, endedSpan } from './end-filter.rules.ts'
import { useListAddress } from '../../ui/work-list/use-list-address.ts'
import { runColumns } from './run-columns.tsx'
import { useRunActions } from './use-run-actions.ts'
import { ToTasks } from './ToTasks.tsx'

/** Rows a request brings: the most that the interface gives. */
const pageRows = 200
const ofEnd = ['completed_from', 'completed_to', 'job_id', 'executor_id'] as const
const filters = ['status', 'task_id', 'trigger_type', ...ofEnd]
const invalidates = ['listRuns', 'getRun', 'listRecentRuns', 'getAttention'] as const
const keyOf = (run: Run) => run.id
const hrefOf = (run: Run) => paths.run(run.id)
const nameOf = (run: Run) => `#${run.id} ${run.task_name}`

/** Every run, live; filters and sort stand in the address. */
export function RunsPage() {
  const { t } = useTranslation('runs')
  const { t: tLists } = useTranslation('lists')
  const { t: word } = useTranslation()
  const address = useListAddress(filters, listedSortable, newestFirst)
  const { span, sort, values } = address
  const [, change] = useAddress()
  const ended = useMemo(() => endedSpan(values), [values])
  const query = useMemo(
    () => ({
      limit: pageRows,
      status: known(values('status'), runStatuses),
      task_id: idsOf(values('task_id')),
      trigger_type: known(values('trigger_type'), triggerTypes),
      // "Last 24 hours" is fixed when the filter is chosen: the list must not become another one under the reader's eyes.
      // oxlint-disable-next-line react/purity
      ...spanQuery(span, Date.now()),
      ...endQuery(ended, values),
      ...listedSortQuery(sort),
    }),
    [values, span, ended, sort],
  )
  const list = useList(listRuns, { query }, { keepPrevious: true })
  const columns = useMemo(() => runColumns(t, true), [t])
  const actions = useRunActions()
  const choices = useMemo(
    () => [
      {
        id: 'status',
        label: tLists('filter.status'),
        options: runStatuses.map((status) => ({
          value: status,
          label: word(`status.${status}`),
          look: <StatusBadge status={status} />,
        })),
      },
      {
        id: 'trigger_type',
        label: tLists('filter.trigger'),
        options: triggerTypes.map((trigger) => ({ value: trigger, label: t(`trigger.${trigger}`) })),
      },
    ],
    [t, tLists, word],
  )
  const empty = address.filtered ? (
    <NoMatch title={t('list.filteredTitle')} address={address} />
  ) : (
    <EmptyList
      goal="run"
      icon={IconPlayerPlay}
      title={t('list.emptyTitle')}
      text={t('list.emptyText')}
      action={<ToTasks />}
    />
  )
  return (
    <Page title={t('title')} layout="fill">
      <WorkList
        id="runs"
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
              get={getTask}
              list={listTasks}
              label={tLists('filter.task')}
              chosen={values('task_id')}
              onChange={(ids) => address.choose('task_id', ids)}
            />
            <SpanFilter of="ended" span={ended} onChange={(next) => change(endChange(next, Date.now()))} />
            {values('job_id').length > 0 ? (
              <RecordsFilter
                get={getJob}
                list={listJobs}
                label={tLists('filter.job')}
                single
                chosen={values('job_id')}
                onChange={(ids) => address.choose('job_id', ids)}
              />
            ) : null}
            {values('executor_id').length > 0 ? (
              <ExecutorFilter chosen={values('executor_id')} onChange={(ids) => address.choose('executor_id', ids)} />
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
