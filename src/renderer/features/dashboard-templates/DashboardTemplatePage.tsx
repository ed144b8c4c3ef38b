import { IconLayoutDashboard, IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import type { DashboardTemplateDetail } from '../../../contract/dashboard-templates.ts'
import { listDashboards } from '../../../contract/dashboards.ts'
import { useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { DocumentPage, DocumentWorkspace } from '../../ui/document/DocumentPage.tsx'
import { useDocument } from '../../ui/document/use-document.ts'
import { DashboardEditor } from './DashboardEditor.tsx'
import { TemplateDashboardsPane } from './TemplateDashboardsPane.tsx'
import { dashboardTemplateKind } from './dashboard-template-kind.ts'

function useTabs(id: number) {
  const { t } = useTranslation('dashboardTemplates')
  return [{ id: 'dashboards', label: t('tabs.dashboards'), to: paths.dashboardTemplateDashboards(id) }]
}

/** What the page leads to first: the dashboards that there are, else the job that gets the first one. */
function useStart({ id, job_template_id: jobTemplate, job_template_name: name }: DashboardTemplateDetail) {
  const { t } = useTranslation('dashboardTemplates')
  const navigate = useNavigate()
  const { rows, total } = useList(listDashboards, { query: { dashboard_template_id: id, limit: 100 } })
  const [only] = rows
  const made =
    total === undefined || !only ? null : total === 1 ? paths.dashboard(only.id) : paths.dashboardTemplateDashboards(id)
  // Jobs get their dashboards when they are made.
  const make = jobTemplate === null ? null : paths.jobs({ job_template_id: jobTemplate, new: 'yes' })
  return {
    count: total,
    start: made
      ? {
          id: 'dashboard-template.open',
          label: t('page.openDashboards', { count: total ?? 0 }),
          hint: t('page.openDashboardsHint'),
          icon: IconLayoutDashboard,
          to: made,
        }
      : make && total === 0
        ? {
            id: 'dashboard-template.make-job',
            label: t('page.makeJob'),
            hint: t('page.makeJobHint', { name }),
            icon: IconPlus,
            to: make,
          }
        : undefined,
    more: [
      {
        id: 'dashboard-template.make-job',
        title: t('page.makeJob'),
        icon: IconPlus,
        when: made !== null && make !== null,
        run: () => void (make && navigate(make)),
      },
    ],
  }
}

function Workspace({ record: template, tab }: { record: DashboardTemplateDetail; tab: string }) {
  const [search] = useSearchParams()
  const { can } = useSession()
  const { id, archived } = template
  const document = useDocument(dashboardTemplateKind, template, can('createJob') && archived === 0)
  const { editor, text, readOnly, askSave } = document
  const { start, more, count } = useStart(template)
  const tabs = useTabs(id).map((one) => ({ ...one, ...(count ? { count } : {}) }))
  return (
    <DocumentWorkspace
      document={document}
      tab={tab}
      tabs={tabs}
      {...(start && { start })}
      more={document.mayStart ? more : []}
      editor={
        <DashboardEditor ref={editor} text={text} readOnly={readOnly} onSave={askSave} shown={search.get('widget')} />
      }
    >
      {tab === 'dashboards' ? <TemplateDashboardsPane templateId={id} /> : null}
    </DocumentWorkspace>
  )
}

/** A dashboard template: its text with the live dashboard, its versions, the dashboards made from it. */
export function DashboardTemplatePage() {
  const tabs = useTabs(Number(useParams()['id']))
  return <DocumentPage kind={dashboardTemplateKind} tabs={tabs} Workspace={Workspace} />
}
