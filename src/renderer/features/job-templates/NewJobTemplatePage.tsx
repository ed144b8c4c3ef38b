import { NewDocumentRoute, NewDocumentWorkspace, useNewDocument } from '../../ui/document/NewDocument.tsx'
import { TemplateEditor } from './TemplateEditor.tsx'
import { TemplateGalleryPage } from './TemplateGalleryPage.tsx'
import { jobTemplateKind } from './job-template-kind.ts'
import { galleryTemplates } from './template-gallery.ts'

const blank = 'etl: 1\nkind: job\nname: \ntasks:\n'
const sample = (id: string) => galleryTemplates().find((one) => one.id === id)?.yaml

function NewTemplate({ initial }: { initial: string }) {
  const document = useNewDocument(jobTemplateKind, initial)
  const { editor, text, save } = document
  return (
    <NewDocumentWorkspace document={document}>
      <TemplateEditor ref={editor} text={text} readOnly={false} onSave={save} onStart={save} shown={null} />
    </NewDocumentWorkspace>
  )
}

export const NewJobTemplatePage = () => (
  <NewDocumentRoute
    kind={jobTemplateKind}
    blank={blank}
    sample={sample}
    Gallery={TemplateGalleryPage}
    Editor={NewTemplate}
  />
)
