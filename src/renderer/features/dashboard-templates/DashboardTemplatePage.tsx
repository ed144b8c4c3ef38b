import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { DashboardTemplateDetail } from '../../../contract/dashboard-templates.ts'
import { paths } from '../../paths.ts'
import { DocumentPage, DocumentWorkspace } from '../../ui/document/DocumentPage.tsx'
import { useDocument } from '../../ui/document/use-document.ts'
import { DashboardEditor } from './DashboardEditor.tsx'
import { TemplateDashboardsPane } from './TemplateDashboardsPane.tsx'
import { dashboardTemplateKind } from './dashboard-template-kind.ts'

function Workspace({ record: template, tab }: { record: DashboardTemplateDetail; tab: string }) {
  const { t } = useTranslation('dashboardTemplates')
  const [search] = useSearchParams()
  // Jobs get their dashboards when they are made: there is nothing to start from here.
  const document = useDocument(dashboardTemplateKind, template, false)
  const { editor, text, readOnly, askSave } = document
  const { id } = template
  return (
    <DocumentWorkspace
      document={document}
      tab={tab}
      tabs={[{ id: 'dashboards', label: t('tabs.dashboards'), to: paths.dashboardTemplateDashboards(id) }]}
      editor={
        <DashboardEditor ref={editor} text={text} readOnly={readOnly} onSave={askSave} shown={search.get('widget')} />
      }
    >
      {tab === 'dashboards' ? <TemplateDashboardsPane templateId={id} /> : null}
    </DocumentWorkspace>
  )
}

/** A dashboard template: its text with the live dashboard, its versions, the dashboards made from it. */
export const DashboardTemplatePage = () => (
  <DocumentPage kind={dashboardTemplateKind} tabs={['dashboards']} Workspace={Workspace} />
)
