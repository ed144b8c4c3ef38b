import { NewDocumentRoute, NewDocumentWorkspace, useNewDocument } from '../../ui/document/NewDocument.tsx'
import { EditorArea } from './EditorArea.tsx'
import { GalleryPage } from './GalleryPage.tsx'
import { galleryTasks, textOf } from './gallery.ts'
import { taskKind } from './task-kind.ts'
import { useRunInputs } from './use-run-inputs.ts'

const blank = 'etl: 1\nkind: pipeline\nname: \n'

function sample(id: string): string | undefined {
  const found = galleryTasks().find((one) => one.id === id)
  return found && textOf(found)
}

function NewTask({ initial }: { initial: string }) {
  const inputsFor = useRunInputs('new')
  const document = useNewDocument(taskKind, initial, (id, parsed) => {
    // What was chosen here is what the task is run with first.
    inputsFor(parsed).remember(id)
  })
  const { editor, text, save } = document
  return (
    <NewDocumentWorkspace document={document}>
      <EditorArea ref={editor} text={text} inputsFor={inputsFor} readOnly={false} onSave={save} onStart={save} />
    </NewDocumentWorkspace>
  )
}

export const NewTaskPage = () => (
  <NewDocumentRoute kind={taskKind} blank={blank} sample={sample} Gallery={GalleryPage} Editor={NewTask} />
)
