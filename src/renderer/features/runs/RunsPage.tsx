import { Button } from '@mantine/core'
import { IconFilterOff, IconPlayerPlay } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { listRuns } from '../../../contract/runs.ts'
import { useList } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { useMarked } from '../../ui/compare/use-marked.tsx'
import { numberText } from '../../ui/format.ts'
import { useAddress } from '../../ui/use-address.ts'
import { RunFilterBar } from './RunFilterBar.tsx'
import { CompareMarkedRuns } from './CompareMarkedRuns.tsx'
import { RunsTable } from './RunsTable.tsx'
import { addressOf, anyFilter, filtersOf, noFilters, queryOf } from './run-filters.ts'

/** Rows a request brings: the most that the interface gives. */
const pageRows = 200

/** Every run, newest first, live; the filters stand in the address. */
export function RunsPage() {
  const { t } = useTranslation('runs')
  const [search, set] = useAddress()
  const marked = useMarked()
  const filters = useMemo(() => filtersOf(search), [search])
  // "Last 24 hours" is fixed when the filter is chosen: the list must not become another one under the reader's eyes.
  const query = useMemo(() => {
    // oxlint-disable-next-line react/purity
    const { status, task_id, trigger_type, ...span } = queryOf(filters, Date.now())
    const one = <T,>(value: T | undefined) => (value === undefined ? undefined : [value])
    return { ...span, status: one(status), task_id: one(task_id), trigger_type: one(trigger_type), limit: pageRows }
  }, [filters])
  const list = useList(listRuns, { query }, { keepPrevious: true })
  const filtered = anyFilter(filters)
  const clear = () => set(noFilters)
  const empty = filtered ? (
    <EmptyState
      icon={IconFilterOff}
      title={t('list.filteredTitle')}
      text={t('list.filteredText')}
      action={
        <Button variant="default" onClick={clear}>
          {t('list.clearFilters')}
        </Button>
      }
    />
  ) : (
    <EmptyState
      icon={IconPlayerPlay}
      title={t('list.emptyTitle')}
      text={t('list.emptyText')}
      action={<CommandButton id="runs.to-tasks" label={t('list.emptyAction')} to={paths.tasks()} />}
    />
  )
  return (
    <Page
      title={t('title')}
      layout="fill"
      toolbar={
        <RunFilterBar
          filters={filters}
          right={
            <>
              <CompareMarkedRuns selected={marked.selected} />
              {list.total === undefined ? null : (
                <span role="status">{t('list.total', { count: list.total, formatted: numberText(list.total) })}</span>
              )}
            </>
          }
          onChange={(change) => set(addressOf(change))}
          onClear={clear}
        />
      }
    >
      <RunsTable list={list} withTask empty={empty} selection={marked} />
    </Page>
  )
}
