import { SegmentedControl } from '@mantine/core'
import { IconKey, IconPlus, IconUserOff } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listApiKeys } from '../../../contract/api-keys.ts'
import type { ApiKey } from '../../../contract/auth.ts'
import { policies } from '../../../contract/policy.ts'
import { atLeast, roles } from '../../../contract/roles.ts'
import { useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useNow } from '../../ui/ticker.ts'
import { useAddress } from '../../ui/use-address.ts'
import { NoMatch } from '../../ui/work-list/NoMatch.tsx'
import { WorkList } from '../../ui/work-list/WorkList.tsx'
import { byName, known } from '../../ui/work-list/list-address.rules.ts'
import { type ListAddress, useListAddress } from '../../ui/work-list/use-list-address.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'
import { NewKeyDialog } from './NewKeyDialog.tsx'
import { useKeyColumns } from './key-columns.tsx'
import { keyState } from './key-expiry.ts'
import { useKeyActions } from './use-key-actions.ts'

/** Whether the policy shows this user the keys of others, too. */
function useSeesAll(): boolean {
  const { me } = useSession()
  const policy = policies.listApiKeys
  return policy.access === 'role' && policy.others !== undefined && atLeast(me.user.role, policy.others)
}

function Nothing({ address, own, create }: { address: ListAddress; own: boolean; create: React.ReactNode }) {
  const { t } = useTranslation('apiKeys')
  if (address.filtered) return <NoMatch title={t('noMatch')} address={address} />
  if (own) return <EmptyState icon={IconUserOff} title={t('noOwn.title')} text={t('noOwn.text')} action={create} />
  return <EmptyState icon={IconKey} title={t('empty.title')} text={t('empty.text')} action={create} />
}

const filters = ['state', 'role']
const sortable = ['name', 'last_used_at'] as const
const states = ['active', 'revoked'] as const
const invalidates = ['listApiKeys'] as const
const keyOf = (row: ApiKey) => row.id
const nameOf = (row: ApiKey) => row.name

export function ApiKeysPage() {
  const { t } = useTranslation('apiKeys')
  const { t: tShell } = useTranslation('shell')
  const { t: tSettings } = useTranslation('settings')
  const { can, me } = useSession()
  const seesAll = useSeesAll()
  const now = useNow()
  const [place, setPlace] = useAddress()
  const address = useListAddress(filters, sortable, byName)
  const { q, sort, values } = address
  const [dialog, setDialog] = useState<{ opened: boolean; made: string | null }>({ opened: false, made: null })
  const own = seesAll && place.get('whose') !== 'all'
  const query = useMemo(() => {
    const [state] = values('state')
    return {
      q: q || undefined,
      role: known(values('role'), roles),
      revoked: state === 'revoked' ? true : state === 'active' ? false : undefined,
      sort: sortable.find((one) => one === sort?.id),
      order: sort?.order,
      ...(own ? { user_id: me.user.id } : {}),
    }
  }, [q, sort, values, own, me])
  const list = useList(listApiKeys, { query }, { keepPrevious: true })
  const columns = useKeyColumns(seesAll && !own)
  const actions = useKeyActions()
  const choices = useMemo(
    () => [
      {
        id: 'state',
        label: t('stateFilter'),
        single: true as const,
        options: states.map((value) => ({ value, label: t(`states.${value}`) })),
      },
      {
        id: 'role',
        label: t('columns.role'),
        options: roles.map((value) => ({ value, label: tShell(`user.role.${value}`) })),
      },
    ],
    [t, tShell],
  )
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
    <SettingsPage layout="fill" actions={create}>
      <WorkList
        id="api-keys"
        label={tSettings('tabs.apiKeys')}
        list={list}
        columns={columns}
        rowKey={keyOf}
        nameOf={nameOf}
        isMuted={(key) => keyState(key, new Date(now)) !== 'live'}
        address={address}
        search={t('search')}
        choices={choices}
        more={
          seesAll ? (
            <SegmentedControl
              size="xs"
              aria-label={t('whose.label')}
              value={own ? 'own' : 'all'}
              onChange={(value) => setPlace({ whose: value === 'all' ? 'all' : null })}
              data={[
                { value: 'own', label: t('whose.own') },
                { value: 'all', label: t('whose.all') },
              ]}
            />
          ) : null
        }
        actions={actions}
        invalidates={invalidates}
        total={list.total === undefined ? null : t('count', { count: list.total })}
        empty={<Nothing address={address} own={own} create={create} />}
      />
      <NewKeyDialog
        opened={dialog.opened}
        made={dialog.made}
        onMade={(made) => setDialog({ opened: true, made })}
        onClose={() => setDialog({ opened: false, made: null })}
      />
    </SettingsPage>
  )
}
