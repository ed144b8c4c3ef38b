import { Select } from '@mantine/core'
import { IconPlus, IconSearchOff, IconUsers } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { User } from '../../../contract/auth.ts'
import { type Role, roles } from '../../../contract/roles.ts'
import { listUsers } from '../../../contract/users.ts'
import { useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { SearchField, Toolbar } from '../../ui/Toolbar.tsx'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn, TableSort } from '../../ui/table.types.ts'
import { useAddress } from '../../ui/use-address.ts'
import { FactorMark } from '../profile/FactorMark.tsx'
import { type Given, GivenOnce } from './GivenOnce.tsx'
import { NewUserDialog } from './NewUserDialog.tsx'
import { UserStateBadge } from './UserStateBadge.tsx'
import classes from './users.module.css'

function useColumns(myId: number): TableColumn<User>[] {
  const { t } = useTranslation('users')
  const { t: tShell } = useTranslation('shell')
  return useMemo(
    () => [
      {
        id: 'username',
        header: t('columns.username'),
        minWidth: 140,
        sortable: true,
        cell: (row) => (
          <>
            {row.username}
            {row.id === myId ? <span className={classes.you}>({t('you')})</span> : null}
          </>
        ),
      },
      { id: 'name', header: t('columns.name'), minWidth: 140, cell: (row) => row.display_name },
      { id: 'email', header: t('columns.email'), minWidth: 140, cell: (row) => row.email },
      { id: 'role', header: t('columns.role'), width: 150, cell: (row) => tShell(`user.role.${row.role}`) },
      { id: 'state', header: t('columns.state'), width: 204, cell: (row) => <UserStateBadge user={row} /> },
      {
        id: 'factor',
        header: t('columns.factor'),
        width: 108,
        cell: (row) => <FactorMark on={row.totp_enabled} label={row.totp_enabled ? t('factor.on') : t('factor.off')} />,
      },
      {
        id: 'last_login_at',
        header: t('columns.lastLogin'),
        width: 112,
        sortable: true,
        cell: (row) => <RelativeTime at={row.last_login_at} fallback={t('never')} />,
      },
      {
        id: 'created',
        header: t('columns.created'),
        width: 104,
        cell: (row) => <RelativeTime at={row.created_at} />,
      },
    ],
    [t, tShell, myId],
  )
}

const sortable = ['username', 'last_login_at'] as const

/** Filters and order as the address has them. */
function useFilters() {
  const [address, setAddress] = useAddress()
  const role = roles.find((one) => one === address.get('role'))
  const state = address.get('state')
  const sort = sortable.find((one) => one === address.get('sort')) ?? 'username'
  const order = address.get('order') === 'desc' ? 'desc' : 'asc'
  const q = address.get('q') ?? undefined
  const disabled = state === 'disabled' ? true : state === 'active' ? false : undefined
  const query = {
    sort,
    order,
    ...(q ? { q } : {}),
    ...(role ? { role } : {}),
    ...(disabled === undefined ? {} : { disabled }),
  } as const
  return { q, role, state, sort: { id: sort, order } satisfies TableSort, query, setAddress }
}

/** Everybody who has an account. */
export function UsersPage() {
  const { t } = useTranslation('users')
  const { t: tShell } = useTranslation('shell')
  const { me, can } = useSession()
  const navigate = useNavigate()
  const { q, role, state, sort, query, setAddress } = useFilters()
  const list = useList(listUsers, { query }, { keepPrevious: true })
  const columns = useColumns(me.user.id)
  const [creating, setCreating] = useState(false)
  const [given, setGiven] = useState<Given | null>(null)
  const filtered = Boolean(q ?? role ?? state)
  const mayCreate = can('createUser')
  const create = mayCreate ? (
    <CommandButton id="new-user" label={t('new')} icon={IconPlus} onClick={() => setCreating(true)} shortcut="c" />
  ) : null
  return (
    <Page
      title={t('title')}
      layout="fill"
      actions={create}
      toolbar={
        <Toolbar right={list.total === undefined ? null : t('count', { count: list.total })}>
          <SearchField value={q ?? ''} label={t('search')} onChange={(next) => setAddress({ q: next || null })} />
          <Select
            w={160}
            aria-label={t('role')}
            placeholder={t('anyRole')}
            clearable
            value={role ?? null}
            onChange={(value) => setAddress({ role: value })}
            data={roles.map((one: Role) => ({ value: one, label: tShell(`user.role.${one}`) }))}
          />
          <Select
            w={140}
            aria-label={t('state')}
            placeholder={t('anyState')}
            clearable
            value={state}
            onChange={(value) => setAddress({ state: value })}
            data={(['active', 'disabled'] as const).map((one) => ({ value: one, label: t(`states.${one}`) }))}
          />
        </Toolbar>
      }
    >
      <DataTable
        id="users"
        label={t('title')}
        rows={list.rows}
        columns={columns}
        rowKey={(row) => row.id}
        rowHref={(row) => paths.user(row.id)}
        onOpen={(row) => void navigate(paths.user(row.id))}
        isMuted={(row) => row.disabled}
        sort={sort}
        onSort={(next) => setAddress({ sort: next.id, order: next.order })}
        {...listProps(list)}
        empty={
          filtered ? (
            <EmptyState icon={IconSearchOff} title={t('noMatch.title')} text={t('noMatch.text')} />
          ) : (
            <EmptyState icon={IconUsers} title={t('empty.title')} text={t('empty.text')} action={create} />
          )
        }
      />
      <NewUserDialog
        opened={creating}
        onClose={() => setCreating(false)}
        onMade={(made) => {
          setCreating(false)
          setGiven(made)
        }}
      />
      <GivenOnce given={given} onClose={() => setGiven(null)} />
    </Page>
  )
}
