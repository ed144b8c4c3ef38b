import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconKey, IconPlus, IconSearchOff } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { listApiKeys, revokeApiKey } from '../../../contract/api-keys.ts'
import type { ApiKey } from '../../../contract/auth.ts'
import { useAction, useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useNow } from '../../ui/ticker.ts'
import { SearchField, Toolbar } from '../../ui/Toolbar.tsx'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { NewKeyDialog } from './NewKeyDialog.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import { isPast } from './key-expiry.ts'

function Expiry({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useTranslation('settings')
  const now = useNow()
  if (apiKey.revoked_at) return <span>{t('keys.revoked')}</span>
  if (isPast(apiKey.expires_at, new Date(now))) return <span>{t('keys.expired')}</span>
  return <RelativeTime at={apiKey.expires_at} fallback={t('keys.never')} />
}

function useColumns(onRevoke: (key: ApiKey) => void): TableColumn<ApiKey>[] {
  const { t } = useTranslation('settings')
  const { t: tShell } = useTranslation('shell')
  return useMemo(
    () => [
      { id: 'name', header: t('keys.columns.name'), minWidth: 140, cell: (row) => row.name },
      { id: 'prefix', header: t('keys.columns.prefix'), width: 120, mono: true, cell: (row) => `${row.prefix}…` },
      { id: 'owner', header: t('keys.columns.owner'), width: 120, cell: (row) => row.username },
      { id: 'role', header: t('keys.columns.role'), width: 150, cell: (row) => tShell(`user.role.${row.role}`) },
      {
        id: 'scopes',
        header: t('keys.columns.scopes'),
        minWidth: 120,
        cell: (row) => (row.scopes.length > 0 ? row.scopes.join(', ') : t('keys.allScopes')),
      },
      { id: 'expires', header: t('keys.columns.expires'), width: 110, cell: (row) => <Expiry apiKey={row} /> },
      {
        id: 'last_used',
        header: t('keys.columns.lastUsed'),
        width: 110,
        cell: (row) => <RelativeTime at={row.last_used_at} fallback={t('keys.notUsed')} />,
      },
      {
        id: 'created',
        header: t('keys.columns.created'),
        width: 110,
        cell: (row) => <RelativeTime at={row.created_at} />,
      },
      {
        id: 'action',
        header: t('keys.columns.action'),
        width: 90,
        cell: (row) =>
          row.revoked_at === null ? (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => onRevoke(row)}
              aria-label={`${t('keys.revoke')} ${row.name}`}
            >
              {t('keys.revoke')}
            </Button>
          ) : null,
      },
    ],
    [t, tShell, onRevoke],
  )
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const { t } = useTranslation('settings')
  const revoke = useAction(revokeApiKey, { invalidates: ['listApiKeys'] })
  const name = apiKey?.name ?? ''
  return (
    <ConfirmDialog
      opened={apiKey !== null}
      title={t('keys.revokeTitle', { name })}
      text={t('keys.revokeText')}
      confirmLabel={t('keys.revoke')}
      danger
      busy={revoke.isPending}
      error={revoke.error?.message}
      onClose={onClose}
      onConfirm={() => {
        if (!apiKey) return
        const done = () => {
          notifications.show({ message: t('keys.revokeDone', { name }) })
          onClose()
        }
        revoke.mutate({ params: { id: apiKey.id } }, { onSuccess: done })
      }}
    />
  )
}

export function ApiKeysPage() {
  const { t } = useTranslation('settings')
  const { can } = useSession()
  const now = useNow()
  const [search, setSearch] = useSearchParams()
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const [dialog, setDialog] = useState<{ opened: boolean; made: string | null }>({ opened: false, made: null })
  const q = search.get('q') ?? undefined
  const list = useList(listApiKeys, { query: { q } }, { keepPrevious: true })
  const columns = useColumns(setRevoking)
  const create = (
    <Button leftSection={<IconPlus size={14} />} onClick={() => setDialog({ opened: true, made: null })}>
      {t('keys.new')}
    </Button>
  )
  return (
    <SettingsPage
      layout="fill"
      actions={can('createApiKey') ? create : null}
      toolbar={
        <Toolbar right={list.total === undefined ? null : t('keys.count', { count: list.total })}>
          <SearchField
            value={q ?? ''}
            label={t('keys.search')}
            onChange={(next) => setSearch(next ? { q: next } : {}, { replace: true })}
          />
        </Toolbar>
      }
    >
      <DataTable
        id="api-keys"
        label={t('tabs.apiKeys')}
        rows={list.rows}
        columns={columns}
        rowKey={(row) => row.id}
        isMuted={(key) => key.revoked_at !== null || isPast(key.expires_at, new Date(now))}
        {...listProps(list)}
        empty={
          q ? (
            <EmptyState icon={IconSearchOff} title={t('keys.noMatch.title')} text={t('keys.noMatch.text')} />
          ) : (
            <EmptyState icon={IconKey} title={t('keys.empty.title')} text={t('keys.empty.text')} action={create} />
          )
        }
      />
      <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} />
      <NewKeyDialog
        opened={dialog.opened}
        made={dialog.made}
        onMade={(made) => setDialog({ opened: true, made })}
        onClose={() => setDialog({ opened: false, made: null })}
      />
    </SettingsPage>
  )
}
