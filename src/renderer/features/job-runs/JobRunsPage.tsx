import { IconFilterOff, IconTimeline } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type JobRun, listAllJobRuns } from '../../../contract/job-runs.ts'
import { useList } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { CompareMarked, useMarked } from '../../ui/compare/use-marked.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { listProps } from '../../ui/list-props.ts'
import { addressOf, anyFilter, queryOf } from '../runs/run-filters.ts'
import { JobRunFilterBar } from './JobRunFilterBar.tsx'
import { filtersOf, noFilters } from './job-run-filters.ts'
import { jobRunColumns } from './job-run-columns.tsx'
import { numberText } from '../../ui/format.ts'

/** Rows a request brings: the most that the interface gives. */
const pageRows = 200
const keyOf = (run: JobRun) => run.id
const hrefOf = (run: JobRun) => paths.jobRun(run.id)

/** Every job run, newest first, live; the filters stand in the address. */
export function JobRunsPage() {
  const { t } = useTranslation('jobRuns')
  const { t: word } = useTranslation('runs')
  const [search, set] = useAddress()
  const marked = useMarked()
  const filters = useMemo(() => filtersOf(search), [search])
  // "Last 24 hours" is fixed when the filter is chosen: the list must not become another one under the reader's eyes.
  const query = useMemo(() => {
    // oxlint-disable-next-line react/purity
    const { status, job_id, trigger_type, ...more } = queryOf(filters, Date.now())
    const one = <T,>(value: T | undefined) => (value === undefined ? undefined : [value])
    return { ...more, status: one(status), job_id: one(job_id), trigger_type: one(trigger_type), limit: pageRows }
  }, [filters])
  const list = useList(listAllJobRuns, { query }, { keepPrevious: true })
  const columns = useMemo(() => jobRunColumns(t, (run) => word(`trigger.${run.trigger_type}`)), [t, word])
  const clear = () => set(noFilters)
  const empty = anyFilter(filters) ? (
    <EmptyState
      icon={IconFilterOff}
      title={t('list.filteredTitle')}
      text={t('list.filteredText')}
      action={
        <CommandButton id="list.clear-filters" label={t('list.clearFilters')} variant="default" onClick={clear} />
      }
    />
  ) : (
    <EmptyState
      icon={IconTimeline}
      title={t('list.emptyTitle')}
      text={t('list.emptyText')}
      action={<CommandButton id="job-runs.to-jobs" label={t('list.emptyAction')} to={paths.jobs()} />}
    />
  )
  return (
    <Page
      title={t('title')}
      layout="fill"
      toolbar={
        <JobRunFilterBar
          filters={filters}
          onChange={(change) => set(addressOf(change))}
          onClear={clear}
          right={
            <>
              <CompareMarked
                selected={marked.selected}
                hint={t('list.compareHint')}
                command="job-runs.compare"
                to={paths.jobRunCompare}
              />
              {list.total === undefined ? null : (
                <span role="status">{t('list.total', { count: list.total, formatted: numberText(list.total) })}</span>
              )}
            </>
          }
        />
      }
    >
      <DataTable
        id="job-runs"
        rows={list.rows}
        columns={columns}
        rowKey={keyOf}
        rowHref={hrefOf}
        label={t('list.label')}
        selection={marked}
        {...listProps(list)}
        empty={empty}
      />
    </Page>
  )
}
