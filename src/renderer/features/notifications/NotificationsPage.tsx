import { translateError } from '../../i18n/translate.ts'
import { Button, Switch } from '@mantine/core'
import { notifications as toasts } from '@mantine/notifications'
import { IconBell, IconPencil, IconPlus, IconSend, IconTrash } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type Notification,
  deleteNotification,
  listNotifications,
  testNotification,
  updateNotification,
} from '../../../contract/notifications.ts'
import { useAction, useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { RowControl, RowMenuButton } from '../../ui/RowActions.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { useOpening } from '../../ui/use-opening.ts'
import { useUnreachable } from '../../ui/use-unreachable.ts'
import { useAddress } from '../../ui/use-address.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { ChannelDialog } from './ChannelDialog.tsx'
import { DeliveriesPane } from './DeliveriesPane.tsx'
import { deliveryLook, deliveryState, destinationOf } from './channel-draft.ts'

interface Deeds {
  toggle: (channel: Notification, enabled: boolean) => void
  test: (channel: Notification) => void
  edit: (channel: Notification) => void
  remove: (channel: Notification) => void
}

/** What can be done with a channel; `null` for those who may not. */
function useDeeds(edit: Deeds['edit'], remove: Deeds['remove']) {
  const { t } = useTranslation('notifications')
  const { can } = useSession()
  const test = useAction(testNotification, { invalidates: ['listNotificationDeliveries', 'listNotifications'] })
  const { mutate: change } = useAction(updateNotification, { invalidates: ['listNotifications'] })
  const { mutate: send } = test
  const mayChange = can('updateNotification')
  const deeds = useMemo((): Deeds | null => {
    if (!mayChange) return null
    const onError = (error: Error) => toasts.show({ color: 'red', message: error.message })
    return {
      edit,
      remove,
      toggle: ({ id }, enabled) => change({ params: { id }, body: { enabled } }, { onError }),
      test: ({ id }) =>
        send(
          { params: { id } },
          {
            onSuccess: (delivery) =>
              delivery.status === 'delivered'
                ? toasts.show({ message: t('tested') })
                : toasts.show({ color: 'red', message: t('testFailed', { reason: translateError(delivery) ?? '' }) }),
            onError,
          },
        ),
    }
  }, [mayChange, edit, remove, change, send, t])
  return { deeds, testing: test.isPending }
}

function RowMenu({ channel, deeds }: { channel: Notification; deeds: Deeds }) {
  const { t } = useTranslation('notifications')
  const opening = useOpening()
  return (
    <RowMenuButton
      actions={[
        {
          label: t('testTo', { name: channel.name }),
          text: t('test'),
          icon: IconSend,
          shortcut: 'mod+Enter',
          needsServer: true,
          run: () => deeds.test(channel),
        },
        {
          label: `${t('edit')} ${channel.name}`,
          text: opening(t('edit')),
          icon: IconPencil,
          shortcut: 'e',
          run: () => deeds.edit(channel),
        },
        {
          label: `${t('remove')} ${channel.name}`,
          text: opening(t('remove')),
          icon: IconTrash,
          shortcut: 'Delete',
          danger: true,
          needsServer: true,
          run: () => deeds.remove(channel),
        },
      ]}
    />
  )
}

function useColumns(deeds: Deeds | null): TableColumn<Notification>[] {
  const { t } = useTranslation('notifications')
  return useMemo(() => {
    const columns: TableColumn<Notification>[] = [
      {
        id: 'enabled',
        header: t('columns.enabled'),
        width: 76,
        cell: (row) => (
          <RowControl>
            <Switch
              size="xs"
              checked={row.enabled === 1}
              disabled={!deeds}
              aria-label={t('switch', { name: row.name })}
              onChange={(event) => deeds?.toggle(row, event.currentTarget.checked)}
            />
          </RowControl>
        ),
      },
      { id: 'name', header: t('columns.name'), width: 132, names: true, cell: (row) => row.name },
      { id: 'type', header: t('columns.type'), width: 90, cell: (row) => t(`type.${row.type}`) },
      {
        id: 'to',
        header: t('columns.to'),
        minWidth: 150,
        cell: (row) => destinationOf(row) ?? t('desktops'),
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
        uncut: true,
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
          ) : (
            <RelativeTime at={null} last />
          ),
      },
    ]
    if (!deeds) return columns
    const menu: TableColumn<Notification> = {
      id: 'action',
      header: '',
      label: t('columns.action'),
      width: 40,
      pinned: true,
      cell: (row) => <RowMenu channel={row} deeds={deeds} />,
    }
    return [...columns, menu]
  }, [t, deeds])
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

const rowHeight = 28
/** Rows of a list that needs no scrolling above the deliveries. */
const shortList = 6

/** Channels above, what was sent through the chosen one below. */
export function NotificationsPage() {
  const { t } = useTranslation('notifications')
  const { t: tSettings } = useTranslation('settings')
  const { can } = useSession()
  const [address, setAddress] = useAddress()
  const list = useList(listNotifications)
  const [dialog, setDialog] = useState<{ opened: boolean; channel: Notification | null }>({
    opened: false,
    channel: null,
  })
  const [removing, setRemoving] = useState<Notification | null>(null)
  const unreachable = useUnreachable()
  const chosen = list.rows.find((row) => String(row.id) === address.get('channel')) ?? null
  const edit = useCallback((channel: Notification) => setDialog({ opened: true, channel }), [])
  const { deeds, testing } = useDeeds(edit, setRemoving)
  const columns = useColumns(deeds)
  const choose = (channel: Notification) => setAddress({ channel: String(channel.id) })
  const create = can('createNotification') ? (
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
          // As tall as a few rows, or a part of the pane that scrolls.
          initial={list.rows.length > shortList ? 0.4 : 0}
          minSize={rowHeight * (Math.min(list.rows.length, shortList) + 1)}
        >
          {table}
          <DeliveriesPane
            key={chosen.id}
            channel={chosen}
            onClose={() => setAddress({ channel: null })}
            actions={
              deeds ? (
                <Hint label={unreachable}>
                  <Button
                    variant="default"
                    size="compact-xs"
                    leftSection={<IconSend size={14} aria-hidden />}
                    loading={testing}
                    disabled={unreachable !== undefined}
                    onClick={() => deeds.test(chosen)}
                  >
                    {t('test')}
                  </Button>
                </Hint>
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
