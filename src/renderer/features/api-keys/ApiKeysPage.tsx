import { SegmentedControl } from '@mantine/core'
import { IconKey, IconPlus, IconSearchOff, IconUserOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listApiKeys } from '../../../contract/api-keys.ts'
import type { ApiKey } from '../../../contract/auth.ts'
import { policies } from '../../../contract/policy.ts'
import { atLeast } from '../../../contract/roles.ts'
import { useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchField, Toolbar } from '../../ui/Toolbar.tsx'
import { listProps } from '../../ui/list-props.ts'
import { useNow } from '../../ui/ticker.ts'
import { useAddress } from '../../ui/use-address.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { NewKeyDialog } from './NewKeyDialog.tsx'
import { RevokeDialog } from './RevokeDialog.tsx'
import { useKeyColumns } from './key-columns.tsx'
import { keyState } from './key-expiry.ts'

/** Whether the policy shows this user the keys of others, too. */
function useSeesAll(): boolean {
  const { me } = useSession()
  const policy = policies.listApiKeys
  return policy.access === 'role' && policy.others !== undefined && atLeast(me.user.role, policy.others)
}

function Nothing({ q, own, create }: { q: string | undefined; own: boolean; create: React.ReactNode }) {
  const { t } = useTranslation('apiKeys')
  if (q) return <EmptyState icon={IconSearchOff} title={t('noMatch.title')} text={t('noMatch.text')} />
  if (own) return <EmptyState icon={IconUserOff} title={t('noOwn.title')} text={t('noOwn.text')} action={create} />
  return <EmptyState icon={IconKey} title={t('empty.title')} text={t('empty.text')} action={create} />
}

export function ApiKeysPage() {
  const { t } = useTranslation('apiKeys')
  const { t: tSettings } = useTranslation('settings')
  const { can, me } = useSession()
  const seesAll = useSeesAll()
  const now = useNow()
  const [address, setAddress] = useAddress()
  const [revoking, setRevoking] = useState<ApiKey | null>(null)
  const [dialog, setDialog] = useState<{ opened: boolean; made: string | null }>({ opened: false, made: null })
  const q = address.get('q') ?? undefined
  const own = seesAll && address.get('whose') === 'own'
  const list = useList(listApiKeys, { query: { q, ...(own ? { user_id: me.user.id } : {}) } }, { keepPrevious: true })
  const columns = useKeyColumns({ withOwner: seesAll && !own, onRevoke: can('revokeApiKey') ? setRevoking : null })
  const create = can('createApiKey') ? (
    <CommandButton
      id="api-keys.new"
      label={t('new')}
      icon={IconPlus}
      onClick={() => setDialog({ opened: true, made: null })}
      shortcut="c"
    />
  ) : null
  return (
    <SettingsPage
      layout="fill"
      actions={create}
      toolbar={
        <Toolbar right={list.total === undefined ? null : t('count', { count: list.total })}>
          <SearchField value={q ?? ''} label={t('search')} onChange={(next) => setAddress({ q: next || null })} />
          {seesAll ? (
            <SegmentedControl
              aria-label={t('whose.label')}
              value={own ? 'own' : 'all'}
              onChange={(value) => setAddress({ whose: value === 'own' ? 'own' : null })}
              data={[
                { value: 'all', label: t('whose.all') },
                { value: 'own', label: t('whose.own') },
              ]}
            />
          ) : null}
        </Toolbar>
      }
    >
      <DataTable
        id="api-keys"
        label={tSettings('tabs.apiKeys')}
        rows={list.rows}
        columns={columns}
        rowKey={(row) => row.id}
        isMuted={(key) => keyState(key, new Date(now)) !== 'live'}
        {...listProps(list)}
        empty={<Nothing q={q} own={own} create={create} />}
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
