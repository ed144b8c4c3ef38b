import { Checkbox } from '@mantine/core'
import { AddExecutor } from './AddExecutor.tsx'
import { IconServer2 } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Executor, executorStatuses, listExecutors } from '../../../contract/executors.ts'
import { useOperation } from '../../api/queries.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { useNow } from '../../ui/ticker.ts'
import { useAddress } from '../../ui/use-address.ts'
import { NoMatch } from '../../ui/work-list/NoMatch.tsx'
import { WorkList } from '../../ui/work-list/WorkList.tsx'
import { known } from '../../ui/work-list/list-address.rules.ts'
import { useListAddress } from '../../ui/work-list/use-list-address.ts'
import { ExecutorBadge } from './ExecutorBadge.tsx'
import { Load } from './Load.tsx'
import { RunningRuns } from './RunningRuns.tsx'
import { Slots } from './Slots.tsx'
import { StartCommand } from './StartCommand.tsx'
import { type ExecutorSort, executorSorts, isGone, labelsText, listed } from './executors.rules.ts'
import { useExecutorActions } from './use-executor-actions.ts'
import classes from './executors.module.css'

function useColumns(): TableColumn<Executor>[] {
  const { t } = useTranslation('executors')
  return useMemo(
    (): TableColumn<Executor>[] => [
      {
        id: 'name',
        header: t('columns.name'),
        minWidth: 140,
        grow: 2,
        sortable: true,
        names: true,
        cell: (row) => row.name,
      },
      {
        id: 'status',
        header: t('columns.status'),
        uncut: true,
        width: 132,
        sortable: true,
        cell: (row) => <ExecutorBadge executor={row} />,
      },
      { id: 'busy', header: t('columns.busy'), width: 136, sortable: true, cell: (row) => <Slots executor={row} /> },
      {
        id: 'running',
        yields: 1,
        header: t('columns.running'),
        width: 124,
        cell: (row) => <RunningRuns ids={row.run_ids} />,
      },
      { id: 'load', header: t('columns.load'), width: 148, cell: (row) => <Load executor={row} /> },
      {
        id: 'labels',
        yields: 2,
        header: t('columns.labels'),
        minWidth: 120,
        cell: (row) => {
          const text = labelsText(row.labels)
          return (
            text && (
              <span className={classes.labels} title={text}>
                {text}
              </span>
            )
          )
        },
      },
      {
        id: 'heartbeat',
        header: t('columns.heartbeat'),
        width: 118,
        sortable: true,
        cell: (row) => <RelativeTime at={row.last_heartbeat_at} />,
      },
      {
        id: 'address',
        header: t('columns.address'),
        width: 120,
        mono: true,
        hidden: true,
        cell: (row) => row.address,
      },
      { id: 'version', yields: 3, header: t('columns.version'), width: 90, mono: true, cell: (row) => row.version },
      {
        id: 'since',
        header: t('columns.since'),
        width: 108,
        hidden: true,
        cell: (row) => <RelativeTime at={row.created_at} />,
      },
    ],
    [t],
  )
}

const filters = ['status', 'gone']
const byStatus = { id: 'status', order: 'asc' } as const
const invalidates = ['listExecutors'] as const
const keyOf = (row: Executor) => row.id
const nameOf = (row: Executor) => row.name
const nothingMore = () => {}

/** The executors of this server; all are in one answer, so that they are filtered and sorted here. */
export function ExecutorsPage() {
  const { t } = useTranslation('executors')
  const { t: tLists } = useTranslation('lists')
  const { t: word } = useTranslation()
  const [place, setPlace] = useAddress()
  const address = useListAddress(filters, executorSorts, byStatus)
  const { q, values, sort } = address
  const executors = useOperation(listExecutors)
  const all = useMemo(() => executors.data ?? [], [executors.data])
  // A day is told to the minute.
  const now = Math.floor(useNow() / 60_000) * 60_000
  const showGone = place.get('gone') === 'true'
  const rows = useMemo(
    () =>
      listed(all, {
        q,
        status: known(values('status'), executorStatuses),
        gone: showGone,
        now,
        // The address names only these.
        sort: sort && { id: sort.id as ExecutorSort, order: sort.order },
      }),
    [all, q, values, showGone, sort, now],
  )
  const columns = useColumns()
  const actions = useExecutorActions()
  const choices = useMemo(
    () => [
      {
        id: 'status',
        label: tLists('filter.status'),
        options: executorStatuses.map((status) => ({
          value: status,
          label: word(`status.${status}`),
          look: <StatusBadge status={status} />,
        })),
      },
    ],
    [tLists, word],
  )
  const noneOnline = executors.data !== undefined && !all.some(({ status }) => status === 'online')
  const list = {
    rows,
    total: executors.data && rows.length,
    isLoading: executors.isPending,
    isFetchingNext: false,
    isRefreshing: false,
    error: executors.error,
    hasNext: false,
    fetchNext: nothingMore,
    retry: () => void executors.refetch(),
  }
  const filtered = address.filtered || (all.length > 0 && all.every((one) => isGone(one, now)))
  return (
    <Page title={t('title')} layout="fill" actions={<AddExecutor />}>
      {noneOnline && all.length > 0 ? (
        <div className={classes.notice} role="status">
          <b>{t('goneTitle')}</b> {t('goneText')}
          <div>
            <StartCommand /> <CodeWords text={t('commandHint')} />
          </div>
        </div>
      ) : null}
      <WorkList
        id="executors"
        label={t('title')}
        list={list}
        columns={columns}
        rowKey={keyOf}
        nameOf={nameOf}
        isMuted={(row) => isGone(row, now)}
        address={address}
        search={t('search')}
        choices={choices}
        more={
          <Checkbox
            label={t('showGone')}
            checked={showGone}
            onChange={(event) => setPlace({ gone: event.currentTarget.checked ? 'true' : null })}
          />
        }
        actions={actions}
        invalidates={invalidates}
        total={executors.data ? t('count', { count: rows.length }) : null}
        empty={
          filtered ? (
            <NoMatch title={t('noMatch')} address={address} />
          ) : (
            <EmptyState icon={IconServer2} title={t('empty.title')} text={t('empty.text')} action={<StartCommand />} />
          )
        }
      />
    </Page>
  )
}
