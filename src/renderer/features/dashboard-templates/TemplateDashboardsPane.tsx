import { IconLayoutDashboard } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Dashboard, listDashboards } from '../../../contract/dashboards.ts'
import { useList } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import dialogs from '../../ui/document/dialogs.module.css'
import { numberText } from '../../ui/format.ts'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn } from '../../ui/table.types.ts'

const keyOf = (one: Dashboard) => one.id
const hrefOf = (one: Dashboard) => paths.dashboard(one.id)
const isMuted = (one: Dashboard) => one.job_status === 'archived'

function useColumns() {
  const { t } = useTranslation('dashboardTemplates')
  return useMemo(
    (): TableColumn<Dashboard>[] => [
      { id: 'name', header: t('dashboards.name'), minWidth: 180, cell: (one) => one.name },
      {
        id: 'job',
        header: t('dashboards.job'),
        minWidth: 180,
        cell: (one) => <Link to={paths.job(one.job_id)}>{one.job_name}</Link>,
      },
      {
        id: 'version',
        header: t('dashboards.version'),
        width: 88,
        align: 'right',
        cell: (one) => `v${one.template_version}`,
      },
      {
        id: 'created',
        header: t('dashboards.created'),
        width: 120,
        cell: (one) => <RelativeTime at={one.created_at} />,
      },
    ],
    [t],
  )
}

/** The dashboards of jobs that were made from a template. */
export function TemplateDashboardsPane({ templateId }: { templateId: number }) {
  const { t } = useTranslation('dashboardTemplates')
  const list = useList(listDashboards, { query: { dashboard_template_id: templateId, limit: 100 } })
  const columns = useColumns()
  return (
    <div className={dialogs.pane}>
      <div className={dialogs.choices}>
        <span className={dialogs.note}>
          {list.total === undefined
            ? ''
            : t('dashboards.total', { count: list.total, formatted: numberText(list.total) })}
        </span>
      </div>
      <DataTable
        id="dashboard-template-dashboards"
        rows={list.rows}
        columns={columns}
        rowKey={keyOf}
        rowHref={hrefOf}
        label={t('dashboards.label')}
        {...listProps(list)}
        what="dashboards"
        isMuted={isMuted}
        empty={
          <EmptyState icon={IconLayoutDashboard} title={t('dashboards.emptyTitle')} text={t('dashboards.emptyText')} />
        }
      />
    </div>
  )
}
