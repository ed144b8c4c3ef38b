import { notifications } from '@mantine/notifications'
import { IconPencil, IconPlus, IconStack2, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Pool, deletePool, listPools } from '../../../contract/pools.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RowMenuButton } from '../../ui/RowActions.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { PoolDialog } from './PoolDialog.tsx'
import { numberText } from '../../ui/format.ts'
import { useOpening } from '../../ui/use-opening.ts'
import { useAddressChoice } from '../../ui/use-address-part.ts'

interface Deeds {
  edit: (pool: Pool) => void
  remove: (pool: Pool) => void
}

function useColumns(deeds: Deeds | null): TableColumn<Pool>[] {
  const { t } = useTranslation('pools')
  const opening = useOpening()
  return useMemo(() => {
    const columns: TableColumn<Pool>[] = [
      { id: 'name', header: t('columns.name'), width: 200, mono: true, names: true, cell: (row) => row.name },
      {
        id: 'state',
        header: t('columns.state'),
        width: 112,
        uncut: true,
        cell: ({ slots, used }) => {
          if (slots === 0) return <StatusBadge status="completed" label={t('states.blocked')} />
          return used < slots ? (
            <StatusBadge status="ok" label={t('states.free')} />
          ) : (
            <StatusBadge status="running" label={t('states.full')} />
          )
        },
      },
      {
        id: 'slots',
        header: t('columns.slots'),
        width: 80,
        align: 'right',
        cell: (row) => numberText(row.slots),
      },
      { id: 'used', header: t('columns.used'), width: 80, align: 'right', cell: (row) => numberText(row.used) },
      {
        id: 'waiting',
        header: t('columns.waiting'),
        width: 80,
        align: 'right',
        cell: (row) =>
          row.waiting === 0 ? (
            numberText(row.waiting)
          ) : (
            <Link to={paths.jobRuns({ pool: row.name })} title={t('showWaiting', { name: row.name })}>
              {numberText(row.waiting)}
            </Link>
          ),
      },
      { id: 'description', header: t('columns.description'), minWidth: 160, cell: (row) => row.description },
    ]
    if (!deeds) return columns
    const action: TableColumn<Pool> = {
      id: 'action',
      header: '',
      label: t('columns.action'),
      width: 40,
      pinned: true,
      cell: (row) => (
        <RowMenuButton
          actions={[
            {
              label: `${t('edit')} ${row.name}`,
              text: opening(t('edit')),
              icon: IconPencil,
              shortcut: 'e',
              run: () => deeds.edit(row),
            },
            {
              label: `${t('remove')} ${row.name}`,
              text: opening(t('remove')),
              icon: IconTrash,
              shortcut: 'Delete',
              danger: true,
              needsServer: true,
              run: () => deeds.remove(row),
            },
          ]}
        />
      ),
    }
    return [...columns, action]
  }, [t, opening, deeds])
}

function RemoveDialog({ pool, onClose }: { pool: Pool | null; onClose: () => void }) {
  const { t } = useTranslation('pools')
  const remove = useAction(deletePool, { invalidates: ['listPools'] })
  const name = pool?.name ?? ''
  const done = () => {
    notifications.show({ message: t('removed', { name }) })
    onClose()
  }
  return (
    <ConfirmDialog
      opened={pool !== null}
      title={t('removeTitle', { name })}
      text={t('removeText')}
      confirmLabel={t('remove')}
      danger
      busy={remove.isPending}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() => remove.mutate({ params: { name } }, { onSuccess: done })}
    />
  )
}

/** Limits that runs of many jobs share. */
export function PoolsPage() {
  const { t } = useTranslation('pools')
  const { t: tSettings } = useTranslation('settings')
  const { can } = useSession()
  const list = useOperation(listPools)
  const [editing, setEditing] = useState<{ opened: boolean; pool: Pool | null }>({ opened: false, pool: null })
  const [removing, setRemoving] = useState<Pool | null>(null)
  const mayChange = can('setPool')
  const deeds = useMemo(
    () => (mayChange ? { edit: (pool: Pool) => setEditing({ opened: true, pool }), remove: setRemoving } : null),
    [mayChange],
  )
  const columns = useColumns(deeds)
  const [chosen, choose] = useAddressChoice('pool')
  const create = mayChange ? (
    <CommandButton
      id="pools.new"
      label={t('new')}
      icon={IconPlus}
      onClick={() => setEditing({ opened: true, pool: null })}
      shortcut="c"
    />
  ) : null
  return (
    <SettingsPage layout="fill" actions={create}>
      <DataTable
        id="pools"
        label={tSettings('tabs.pools')}
        rows={list.data ?? []}
        columns={columns}
        rowKey={(row) => row.name}
        activeKey={chosen}
        onActiveChange={(row) => choose(row.name)}
        loading={list.isPending}
        error={list.error}
        what="pools"
        onRetry={() => void list.refetch()}
        empty={
          <EmptyState
            icon={IconStack2}
            title={t('empty.title')}
            text={<CodeWords text={t('empty.text')} />}
            action={create}
          />
        }
      />
      <PoolDialog {...editing} onClose={() => setEditing({ opened: false, pool: editing.pool })} />
      <RemoveDialog pool={removing} onClose={() => setRemoving(null)} />
    </SettingsPage>
  )
}
