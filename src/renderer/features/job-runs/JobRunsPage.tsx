import { IconArrowsDiff, IconFilterOff, IconTimeline } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type JobRun, listAllJobRuns } from '../../../contract/job-runs.ts'
import { useList } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useAddressChoice } from '../../ui/use-address-part.ts'
import { listProps } from '../../ui/list-props.ts'
import { addressOf, anyFilter, queryOf } from '../runs/run-filters.ts'
import { JobRunFilterBar } from './JobRunFilterBar.tsx'
import { filtersOf, noFilters } from './job-run-filters.ts'
import { jobRunColumns } from './job-run-columns.tsx'
import { numberText } from '../../ui/format.ts'

/** Rows a request brings: the most that the interface gives. */
const pageRows = 200
/** Two are compared; the address holds a few more while somebody chooses. */
const mostMarked = 50
const keyOf = (run: JobRun) => run.id
const hrefOf = (run: JobRun) => paths.jobRun(run.id)

/** Two marked rows are compared, the older one left. */
function CompareButton({ selected }: { selected: ReadonlySet<string> }) {
  const { t } = useTranslation('jobRuns')
  const [a, b] = [...selected].map(Number).toSorted((x, y) => x - y)
  if (selected.size === 2 && a !== undefined && b !== undefined) {
    return (
      <CommandButton
        id="job-runs.compare"
        label={t('list.compareTwo', { a, b })}
        to={paths.jobRunCompare(a, b)}
        variant="default"
        icon={IconArrowsDiff}
        shortcut="d"
      />
    )
  }
  return selected.size > 0 ? <span>{t('list.compareHint')}</span> : null
}

/** Every job run, newest first, live; the filters stand in the address. */
export function JobRunsPage() {
  const { t } = useTranslation('jobRuns')
  const { t: word } = useTranslation('runs')
  const [search, set] = useAddress()
  const [marked, mark] = useAddressChoice('marked')
  const selected = useMemo(() => new Set(marked?.split(',')), [marked])
  const filters = useMemo(() => filtersOf(search), [search])
  // "Last 24 hours" is fixed when the filter is chosen: the list must not become another one under the reader's eyes.
  // oxlint-disable-next-line react/purity
  const query = useMemo(() => ({ ...queryOf(filters, Date.now()), limit: pageRows }), [filters])
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
              <CompareButton selected={selected} />
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
        selection={{ selected, onChange: (next) => mark([...next].slice(0, mostMarked).join(',') || null) }}
        {...listProps(list)}
        empty={empty}
      />
    </Page>
  )
}
