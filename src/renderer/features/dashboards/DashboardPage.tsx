import { Skeleton } from '@mantine/core'
import { IconMaximize, IconPencil, IconPrinter, IconRefresh, IconShare } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { type DashboardDetail, getDashboard, getWidgetData } from '../../../contract/dashboards.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useOpened } from '../../commands/open/recent.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ErrorState, useRecordName } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { DashboardBoard } from './DashboardBoard.tsx'
import { ShareDialog } from './ShareDialog.tsx'
import { choiceIn } from './dashboard-choice.rules.ts'
import { kioskPath, showFullScreen } from './kiosk-address.ts'
import { usePrint } from './use-print.ts'

function Workspace({ dashboard }: { dashboard: DashboardDetail }) {
  const { t } = useTranslation('dashboards')
  const { t: tShare } = useTranslation('shares')
  const { t: tTemplate } = useTranslation('dashboardTemplates')
  const client = useQueryClient()
  const { can } = useSession()
  const navigate = useNavigate()
  const [address] = useAddress()
  const board = useRef<HTMLDivElement>(null)
  const { printing, paper, print } = usePrint(board)
  const [sharing, setSharing] = useState(false)
  const { view, id } = dashboard
  return (
    <Page
      title={dashboard.name}
      layout="fill"
      crumbs={[{ label: t('title'), to: paths.dashboards() }]}
      badge={dashboard.job_status === 'archived' ? <StatusBadge status="archived" size="md" /> : null}
      subtitle={<Link to={paths.job(dashboard.job_id)}>{t('page.ofJob', { job: dashboard.job_name })}</Link>}
      actions={
        <>
          {can('updateDashboardTemplate') ? (
            <CommandButton
              id="dashboard.edit-template"
              label={tTemplate('page.edit')}
              icon={IconPencil}
              variant="default"
              to={paths.dashboardTemplate(dashboard.dashboard_template_id)}
            />
          ) : null}
          <CommandButton
            id="dashboard.refresh"
            needsServer
            label={t('page.refresh')}
            icon={IconRefresh}
            variant="default"
            onClick={() => void client.invalidateQueries({ queryKey: [getWidgetData.id] })}
          />
          <CommandButton
            id="dashboard.print"
            label={t('page.print')}
            icon={IconPrinter}
            variant="default"
            loading={printing}
            onClick={print}
          />
          <CommandButton
            id="dashboard.full-screen"
            label={t('page.fullScreen')}
            icon={IconMaximize}
            variant="default"
            shortcut="f"
            onClick={() => {
              showFullScreen()
              void navigate(kioskPath([id], address))
            }}
          />
          <CommandButton
            id="dashboard.share"
            label={tShare('button')}
            icon={IconShare}
            variant="default"
            onClick={() => setSharing(true)}
          />
        </>
      }
    >
      <DashboardBoard dashboard={dashboard} paper={paper} ref={board} />
      {sharing ? (
        <ShareDialog
          dashboard={dashboard}
          filters={choiceIn(address, view.filters).filters}
          onClose={() => setSharing(false)}
        />
      ) : null}
    </Page>
  )
}

/** A dashboard of a job; its filters stand in the address. */
export function DashboardPage() {
  const { t } = useTranslation('dashboards')
  const { id } = useParams()
  const number = Number(id)
  const recordName = useRecordName('dashboard', id)
  const { data, error, refetch } = useOperation(getDashboard, { params: { id: number } })
  useOpened({
    kind: 'dashboard',
    id: number,
    title: data?.name,
    to: paths.dashboard(number),
    gone: error?.status === 404,
  })
  if (data) return <Workspace key={number} dashboard={data} />
  return (
    <Page title={recordName} crumbs={[{ label: t('title'), to: paths.dashboards() }]} layout="fill">
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} record={{ kind: 'dashboard', id: number }} />
      ) : (
        <Skeleton height={34} radius={0} />
      )}
    </Page>
  )
}
