import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiKey } from '../../../contract/auth.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { useNow } from '../../ui/ticker.ts'
import classes from './api-keys.module.css'
import { type KeyState, keyState } from './key-expiry.ts'

const looks = { revoked: 'cancelled', expired: 'pending' } as const satisfies Partial<Record<KeyState, string>>

/** When it ends, or that it has: one column, so that a list of keys fits beside the sections of the settings. */
function Lifetime({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useTranslation('apiKeys')
  const state = keyState(apiKey, new Date(useNow()))
  if (state !== 'live') return <StatusBadge status={looks[state]} label={t(`state.${state}`)} />
  return apiKey.expires_at === null ? (
    <span className={classes.never}>{t('never')}</span>
  ) : (
    <RelativeTime at={apiKey.expires_at} />
  )
}

/** The columns of a list of API keys: everybody's, one's own, those of a user. */
export function useKeyColumns(withOwner: boolean): TableColumn<ApiKey>[] {
  const { t } = useTranslation('apiKeys')
  const { t: tShell } = useTranslation('shell')
  return useMemo(() => {
    const owner: TableColumn<ApiKey> = {
      id: 'owner',
      yields: 1,
      header: t('columns.owner'),
      width: 80,
      names: true,
      cell: (row) => row.username,
    }
    return [
      { id: 'name', header: t('columns.name'), minWidth: 112, names: true, sortable: true, cell: (row) => row.name },
      { id: 'prefix', yields: 2, header: t('columns.prefix'), width: 128, mono: true, cell: (row) => `${row.prefix}…` },
      ...(withOwner ? [owner] : []),
      { id: 'role', header: t('columns.role'), width: 142, cell: (row) => tShell(`user.role.${row.role}`) },
      {
        id: 'scopes',
        header: t('columns.scopes'),
        minWidth: 90,
        cell: (row) =>
          row.scopes.length > 0 ? row.scopes.map((scope) => t(`scopeNames.${scope}`)).join(', ') : t('allScopes'),
      },
      { id: 'expires', header: t('columns.expires'), width: 96, cell: (row) => <Lifetime apiKey={row} /> },
      {
        id: 'last_used_at',
        sortable: true,
        largestFirst: true,
        header: t('columns.lastUsed'),
        width: 114,
        cell: (row) => <RelativeTime at={row.last_used_at} last />,
      },
      {
        id: 'created',
        header: t('columns.created'),
        width: 100,
        hidden: true,
        cell: (row) => <RelativeTime at={row.created_at} />,
      },
    ]
  }, [t, tShell, withOwner])
}
