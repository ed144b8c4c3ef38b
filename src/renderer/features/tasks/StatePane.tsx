import { notifications } from '@mantine/notifications'
import { IconBookmarkOff, IconCheck, IconEraser, IconHistoryToggle, IconX } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { getConnector } from '../../../contract/connectors.ts'
import { type TaskState, deleteTaskState, listTaskStates, resolveTaskState } from '../../../contract/tasks.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { RowActions, RowButton } from '../../ui/RowActions.tsx'
import { Value } from '../../ui/Value.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import classes from '../../ui/document/dialogs.module.css'
import preview from './preview.module.css'
import { numberText } from '../../ui/format.ts'

function ConnectorName({ id }: { id: number }) {
  const connector = useOperation(getConnector, { params: { id } })
  return <Link to={paths.connector(id)}>{connector.data?.name ?? `#${id}`}</Link>
}

/** Runs of which nobody knows whether they wrote their rows, and the two answers. */
function Unresolved({ state, mayResolve }: { state: TaskState; mayResolve: boolean }) {
  const { t } = useTranslation('tasks')
  const resolve = useAction(resolveTaskState, { invalidates: ['listTaskStates'] })
  return state.unresolved.map(({ run_id }) => {
    const answer = (committed: boolean) => () =>
      resolve.mutate({ params: { id: state.task_id, stateId: state.id }, body: { run_id, committed } })
    const actions = [
      { label: t('state.written', { run: run_id }), icon: IconCheck, needsServer: true, run: answer(true) },
      { label: t('state.notWritten', { run: run_id }), icon: IconX, needsServer: true, run: answer(false) },
    ]
    return (
      <span key={run_id}>
        <Link to={paths.run(run_id)}>#{run_id}</Link>
        {mayResolve ? <RowActions actions={actions} /> : null}
      </span>
    )
  })
}

function useColumns(onForget: ((state: TaskState) => void) | undefined, mayResolve: boolean): TableColumn<TaskState>[] {
  const { t } = useTranslation('tasks')
  return useMemo(
    () => [
      {
        id: 'connector',
        header: t('state.connector'),
        minWidth: 140,
        cell: (row) => (row.connector_id === null ? null : <ConnectorName id={row.connector_id} />),
      },
      { id: 'slot', header: t('state.slot'), width: 110, mono: true, cell: (row) => row.slot },
      {
        id: 'cursor',
        header: t('state.cursor'),
        minWidth: 200,
        mono: true,
        cell: (row) => <Value value={row.cursor} />,
      },
      {
        id: 'files',
        header: t('state.files'),
        width: 110,
        align: 'right',
        cell: (row) => numberText(row.files_taken),
      },
      {
        id: 'run',
        header: t('state.run'),
        width: 90,
        cell: (row) => <Link to={paths.run(row.run_id)}>#{row.run_id}</Link>,
      },
      {
        id: 'unresolved',
        header: t('state.unresolved'),
        width: 150,
        cell: (row) => <Unresolved state={row} mayResolve={mayResolve} />,
      },
      { id: 'updated', header: t('state.updated'), width: 130, cell: (row) => <RelativeTime at={row.updated_at} /> },
      {
        id: 'forget',
        header: '',
        label: t('state.forget'),
        width: 96,
        cell: (row) =>
          onForget ? (
            <RowButton
              opens
              text={t('state.forget')}
              action={{
                needsServer: true,
                label: `${t('state.forget')} ${row.slot}`,
                icon: IconEraser,
                shortcut: 'Delete',
                run: () => onForget(row),
              }}
            />
          ) : null,
      },
    ],
    [t, onForget, mayResolve],
  )
}

/** Asks first: what is forgotten is read again. */
function ForgetDialog({ taskId, state, onClose }: { taskId: number; state: TaskState | null; onClose(): void }) {
  const { t } = useTranslation('tasks')
  const forget = useAction(deleteTaskState, { invalidates: ['listTaskStates'] })
  const close = () => {
    forget.reset()
    onClose()
  }
  const confirm = () => {
    if (!state) return
    forget.mutate(
      { params: { id: taskId, stateId: state.id } },
      {
        onSuccess: () => {
          notifications.show({ message: t('state.forgotten') })
          close()
        },
      },
    )
  }
  return (
    <ConfirmDialog
      opened={state !== null}
      title={t('state.forgetTitle', { connector: state?.slot ?? '' })}
      text={t('state.forgetText', {
        initial: state && state.cursor === null ? t('state.fromFiles') : t('state.fromInitial'),
      })}
      confirmLabel={t('state.forget')}
      danger
      busy={forget.isPending}
      error={forget.error?.message}
      onConfirm={confirm}
      onClose={close}
    />
  )
}

/** Where incremental runs of a task have got to, and how to let them begin again. */
export function StatePane({ taskId, kept }: { taskId: number; kept: boolean }) {
  const { t } = useTranslation('tasks')
  const { can } = useSession()
  const states = useOperation(listTaskStates, { params: { id: taskId } })
  const [asking, setAsking] = useState<TaskState | null>(null)
  const columns = useColumns(can('deleteTaskState') ? setAsking : undefined, can('resolveTaskState'))
  return (
    <div className={classes.pane}>
      <div className={preview.bar}>
        <span className={preview.note}>{t('state.explain')}</span>
      </div>
      <DataTable
        id="task.state"
        label={t('state.label')}
        rows={states.data ?? []}
        columns={columns}
        rowKey={(row) => row.id}
        loading={states.isPending}
        error={states.error}
        what="state"
        onRetry={() => void states.refetch()}
        empty={
          kept ? (
            <EmptyState icon={IconHistoryToggle} title={t('state.emptyTitle')} text={t('state.emptyText')} />
          ) : (
            <EmptyState icon={IconBookmarkOff} title={t('state.notKept')} text={t('state.notKeptText')} />
          )
        }
      />
      <ForgetDialog taskId={taskId} state={asking} onClose={() => setAsking(null)} />
    </div>
  )
}
