import { IconPlus, IconUserCheck, IconUserOff, IconUsers } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '../../../contract/auth.ts'
import { roles } from '../../../contract/roles.ts'
import { listUsers, updateUser } from '../../../contract/users.ts'
import { call } from '../../api/client.ts'
import { useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { CutWith } from '../../ui/Cut.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { NoMatch } from '../../ui/work-list/NoMatch.tsx'
import { WorkList } from '../../ui/work-list/WorkList.tsx'
import { linkAction } from '../../ui/work-list/common-actions.tsx'
import { known } from '../../ui/work-list/list-address.rules.ts'
import { useListAddress } from '../../ui/work-list/use-list-address.ts'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'
import { FactorMark } from '../profile/FactorMark.tsx'
import { type Given, GivenOnce } from './GivenOnce.tsx'
import { NewUserDialog } from './NewUserDialog.tsx'
import { UserStateBadge } from './UserStateBadge.tsx'
import { reasonAgainst } from './user-acts.ts'
import classes from './users.module.css'

function useColumns(myId: number): TableColumn<User>[] {
  const { t } = useTranslation('users')
  const { t: tShell } = useTranslation('shell')
  return useMemo(
    () => [
      {
        id: 'username',
        header: t('columns.username'),
        minWidth: 120,
        grow: 2,
        sortable: true,
        cell: (row) => (
          <CutWith text={row.username}>
            {row.id === myId ? <span className={classes.you}>{t('you')}</span> : null}
          </CutWith>
        ),
      },
      { id: 'name', yields: 2, header: t('columns.name'), minWidth: 140, names: true, cell: (row) => row.display_name },
      {
        id: 'email',
        yields: 1,
        header: t('columns.email'),
        minWidth: 160,
        grow: 4,
        names: true,
        cell: (row) => row.email,
      },
      { id: 'role', header: t('columns.role'), width: 140, cell: (row) => tShell(`user.role.${row.role}`) },
      {
        id: 'state',
        header: t('columns.state'),
        uncut: true,
        width: 112,
        cell: (row) => <UserStateBadge user={row} />,
      },
      {
        id: 'factor',
        header: t('columns.factor'),
        width: 108,
        cell: (row) => <FactorMark on={row.totp_enabled} label={row.totp_enabled ? t('factor.on') : t('factor.off')} />,
      },
      {
        id: 'last_login_at',
        header: t('columns.lastLogin'),
        width: 128,
        sortable: true,
        cell: (row) => <RelativeTime at={row.last_login_at} last />,
      },
      {
        id: 'created',
        header: t('columns.created'),
        width: 104,
        hidden: true,
        cell: (row) => <RelativeTime at={row.created_at} />,
      },
    ],
    [t, tShell, myId],
  )
}

const sortable = ['username', 'last_login_at'] as const
const byUsername = { id: 'username', order: 'asc' } as const

const filters = ['role', 'state']
const invalidates = ['listUsers', 'getUser'] as const
const keyOf = (row: User) => row.id
const hrefOf = (row: { id: number }) => paths.user(row.id)
const nameOf = (row: User) => row.username
const isDisabled = (row: User) => row.disabled

function useActions(): ListAction<User>[] {
  const { t } = useTranslation('lists')
  const { me, can } = useSession()
  return useMemo(() => {
    const switching = (disabled: boolean): ListAction<User> => ({
      id: disabled ? 'disable' : 'enable',
      label: t(disabled ? 'actions.disable' : 'actions.enable'),
      icon: disabled ? IconUserOff : IconUserCheck,
      when: (row) => row.disabled !== disabled && reasonAgainst(disabled ? 'disable' : 'enable', me.user, row) === null,
      // Their sessions end.
      question: ({ length: count }) =>
        disabled ? { title: t('actions.disableUsers', { count }), text: t('actions.disableUsersText') } : null,
      danger: disabled,
      perform: async ({ id }) => {
        await call(updateUser, { params: { id }, body: { disabled } })
        return () => call(updateUser, { params: { id }, body: { disabled: !disabled } })
      },
      done: (count) => t(disabled ? 'actions.disabled' : 'actions.enabled', { count }),
    })
    return [...(can('updateUser') ? [switching(true), switching(false)] : []), linkAction<User>(t, hrefOf)]
  }, [t, me, can])
}

/** Everybody who has an account. */
export function UsersPage() {
  const { t } = useTranslation('users')
  const { t: tShell } = useTranslation('shell')
  const { me, can } = useSession()
  const address = useListAddress(filters, sortable, byUsername)
  const { q, sort, values } = address
  const query = useMemo(() => {
    const [state] = values('state')
    return {
      sort: sortable.find((one) => one === sort?.id),
      order: sort?.order,
      q: q || undefined,
      role: known(values('role'), roles)?.[0],
      disabled: state === 'disabled' ? true : state === 'active' ? false : undefined,
    }
  }, [q, sort, values])
  const list = useList(listUsers, { query }, { keepPrevious: true })
  const columns = useColumns(me.user.id)
  const [creating, setCreating] = useState(false)
  const [given, setGiven] = useState<Given | null>(null)
  const mayCreate = can('createUser')
  const create = mayCreate ? (
    <CommandButton id="new-user" label={t('new')} icon={IconPlus} onClick={() => setCreating(true)} shortcut="c" />
  ) : null
  const actions = useActions()
  const choices = useMemo(
    () => [
      {
        id: 'role',
        label: t('role'),
        single: true as const,
        options: roles.map((one) => ({ value: one, label: tShell(`user.role.${one}`) })),
      },
      {
        id: 'state',
        label: t('state'),
        single: true as const,
        options: (['active', 'disabled'] as const).map((one) => ({ value: one, label: t(`states.${one}`) })),
      },
    ],
    [t, tShell],
  )
  return (
    <Page title={t('title')} layout="fill" actions={create}>
      <WorkList
        id="users"
        label={t('title')}
        list={list}
        columns={columns}
        rowKey={keyOf}
        rowHref={hrefOf}
        nameOf={nameOf}
        isMuted={isDisabled}
        address={address}
        search={t('search')}
        choices={choices}
        actions={actions}
        invalidates={invalidates}
        total={list.total === undefined ? null : t('count', { count: list.total })}
        empty={
          address.filtered ? (
            <NoMatch title={t('noMatch')} address={address} />
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
