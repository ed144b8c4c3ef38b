import { translateError } from '../../i18n/translate.ts'
import { CloseButton } from '@mantine/core'
import { IconRefresh, IconSend } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import {
  type Notification,
  type NotificationDelivery,
  listNotificationDeliveries,
  retryNotificationDelivery,
} from '../../../contract/notifications.ts'
import { useAction, useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { RowButton } from '../../ui/RowActions.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import dialogs from '../../ui/document/dialogs.module.css'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { deliveryLook } from './channel-draft.ts'

function useColumns(retry: ((delivery: NotificationDelivery) => void) | null): TableColumn<NotificationDelivery>[] {
  const { t } = useTranslation('notifications')
  return useMemo(
    () => [
      {
        id: 'event',
        header: t('delivery.event'),
        width: 140,
        cell: (row) => (row.event === 'test' ? t('delivery.test') : t(`on.${row.event}`)),
      },
      {
        id: 'job_run',
        yields: 3,
        header: t('delivery.jobRun'),
        width: 84,
        cell: (row) =>
          row.job_run_id === null ? null : <Link to={paths.jobRun(row.job_run_id)}>#{row.job_run_id}</Link>,
      },
      {
        id: 'status',
        header: t('delivery.status'),
        uncut: true,
        width: 170,
        cell: (row) => (
          <>
            <StatusBadge status={deliveryLook(row.status)} label={t(`delivery.state.${row.status}`)} />
            {row.status === 'pending' && row.next_attempt_at && row.attempts > 0 ? (
              <span style={{ color: 'var(--hg-text-muted)' }}>
                , {t('delivery.next')} <RelativeTime at={row.next_attempt_at} />
              </span>
            ) : null}
          </>
        ),
      },
      {
        id: 'attempts',
        yields: 2,
        header: t('delivery.attempts'),
        width: 76,
        align: 'right',
        cell: (row) => row.attempts,
      },
      {
        id: 'created',
        yields: 1,
        header: t('delivery.when'),
        width: 104,
        cell: (row) => <RelativeTime at={row.created_at} />,
      },
      {
        id: 'error',
        header: t('delivery.error'),
        minWidth: 140,
        cell: (row) => {
          const text = translateError(row)
          return text && <span title={text}>{text}</span>
        },
      },
      {
        id: 'action',
        header: '',
        label: t('delivery.retry'),
        width: 110,
        cell: (row) =>
          row.status === 'failed' && retry ? (
            <RowButton
              text={t('delivery.retry')}
              action={{
                needsServer: true,
                label: t('delivery.retry'),
                icon: IconRefresh,
                shortcut: 'r',
                run: () => retry(row),
              }}
            />
          ) : null,
      },
    ],
    [t, retry],
  )
}

interface DeliveriesPaneProps {
  channel: Notification
  actions: ReactNode
  onClose: () => void
}

/** What can be done with a channel, and what was sent through it, newest first. */
export function DeliveriesPane({ channel, actions, onClose }: DeliveriesPaneProps) {
  const { t } = useTranslation('notifications')
  const { can } = useSession()
  const list = useList(listNotificationDeliveries, { params: { id: channel.id } })
  const { mutate } = useAction(retryNotificationDelivery, { invalidates: ['listNotificationDeliveries'] })
  const mayRetry = can('retryNotificationDelivery')
  const retry = useMemo(
    () => (mayRetry ? (row: NotificationDelivery) => mutate({ params: { id: channel.id, deliveryId: row.id } }) : null),
    [mayRetry, mutate, channel.id],
  )
  const columns = useColumns(retry)
  return (
    <div className={dialogs.pane}>
      <div className={dialogs.choices}>
        <span className={dialogs.named} title={channel.name}>
          {t('deliveriesTo', { name: channel.name })}
        </span>
        {actions}
        <CloseButton size="sm" onClick={onClose} />
      </div>
      <DataTable
        id="deliveries"
        label={t('deliveries')}
        rows={list.rows}
        columns={columns}
        rowKey={(row) => row.id}
        {...listProps(list)}
        what="deliveries"
        empty={<EmptyState compact icon={IconSend} title={t('delivery.none')} text={t('delivery.noneText')} />}
      />
    </div>
  )
}
