import { notifications } from '@mantine/notifications'
import { IconArrowBackUp, IconDatabaseExport, IconDownload, IconShieldCheck, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Backup,
  createBackup,
  deleteBackup,
  downloadBackup,
  isRestorable,
  listBackups,
} from '../../../contract/backups.ts'
import { urlOf } from '../../../contract/operation-url.ts'
import { useAction, useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { RowMenuButton } from '../../ui/RowActions.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { downloadFrom } from '../../ui/download.ts'
import { listProps } from '../../ui/list-props.ts'
import { bytesText } from '../../ui/time.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { useAddressChoice } from '../../ui/use-address-part.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { BackupPlace, BackupPlan } from './BackupPlan.tsx'
import { RestoreDialog } from './RestoreDialog.tsx'
import { statusLook } from './backup-status.ts'
import classes from './backups.module.css'

interface Deeds {
  check: (backup: Backup) => void
  restore: (backup: Backup) => void
  remove: (backup: Backup) => void
}

const download = (backup: Backup) => downloadFrom(urlOf(downloadBackup, { name: backup.name }), backup.name)

function useColumns({ check, restore, remove }: Deeds): TableColumn<Backup>[] {
  const { t } = useTranslation('backups')
  return useMemo(
    (): TableColumn<Backup>[] => [
      { id: 'created', header: t('columns.created'), width: 112, cell: (row) => <RelativeTime at={row.created_at} /> },
      { id: 'reason', header: t('columns.reason'), minWidth: 132, grow: 0, cell: (row) => t(`reason.${row.reason}`) },
      {
        id: 'status',
        header: t('columns.status'),
        uncut: true,
        minWidth: 120,
        grow: 0,
        cell: (row) => <StatusBadge status={statusLook[row.status]} label={t(`status.${row.status}`)} />,
      },
      { id: 'size', header: t('columns.size'), width: 84, align: 'right', cell: (row) => bytesText(row.bytes) },
      {
        id: 'version',
        yields: 1,
        header: t('columns.version'),
        width: 70,
        cell: (row) =>
          row.version && <span title={t('schema', { schema: row.schema_version ?? '?' })}>{row.version}</span>,
      },
      {
        id: 'name',
        header: t('columns.name'),
        minWidth: 150,
        mono: true,
        names: true,
        cell: (row) => row.name,
      },
      {
        id: 'actions',
        header: '',
        label: t('columns.actions'),
        width: 40,
        pinned: true,
        cell: (row) => (
          <RowMenuButton
            actions={[
              {
                label: t('check', { name: row.name }),
                text: t('menu.check'),
                icon: IconShieldCheck,
                shortcut: 'v',
                needsServer: true,
                run: () => check(row),
              },
              {
                label: t('download', { name: row.name }),
                text: t('menu.download'),
                icon: IconDownload,
                shortcut: 'shift+d',
                needsServer: true,
                run: () => download(row),
              },
              ...(isRestorable(row)
                ? [
                    {
                      label: t('restore', { name: row.name }),
                      text: t('menu.restore'),
                      icon: IconArrowBackUp,
                      needsServer: true,
                      run: () => restore(row),
                    },
                  ]
                : []),
              {
                label: t('remove', { name: row.name }),
                text: t('menu.remove'),
                icon: IconTrash,
                shortcut: 'Delete',
                danger: true,
                needsServer: true,
                run: () => remove(row),
              },
            ]}
          />
        ),
      },
    ],
    [t, check, restore, remove],
  )
}

function RemoveDialog({ backup, onClose }: { backup: Backup | null; onClose: () => void }) {
  const { t } = useTranslation('backups')
  const remove = useAction(deleteBackup, { invalidates: ['listBackups', 'getStoreInfo'] })
  const name = backup?.name ?? ''
  const close = () => {
    remove.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      opened={backup !== null}
      title={t('removeTitle')}
      text={t('removeText', { name })}
      confirmLabel={t('removeConfirm')}
      danger
      busy={remove.isPending}
      error={remove.error?.message}
      onConfirm={() => remove.mutate({ params: { name } }, { onSuccess: close })}
      onClose={close}
    />
  )
}

function useCreate() {
  const { t } = useTranslation('backups')
  const create = useAction(createBackup, { invalidates: ['listBackups', 'getStoreInfo'] })
  const run = () => {
    if (create.isPending) return
    create.mutate(
      {},
      {
        onSuccess: (backup) =>
          notifications.show({ message: t('created', { name: backup.name, bytes: bytesText(backup.bytes) }) }),
        onError: (failure) =>
          notifications.show({ color: 'red', autoClose: false, title: t('createFailed'), message: failure.message }),
      },
    )
  }
  return { run, busy: create.isPending }
}

const keyOf = (backup: Backup) => backup.name

/** The backups in the folder, what makes more of them, and the way back to one. */
export function BackupsPage() {
  const { t } = useTranslation('backups')
  const { can } = useSession()
  const list = useList(listBackups, { query: { limit: 200 } })
  const create = useCreate()
  const [chosen, choose] = useAddressChoice('backup')
  const [restoring, setRestoring] = useState<{ backup: Backup; checkOnly: boolean } | null>(null)
  const [removing, setRemoving] = useState<Backup | null>(null)
  const deeds = useMemo(
    (): Deeds => ({
      check: (backup) => setRestoring({ backup, checkOnly: true }),
      restore: (backup) => setRestoring({ backup, checkOnly: false }),
      remove: setRemoving,
    }),
    [],
  )
  const columns = useColumns(deeds)
  const failed = list.rows.length === 0 ? list.error : null
  const client = useQueryClient()
  // One failure is said once: what failed with the list is asked for with it.
  const retry = () => void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  const button = (
    <CommandButton
      id="backups.create"
      needsServer
      label={t('create')}
      icon={IconDatabaseExport}
      loading={create.busy}
      onClick={create.run}
      shortcut="c"
    />
  )
  return (
    <SettingsPage
      layout="fill"
      // An empty list has it in its middle.
      actions={can('createBackup') && list.total !== 0 ? button : undefined}
      subtitle={<span role="status">{create.busy ? t('creating') : null}</span>}
    >
      <BackupPlace />
      {failed ? (
        <div className={classes.failed}>
          <ErrorState what="backups" compact error={failed} onRetry={retry} />
        </div>
      ) : (
        <DataTable
          id="backups"
          label={t('label')}
          rows={list.rows}
          columns={columns}
          rowKey={keyOf}
          activeKey={chosen}
          onActiveChange={(row) => choose(row.name)}
          isMuted={(row) => !isRestorable(row)}
          {...listProps(list)}
          fits
          empty={
            <EmptyState icon={IconDatabaseExport} title={t('empty.title')} text={t('empty.text')} action={button} />
          }
        />
      )}
      <BackupPlan waits={list.isLoading} above={failed} />
      <RestoreDialog
        backup={restoring?.backup ?? null}
        checkOnly={restoring?.checkOnly ?? false}
        onClose={() => setRestoring(null)}
      />
      <RemoveDialog backup={removing} onClose={() => setRemoving(null)} />
    </SettingsPage>
  )
}
