import { IconLayoutDashboard, IconLayoutGrid, IconMaximize } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { type Dashboard, listDashboards } from '../../../contract/dashboards.ts'
import { getJob, listJobs } from '../../../contract/jobs.ts'
import { useList } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { EmptyList } from '../../ui/first-step/FirstStep.tsx'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { numberText } from '../../ui/format.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { linkAction } from '../../ui/work-list/common-actions.tsx'
import { RecordsFilter } from '../../ui/work-list/RecordsFilter.tsx'
import { NoMatch } from '../../ui/work-list/NoMatch.tsx'
import { WorkList } from '../../ui/work-list/WorkList.tsx'
import { byName, idsOf } from '../../ui/work-list/list-address.rules.ts'
import { useListAddress } from '../../ui/work-list/use-list-address.ts'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'
import classes from './dashboards.module.css'
import { kioskPath, showFullScreen } from './kiosk-address.ts'

const filters = ['job_id']
const sortable = ['name', 'created_at'] as const
const invalidates = ['listDashboards'] as const
const keyOf = (one: Dashboard) => one.id
const nameOf = (one: Dashboard) => one.name
const hrefOf = (one: { id: number }) => paths.dashboard(one.id)
const isMuted = (one: Dashboard) => one.job_status === 'archived'

const counted = (count: number) => <span className={count === 0 ? classes.zero : undefined}>{numberText(count)}</span>

function useColumns() {
  const { t } = useTranslation('dashboardList')
  return useMemo(
    (): TableColumn<Dashboard>[] => [
      {
        id: 'name',
        header: t('name'),
        minWidth: 180,
        sortable: true,
        cell: (one) => <span title={one.description ?? undefined}>{one.name}</span>,
      },
      {
        id: 'job',
        header: t('job'),
        minWidth: 160,
        cell: (one) => <Link to={paths.job(one.job_id)}>{one.job_name}</Link>,
      },
      {
        id: 'widgets',
        header: t('widgets'),
        width: 88,
        align: 'right',
        cell: (one) => counted(one.widget_count),
      },
      {
        id: 'version',
        header: t('version'),
        width: 88,
        align: 'right',
        cell: (one) => `v${one.template_version}`,
      },
      {
        id: 'shares',
        header: t('shares'),
        width: 124,
        align: 'right',
        cell: (one) => counted(one.share_count),
      },
      {
        id: 'created_at',
        header: t('created'),
        width: 120,
        sortable: true,
        largestFirst: true,
        cell: (one) => <RelativeTime at={one.created_at} />,
      },
    ],
    [t],
  )
}

/** Where dashboards come from: in the head of the page, or in the middle of an empty one. */
function ToTemplates({ first = false }: { first?: boolean }) {
  const { t } = useTranslation('dashboardTemplates')
  return (
    <CommandButton
      id="dashboards.to-templates"
      label={t('list.view')}
      hint={t('list.viewHint')}
      icon={IconLayoutGrid}
      variant={first ? 'filled' : 'default'}
      to={paths.dashboardTemplates()}
    />
  )
}

/** Dashboards of all jobs. */
export function DashboardsPage() {
  const { t } = useTranslation('dashboardList')
  const { t: word } = useTranslation('lists')
  const { t: onWall } = useTranslation('kiosk')
  const navigate = useNavigate()
  const address = useListAddress(filters, sortable, byName)
  const { q, sort, values } = address
  const query = useMemo(
    () => ({
      limit: 100,
      ...(q ? { q } : {}),
      job_id: idsOf(values('job_id'))?.[0],
      sort: sortable.find((one) => one === sort?.id),
      order: sort?.order,
    }),
    [q, sort, values],
  )
  const list = useList(listDashboards, { query }, { keepPrevious: true })
  const columns = useColumns()
  const actions = useMemo(() => {
    const kiosk: ListAction<Dashboard> = {
      id: 'kiosk',
      label: onWall('start'),
      icon: IconMaximize,
      shortcut: 'f',
      most: 50,
      go: (rows) => {
        showFullScreen()
        void navigate(kioskPath(rows.map(({ id }) => id)))
      },
    }
    return [kiosk, linkAction<Dashboard>(word, hrefOf)]
  }, [word, onWall, navigate])
  return (
    <Page
      title={t('label')}
      layout="fill"
      // Before there is any dashboard, the list itself says what comes first.
      actions={list.total !== 0 || address.filtered ? <ToTemplates /> : undefined}
    >
      <WorkList
        id="dashboards"
        label={t('label')}
        list={list}
        columns={columns}
        rowKey={keyOf}
        rowHref={hrefOf}
        onOpen={(one) => void navigate(hrefOf(one))}
        nameOf={nameOf}
        isMuted={isMuted}
        address={address}
        search={t('search')}
        more={
          <RecordsFilter
            get={getJob}
            list={listJobs}
            label={t('job')}
            chosen={values('job_id')}
            onChange={(ids) => address.choose('job_id', ids.slice(-1))}
          />
        }
        actions={actions}
        invalidates={invalidates}
        total={list.total === undefined ? null : t('total', { count: list.total, formatted: numberText(list.total) })}
        empty={
          address.filtered ? (
            <NoMatch title={t('filteredTitle')} address={address} />
          ) : (
            <EmptyList
              goal="dashboard"
              icon={IconLayoutDashboard}
              title={t('emptyTitle')}
              text={t('emptyText')}
              action={<ToTemplates first />}
            />
          )
        }
      />
    </Page>
  )
}
