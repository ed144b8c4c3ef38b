import { NewDocumentRoute, NewDocumentWorkspace, useNewDocument } from '../../ui/document/NewDocument.tsx'
import { DashboardEditor } from './DashboardEditor.tsx'
import { DashboardGalleryPage } from './DashboardGalleryPage.tsx'
import { dashboardTemplateKind } from './dashboard-template-kind.ts'
import { galleryDashboards } from './dashboard-gallery.ts'

const blank = 'etl: 1\nkind: dashboard\nname: \njob_template: \n'
const sample = (id: string) => galleryDashboards().find((one) => one.id === id)?.yaml

function NewTemplate({ initial }: { initial: string }) {
  const document = useNewDocument(dashboardTemplateKind, initial)
  const { editor, text, save } = document
  return (
    <NewDocumentWorkspace document={document}>
      <DashboardEditor ref={editor} text={text} readOnly={false} onSave={save} shown={null} />
    </NewDocumentWorkspace>
  )
}

export const NewDashboardTemplatePage = () => (
  <NewDocumentRoute
    kind={dashboardTemplateKind}
    blank={blank}
    sample={sample}
    Gallery={DashboardGalleryPage}
    Editor={NewTemplate}
  />
)
