import { notifications } from '@mantine/notifications'
import { IconDevices, IconLogout } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Session, endSession, listSessions } from '../../../contract/sessions.ts'
import { useAction, useList } from '../../api/queries.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DataTable, rowHeight } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { RowButton } from '../../ui/RowActions.tsx'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { deviceOf } from './device.ts'
import classes from './profile.module.css'

function useDeviceText(): (session: Session) => string {
  const { t } = useTranslation('profile')
  return ({ user_agent }) => {
    const { browser, system } = deviceOf(user_agent)
    if (browser && system) return t('sessions.on', { browser, system })
    return browser ?? system ?? t('sessions.unknown')
  }
}

function Device({ session }: { session: Session }) {
  const { t } = useTranslation('profile')
  const text = useDeviceText()(session)
  return (
    <span title={session.user_agent ?? undefined}>
      {text}
      {session.current ? <span className={classes.current}>{t('sessions.current')}</span> : null}
      {session.pending ? ` (${t('sessions.pending')})` : null}
    </span>
  )
}

function useColumns(onEnd: ((session: Session) => void) | null): TableColumn<Session>[] {
  const { t } = useTranslation('profile')
  const deviceText = useDeviceText()
  return useMemo(() => {
    const columns: TableColumn<Session>[] = [
      { id: 'device', header: t('sessions.columns.device'), minWidth: 160, cell: (row) => <Device session={row} /> },
      {
        id: 'via',
        header: t('sessions.columns.begun'),
        yields: 1,
        width: 104,
        cell: (row) => t(`sessions.via.${row.via}`),
      },
      { id: 'address', header: t('sessions.columns.address'), width: 112, mono: true, cell: (row) => row.address },
      {
        id: 'seen',
        header: t('sessions.columns.seen'),
        width: 114,
        cell: (row) => <RelativeTime at={row.last_seen_at} />,
      },
      {
        id: 'created',
        header: t('sessions.columns.created'),
        width: 96,
        cell: (row) => <RelativeTime at={row.created_at} />,
      },
      {
        id: 'idle',
        header: t('sessions.columns.idle'),
        width: 122,
        cell: (row) => <RelativeTime at={row.idle_until} />,
      },
    ]
    if (!onEnd) return columns
    const action: TableColumn<Session> = {
      id: 'action',
      header: '',
      label: t('sessions.columns.action'),
      width: 116,
      cell: (row) =>
        row.current ? null : (
          <RowButton
            opens
            text={t('sessions.end')}
            action={{
              needsServer: true,
              label: t('sessions.endOf', { device: deviceText(row) }),
              icon: IconLogout,
              shortcut: 'Delete',
              run: () => onEnd(row),
            }}
          />
        ),
    }
    return [...columns, action]
    // The text of a device depends on the language alone, like `t`.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [t, onEnd])
}

export interface SessionsTableProps {
  /** Whose; left out, one's own. */
  userId?: number
  mayEnd: boolean
}

export function SessionsTable({ userId, mayEnd }: SessionsTableProps) {
  const { t } = useTranslation('profile')
  const deviceText = useDeviceText()
  const list = useList(listSessions, { query: userId === undefined ? {} : { user_id: userId } })
  const end = useAction(endSession, { invalidates: ['listSessions'] })
  const [ending, setEnding] = useState<Session | null>(null)
  const columns = useColumns(mayEnd ? setEnding : null)
  const close = () => {
    end.reset()
    setEnding(null)
  }
  const done = () => {
    notifications.show({ message: t('sessions.ended') })
    close()
  }
  return (
    <div className={classes.boxed}>
      <DataTable
        label={t('sessions.title')}
        rows={list.rows}
        columns={columns}
        rowKey={(row) => row.id}
        {...listProps(list)}
        what="sessions"
        height={(Math.min(list.rows.length || 3, 8) + 1) * rowHeight + 2}
        empty={<EmptyState compact icon={IconDevices} title={t('sessions.none')} />}
      />
      <ConfirmDialog
        opened={ending !== null}
        title={t('sessions.endTitle')}
        text={t('sessions.endText', { device: ending ? deviceText(ending) : '' })}
        confirmLabel={t('sessions.end')}
        danger
        busy={end.isPending}
        error={end.error?.message}
        onClose={close}
        onConfirm={() => {
          if (ending) end.mutate({ params: { id: ending.id } }, { onSuccess: done })
        }}
      />
    </div>
  )
}
