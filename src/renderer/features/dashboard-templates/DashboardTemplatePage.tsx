import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import type { DashboardTemplateDetail } from '../../../contract/dashboard-templates.ts'
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

function Workspace({ record: template, tab }: { record: DashboardTemplateDetail; tab: string }) {
  const { t } = useTranslation('dashboardTemplates')
  const [search] = useSearchParams()
  const { can } = useSession()
  const { id, archived, job_template_id: jobTemplate } = template
  const document = useDocument(dashboardTemplateKind, template, can('createJob') && archived === 0)
  const { editor, text, readOnly, askSave } = document
  const tabs = useTabs(id)
  return (
    <DocumentWorkspace
      document={document}
      tab={tab}
      tabs={tabs}
      // Jobs get their dashboards when they are made.
      {...(jobTemplate !== null && {
        start: {
          id: 'dashboard-template.make-job',
          label: t('page.makeJob'),
          hint: t('page.makeJobHint', { name: template.job_template_name }),
          icon: IconPlus,
          to: paths.jobs({ job_template_id: jobTemplate, new: 'yes' }),
        },
      })}
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
