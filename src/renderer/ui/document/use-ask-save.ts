import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import type { ParsedText } from './document.types.ts'
import type { DocumentText } from './use-document-text.ts'

interface AskSave {
  text: DocumentText
  read(text: string): ParsedText | Promise<ParsedText>
  readOnly: boolean
  /** Says that so many errors must be mended first. */
  errorsText(count: number): string
  showProblems(): void
  open(): void
}

/** Opens the difference that saving goes by, unless nothing has changed or there are errors. */
export function useAskSave({ text, read, readOnly, errorsText, showProblems, open }: AskSave): () => void {
  const { t } = useTranslation('documents')
  const ask = async () => {
    if (readOnly) return
    if (!text.dirty) {
      notifications.show({ message: t('save.unchanged', { version: text.version }) })
      return
    }
    // Not what was found at the last pause: the last letters may have been typed just now.
    const { diagnostics } = await read(text.text)
    const errors = diagnostics.filter((one) => one.severity === 'error').length
    if (errors > 0) {
      showProblems()
      notifications.show({ color: 'red', message: errorsText(errors) })
      return
    }
    open()
  }
  return () => void ask()
}
