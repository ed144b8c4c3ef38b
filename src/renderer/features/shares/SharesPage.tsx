import { Button } from '@mantine/core'
import { IconLink, IconLinkOff } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type DashboardShare, deleteDashboardShare, listAllShares } from '../../../contract/dashboards.ts'
import { call } from '../../api/client.ts'
import { useList } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { EmptyList } from '../../ui/first-step/FirstStep.tsx'
import { Cut } from '../../ui/Cut.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { dateText, numberText } from '../../ui/format.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { NoMatch } from '../../ui/work-list/NoMatch.tsx'
import { WorkList } from '../../ui/work-list/WorkList.tsx'
import { useListAddress } from '../../ui/work-list/use-list-address.ts'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'
import { shareName } from '../dashboards/share-name.ts'
import { SettingsPage } from '../settings/SettingsPage.tsx'

const filters = ['state']
const states = ['active', 'ended'] as const
const invalidates = ['listAllShares', 'listDashboardShares', 'listDashboards'] as const
const keyOf = (share: DashboardShare) => share.id
const isMuted = (share: DashboardShare) => !share.active

function useColumns() {
  const { t } = useTranslation('shares')
  return useMemo(
    (): TableColumn<DashboardShare>[] => [
      { id: 'name', header: t('columns.name'), minWidth: 108, names: true, cell: shareName },
      {
        id: 'dashboard',
        header: t('columns.dashboard'),
        minWidth: 144,
        cell: (share) => (
          <Link to={paths.dashboard(share.dashboard_id)}>
            <Cut text={share.dashboard_name} />
          </Link>
        ),
      },
      {
        id: 'job',
        yields: 2,
        header: t('columns.job'),
        minWidth: 104,
        cell: (share) => (
          <Link to={paths.job(share.job_id)}>
            <Cut text={share.job_name} />
          </Link>
        ),
      },
      {
        id: 'state',
        header: t('columns.state'),
        uncut: true,
        width: 112,
        cell: (share) =>
          share.active ? (
            <StatusBadge status="ok" label={t('states.active')} />
          ) : (
            <StatusBadge status="archived" label={t(share.revoked_at ? 'states.revoked' : 'states.ended')} />
          ),
      },
      { id: 'filters', yields: 3, header: t('columns.filters'), width: 100, cell: (share) => t(share.filters) },
      {
        id: 'origins',
        yields: 4,
        header: t('columns.origins'),
        minWidth: 120,
        cell: (share) => share.allowed_origins.join(', '),
      },
      {
        id: 'expires',
        header: t('columns.expires'),
        width: 116,
        cell: (share) => (share.expires_at ? dateText(new Date(share.expires_at), 'day') : t('never')),
      },
      {
        id: 'views',
        header: t('columns.views'),
        width: 80,
        align: 'right',
        cell: (share) => numberText(share.view_count),
      },
      {
        id: 'last',
        yields: 1,
        header: t('columns.lastView'),
        width: 112,
        cell: (share) => <RelativeTime at={share.last_viewed_at} last />,
      },
      {
        id: 'creator',
        yields: 5,
        header: t('columns.creator'),
        width: 112,
        cell: (share) => share.created_by_name,
      },
    ],
    [t],
  )
}

/** Who may list the links of all dashboards may revoke them. */
function useActions(): ListAction<DashboardShare>[] {
  const { t } = useTranslation('shares')
  return useMemo(
    () => [
      {
        id: 'revoke',
        label: t('revoke'),
        icon: IconLinkOff,
        shortcut: 'Delete',
        danger: true,
        when: ({ active }) => active,
        question: (rows) => ({
          title:
            rows.length === 1 && rows[0]
              ? t('revokeTitle', { name: shareName(rows[0]) })
              : t('revokeSeveral', { count: rows.length }),
          text: t('revokeText'),
        }),
        perform: async ({ id, dashboard_id }) =>
          void (await call(deleteDashboardShare, { params: { id: dashboard_id, shareId: id } })),
        done: (count) => t('revokeDone', { count }),
      },
    ],
    [t],
  )
}

/** Public links of all dashboards. */
export function SharesPage() {
  const { t } = useTranslation('shares')
  const { t: tSettings } = useTranslation('settings')
  const address = useListAddress(filters)
  const { q, values } = address
  const query = useMemo(() => {
    const [state] = values('state')
    return { limit: 100, q: q || undefined, ...(state === undefined ? {} : { active: state === 'active' }) }
  }, [q, values])
  const list = useList(listAllShares, { query }, { keepPrevious: true })
  const columns = useColumns()
  const actions = useActions()
  const choices = useMemo(
    () => [
      {
        id: 'state',
        label: t('columns.state'),
        single: true as const,
        options: states.map((value) => ({ value, label: t(`filter.${value}`) })),
      },
    ],
    [t],
  )
  return (
    <SettingsPage layout="fill">
      <WorkList
        id="public-links"
        label={tSettings('tabs.publicLinks')}
        list={list}
        columns={columns}
        rowKey={keyOf}
        nameOf={shareName}
        isMuted={isMuted}
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
            <EmptyList
              goal="share"
              icon={IconLink}
              title={t('emptyTitle')}
              text={t('emptyText')}
              action={
                <Button component={Link} to={paths.dashboards()}>
                  {t('emptyAction')}
                </Button>
              }
            />
          )
        }
      />
    </SettingsPage>
  )
}
