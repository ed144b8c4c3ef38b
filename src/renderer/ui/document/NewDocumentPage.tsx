import { Button } from '@mantine/core'
import { IconFilePencil } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type Crumb, Page } from '../Page.tsx'
import type { DocumentKind } from './document.types.ts'
import { browserStore, dropDraft, recallDraft } from './draft.ts'

interface NewDocumentPageProps {
  name: DocumentKind['name']
  title: string
  /** The list that the new one will stand in. */
  list: Crumb
  /** What the draft is that was left here. */
  draftText: string
  /** Where a sample is edited as a new document. */
  addressOf(query: { sample: string }): string
  children(begin: (sample: string, text?: string) => void): ReactNode
}

/** Where a new document begins: from a ready one, empty, or with the draft that was left. */
export function NewDocumentPage({ name, title, list, draftText, addressOf, children }: NewDocumentPageProps) {
  const { t } = useTranslation('documents')
  const navigate = useNavigate()
  const draft = recallDraft(browserStore(), `${name}.new`, '')
  // A text that the gallery has fitted is taken as a copy is.
  const begin = (sample: string, text?: string) => {
    if (sample !== 'draft') dropDraft(browserStore(), `${name}.new`)
    if (text === undefined) void navigate(addressOf({ sample }))
    else void navigate(addressOf({ sample: 'copy' }), { state: { yaml: text } })
  }
  return (
    <Page
      title={title}
      crumbs={[list]}
      actions={
        <>
          {draft ? (
            <Button
              variant="default"
              leftSection={<IconFilePencil size={14} />}
              title={draftText}
              onClick={() => begin('draft')}
            >
              {t('new.draft')}
            </Button>
          ) : null}
          <Button variant="default" onClick={() => begin('blank')}>
            {t('new.blank')}
          </Button>
        </>
      }
      layout="fill"
    >
      {children(begin)}
    </Page>
  )
}
