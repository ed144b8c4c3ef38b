import { translateError } from '../../i18n/translate.ts'
import { notifications as toasts } from '@mantine/notifications'
import { IconBell, IconPencil, IconPlus, IconSend, IconTrash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Notification,
  deleteNotification,
  listNotifications,
  testNotification,
} from '../../../contract/notifications.ts'
import { useAction, useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { RowControl } from '../../ui/RowActions.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { useAddress } from '../../ui/use-address.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { ChannelDialog } from './ChannelDialog.tsx'
import { DeliveriesPane } from './DeliveriesPane.tsx'
import { deliveryLook, deliveryState, destinationOf } from './channel-draft.ts'

function useColumns(): TableColumn<Notification>[] {
  const { t } = useTranslation('notifications')
  return useMemo(
    () => [
      { id: 'name', header: t('columns.name'), width: 132, names: true, cell: (row) => row.name },
      {
        id: 'enabled',
        header: t('columns.enabled'),
        width: 96,
        cell: (row) => (
          <StatusBadge
            status={row.enabled === 1 ? 'ok' : 'offline'}
            label={row.enabled === 1 ? t('enabled') : t('disabled')}
          />
        ),
      },
      { id: 'type', header: t('columns.type'), width: 90, cell: (row) => t(`type.${row.type}`) },
      {
        id: 'to',
        header: t('columns.to'),
        minWidth: 150,
        cell: (row) => destinationOf(row) ?? t('thisDesktop'),
      },
      {
        id: 'on',
        yields: 1,
        header: t('columns.on'),
        width: 164,
        cell: (row) => {
          const [first, ...rest] = row.on.map((event) => t(`on.${event}`))
          if (first === undefined) return t('onlyNamed')
          return rest.length === 0 ? (
            first
          ) : (
            <span title={[first, ...rest].join('\n')}>{`${first} +${rest.length}`}</span>
          )
        },
      },
      {
        id: 'jobs',
        yields: 2,
        header: t('columns.jobs'),
        width: 72,
        cell: (row) => (row.job_ids ? t('jobs', { count: row.job_ids.length }) : t('allJobs')),
      },
      {
        id: 'last',
        header: t('columns.last'),
        width: 116,
        cell: (row) =>
          row.last_delivery ? (
            <RowControl>
              <StatusBadge
                status={deliveryLook(row.last_delivery.status)}
                label={t(`delivery.state.${deliveryState(row.last_delivery.status)}`)}
                size="icon"
              />
              <RelativeTime at={row.last_delivery.at} />
            </RowControl>
          ) : null,
      },
    ],
    [t],
  )
}

interface ChannelActionsProps {
  channel: Notification
  onEdit: () => void
  onRemove: () => void
}

function ChannelActions({ channel, onEdit, onRemove }: ChannelActionsProps) {
  const { t } = useTranslation('notifications')
  const test = useAction(testNotification, { invalidates: ['listNotificationDeliveries', 'listNotifications'] })
  const send = () =>
    test.mutate(
      { params: { id: channel.id } },
      {
        onSuccess: (delivery) =>
          delivery.status === 'delivered'
            ? toasts.show({ message: t('tested') })
            : toasts.show({
                color: 'red',
                message: t('testFailed', { reason: translateError(delivery) ?? '' }),
              }),
        onError: (error) => toasts.show({ color: 'red', message: error.message }),
      },
    )
  return (
    <>
      <CommandButton
        id="channel.test"
        needsServer
        label={t('test')}
        variant="default"
        size="compact-xs"
        icon={IconSend}
        loading={test.isPending}
        onClick={send}
        shortcut="mod+Enter"
      />
      <CommandButton
        id="channel.edit"
        opens
        label={t('edit')}
        variant="default"
        size="compact-xs"
        icon={IconPencil}
        onClick={onEdit}
        shortcut="e"
      />
      <CommandButton
        id="channel.remove"
        opens
        label={t('remove')}
        variant="default"
        size="compact-xs"
        icon={IconTrash}
        onClick={onRemove}
        shortcut="Delete"
      />
    </>
  )
}

function RemoveDialog({ channel, onClose }: { channel: Notification | null; onClose: (gone: boolean) => void }) {
  const { t } = useTranslation('notifications')
  const remove = useAction(deleteNotification, { invalidates: ['listNotifications'] })
  const name = channel?.name ?? ''
  const done = () => {
    toasts.show({ message: t('removed', { name }) })
    onClose(true)
  }
  return (
    <ConfirmDialog
      opened={channel !== null}
      title={t('removeTitle', { name })}
      text={t('removeText')}
      confirmLabel={t('remove')}
      danger
      busy={remove.isPending}
      error={remove.error?.message}
      onClose={() => onClose(false)}
      onConfirm={() => {
        if (channel) remove.mutate({ params: { id: channel.id } }, { onSuccess: done })
      }}
    />
  )
}

/** Channels above, what was sent through the chosen one below. */
export function NotificationsPage() {
  const { t } = useTranslation('notifications')
  const { t: tSettings } = useTranslation('settings')
  const { can } = useSession()
  const [address, setAddress] = useAddress()
  const list = useList(listNotifications)
  const columns = useColumns()
  const [dialog, setDialog] = useState<{ opened: boolean; channel: Notification | null }>({
    opened: false,
    channel: null,
  })
  const [removing, setRemoving] = useState<Notification | null>(null)
  const chosen = list.rows.find((row) => String(row.id) === address.get('channel')) ?? null
  const mayChange = can('createNotification')
  const choose = (channel: Notification) => setAddress({ channel: String(channel.id) })
  const create = mayChange ? (
    <CommandButton
      id="channels.new"
      label={t('new')}
      icon={IconPlus}
      onClick={() => setDialog({ opened: true, channel: null })}
      shortcut="c"
    />
  ) : null
  const table = (
    <DataTable
      id="notifications"
      label={tSettings('tabs.notifications')}
      rows={list.rows}
      columns={columns}
      rowKey={(row) => row.id}
      activeKey={chosen?.id ?? null}
      onActiveChange={choose}
      onOpen={choose}
      isMuted={(row) => row.enabled === 0}
      {...listProps(list)}
      what="notifications"
      empty={<EmptyState icon={IconBell} title={t('empty.title')} text={t('empty.text')} action={create} />}
    />
  )
  return (
    <SettingsPage layout="fill" actions={create}>
      {chosen ? (
        <SplitPane
          id="notifications"
          direction="vertical"
          initial={Math.min(0.5, 0.04 * (list.rows.length + 1))}
          minSize={120}
        >
          {table}
          <DeliveriesPane
            key={chosen.id}
            channel={chosen}
            onClose={() => setAddress({ channel: null })}
            actions={
              mayChange ? (
                <ChannelActions
                  channel={chosen}
                  onEdit={() => setDialog({ opened: true, channel: chosen })}
                  onRemove={() => setRemoving(chosen)}
                />
              ) : null
            }
          />
        </SplitPane>
      ) : (
        table
      )}
      <ChannelDialog
        {...dialog}
        onClose={(saved) => {
          setDialog({ opened: false, channel: dialog.channel })
          if (saved) choose(saved)
        }}
      />
      <RemoveDialog
        channel={removing}
        onClose={(gone) => {
          setRemoving(null)
          if (gone) setAddress({ channel: null })
        }}
      />
    </SettingsPage>
  )
}
