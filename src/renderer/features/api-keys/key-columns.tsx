import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { IconTrash } from '@tabler/icons-react'
import type { ApiKey } from '../../../contract/auth.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { RowButton, RowControl } from '../../ui/RowActions.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { useNow } from '../../ui/ticker.ts'
import { type KeyState, keyState } from './key-expiry.ts'

const looks = { live: 'ok', revoked: 'cancelled', expired: 'pending' } as const satisfies Record<KeyState, string>

/** When it ends, or that it has: one column, so that a list of keys fits beside the sections of the settings. */
function Lifetime({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useTranslation('apiKeys')
  const state = keyState(apiKey, new Date(useNow()))
  const label = t(`state.${state}`)
  if (state !== 'live') return <StatusBadge status={looks[state]} label={label} />
  return (
    <RowControl>
      <StatusBadge status={looks.live} label={label} size="icon" />
      <RelativeTime at={apiKey.expires_at} fallback={t('never')} />
    </RowControl>
  )
}

export interface KeyColumnsOptions {
  /** Keys of several people are shown. */
  withOwner: boolean
  /** Null: nothing can be revoked here. */
  onRevoke: ((key: ApiKey) => void) | null
}

/** The columns of a list of API keys: everybody's, one's own, those of a user. */
export function useKeyColumns({ withOwner, onRevoke }: KeyColumnsOptions): TableColumn<ApiKey>[] {
  const { t } = useTranslation('apiKeys')
  const { t: tShell } = useTranslation('shell')
  return useMemo(() => {
    const owner: TableColumn<ApiKey> = {
      id: 'owner',
      header: t('columns.owner'),
      width: 80,
      cell: (row) => row.username,
    }
    const action: TableColumn<ApiKey> = {
      id: 'action',
      header: '',
      label: t('columns.action'),
      width: 112,
      cell: (row) =>
        row.revoked_at === null ? (
          <RowButton
            text={t('revoke')}
            action={{
              label: `${t('revoke')} ${row.name}`,
              icon: IconTrash,
              shortcut: 'Delete',
              run: () => onRevoke?.(row),
            }}
          />
        ) : null,
    }
    return [
      { id: 'name', header: t('columns.name'), minWidth: 112, cell: (row) => row.name },
      { id: 'expires', header: t('columns.expires'), width: 96, cell: (row) => <Lifetime apiKey={row} /> },
      { id: 'prefix', header: t('columns.prefix'), width: 112, mono: true, cell: (row) => `${row.prefix}…` },
      ...(withOwner ? [owner] : []),
      { id: 'role', header: t('columns.role'), width: 152, cell: (row) => tShell(`user.role.${row.role}`) },
      {
        id: 'scopes',
        header: t('columns.scopes'),
        minWidth: 90,
        cell: (row) => (row.scopes.length > 0 ? row.scopes.join(', ') : t('allScopes')),
      },
      {
        id: 'last_used',
        header: t('columns.lastUsed'),
        width: 92,
        cell: (row) => <RelativeTime at={row.last_used_at} fallback={t('notUsed')} />,
      },
      ...(onRevoke ? [action] : []),
    ]
  }, [t, tShell, withOwner, onRevoke])
}
