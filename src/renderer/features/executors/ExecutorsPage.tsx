import { Checkbox } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArrowBarToDown, IconServer2 } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { type Executor, drainExecutor, listExecutors } from '../../../contract/executors.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { RowButton } from '../../ui/RowActions.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { ExecutorBadge } from './ExecutorBadge.tsx'
import { Slots } from './Slots.tsx'
import { StartCommand } from './StartCommand.tsx'
import { isGone, labelsText, sortExecutors } from './executors.rules.ts'
import classes from './executors.module.css'

function useColumns(onDrain: ((executor: Executor) => void) | undefined): TableColumn<Executor>[] {
  const { t } = useTranslation('executors')
  return useMemo(() => {
    const columns: TableColumn<Executor>[] = [
      { id: 'name', header: t('columns.name'), minWidth: 140, cell: (row) => row.name },
      {
        id: 'status',
        header: t('columns.status'),
        width: 120,
        cell: (row) => <ExecutorBadge executor={row} />,
      },
      { id: 'slots', header: t('columns.busy'), width: 136, cell: (row) => <Slots executor={row} /> },
      {
        id: 'labels',
        header: t('columns.labels'),
        minWidth: 120,
        cell: (row) => <span className={classes.labels}>{labelsText(row.labels)}</span>,
      },
      {
        id: 'heartbeat',
        header: t('columns.heartbeat'),
        width: 118,
        cell: (row) => <RelativeTime at={row.last_heartbeat_at} />,
      },
      { id: 'address', header: t('columns.address'), width: 120, mono: true, cell: (row) => row.address ?? '' },
      { id: 'version', header: t('columns.version'), width: 90, mono: true, cell: (row) => row.version },
      { id: 'since', header: t('columns.since'), width: 108, cell: (row) => <RelativeTime at={row.created_at} /> },
    ]
    if (onDrain) {
      columns.push({
        id: 'action',
        header: t('columns.action'),
        width: 112,
        cell: (row) =>
          row.status === 'online' ? (
            <RowButton
              text={t('drain')}
              action={{ label: `${t('drain')} ${row.name}`, icon: IconArrowBarToDown, run: () => onDrain(row) }}
              withIcon
            />
          ) : null,
      })
    }
    return columns
  }, [t, onDrain])
}

function DrainDialog({ executor, onClose }: { executor: Executor | null; onClose: () => void }) {
  const { t } = useTranslation('executors')
  const drain = useAction(drainExecutor, { invalidates: ['listExecutors'] })
  const name = executor?.name ?? ''
  const close = () => {
    drain.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      opened={executor !== null}
      title={t('drainTitle', { name })}
      text={t('drainText', { busy: executor?.busy ?? 0 })}
      confirmLabel={t('drain')}
      busy={drain.isPending}
      error={drain.error?.message}
      onClose={close}
      onConfirm={() => {
        if (!executor) return
        const done = () => {
          notifications.show({ message: t('drained', { name }) })
          onClose()
        }
        drain.mutate({ params: { id: executor.id } }, { onSuccess: done })
      }}
    />
  )
}

export function ExecutorsPage() {
  const { t } = useTranslation('executors')
  const { can } = useSession()
  const [search, setSearch] = useSearchParams()
  const [draining, setDraining] = useState<Executor | null>(null)
  const executors = useOperation(listExecutors)
  const columns = useColumns(can('drainExecutor') ? setDraining : undefined)
  const showGone = search.get('gone') === 'true'
  const all = useMemo(() => sortExecutors(executors.data ?? []), [executors.data])
  const rows = showGone ? all : all.filter((executor) => !isGone(executor))
  const noneOnline = executors.data !== undefined && !all.some((executor) => executor.status === 'online')
  return (
    <Page
      title={t('title')}
      layout="fill"
      toolbar={
        <Toolbar right={executors.data ? t('count', { count: rows.length }) : null}>
          <Checkbox
            label={t('showGone')}
            checked={showGone}
            onChange={(event) => setSearch(event.currentTarget.checked ? { gone: 'true' } : {}, { replace: true })}
          />
        </Toolbar>
      }
    >
      {noneOnline && all.length > 0 ? (
        <div className={classes.notice} role="status">
          <b>{t('goneTitle')}</b> {t('goneText')}
          <div>
            <StartCommand /> {t('commandHint')}
          </div>
        </div>
      ) : null}
      <DataTable
        id="executors"
        label={t('title')}
        rows={rows}
        columns={columns}
        rowKey={(row) => row.id}
        isMuted={isGone}
        loading={executors.isPending}
        error={executors.error}
        onRetry={() => void executors.refetch()}
        empty={
          all.length > 0 ? null : (
            <EmptyState icon={IconServer2} title={t('empty.title')} text={t('empty.text')} action={<StartCommand />} />
          )
        }
      />
      <DrainDialog executor={draining} onClose={() => setDraining(null)} />
    </Page>
  )
}
