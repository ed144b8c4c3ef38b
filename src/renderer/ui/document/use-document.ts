import { notifications } from '@mantine/notifications'
import { type RefObject, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import type { DocumentEditorHandle, DocumentKind, DocumentRecord, ParsedText } from './document.types.ts'
import { useBaseRecord } from './use-base-record.ts'
import { useDocumentText } from './use-document-text.ts'
import { useSaveDocument } from './use-save-document.ts'

/** Whether a text may be saved; what keeps it from that is shown. */
export function useFitness({ reader }: DocumentKind, editor: RefObject<DocumentEditorHandle | null>) {
  const { t } = useTranslation('documents')
  return async (text: string): Promise<boolean> => {
    // Not what was found at the last pause: the last letters may have been typed just now.
    const { diagnostics } = await (editor.current?.check(text) ?? reader.read(text))
    const errors = diagnostics.filter((one) => one.severity === 'error').length
    if (errors === 0) return true
    editor.current?.showProblems()
    notifications.show({ color: 'red', message: t('save.errors', { count: errors }) })
    return false
  }
}

/** A saved document while it is worked on: its text, and the dialogs that save it and start something with it. */
export function useDocument<Parsed extends ParsedText>(
  kind: DocumentKind<Parsed>,
  record: DocumentRecord,
  mayStart: boolean,
) {
  const { t } = useTranslation('documents')
  const { can } = useSession()
  const editor = useRef<DocumentEditorHandle>(null)
  const text = useDocumentText(`${kind.name}.${record.id}`, record.yaml_content, record.current_version, kind.reader)
  const readOnly = !can(kind.update.id)
  const [dialog, setDialog] = useState<'save' | 'start' | null>(null)
  const fits = useFitness(kind, editor)
  const { base, newer, take } = useBaseRecord(record, text, dialog === 'save')
  const saving = useSaveDocument(kind, { record: base, savedText: text.saved, version: text.version })

  const close = () => {
    setDialog(null)
    saving.clear()
  }
  /** Opens the difference that saving goes by, unless nothing has changed or there are errors. */
  const save = async () => {
    if (readOnly) return
    if (text.dirty) {
      if (await fits(text.text)) setDialog('save')
    } else {
      notifications.show({ message: t('save.unchanged', { version: text.version }) })
    }
  }
  const compare = async () => {
    await saving.compare()
    setDialog('save')
  }
  return {
    kind,
    record,
    editor,
    text,
    readOnly,
    archived: record.archived === 1,
    newer,
    take,
    saving,
    dialog,
    close,
    compare: () => void compare(),
    askSave: () => void save(),
    mayStart,
    askStart: () => {
      if (mayStart) setDialog('start')
    },
  }
}
export type OpenDocument = ReturnType<typeof useDocument>
