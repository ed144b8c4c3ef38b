import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDeviceFloppy, IconFilePencil } from '@tabler/icons-react'
import { type ComponentType, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { useAction } from '../../api/queries.ts'
import { CommandButton } from '../CommandButton.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { Page } from '../Page.tsx'
import { LeaveGuard } from './LeaveGuard.tsx'
import classes from './dialogs.module.css'
import type { DocumentEditorHandle, DocumentKind, ParsedText } from './document.types.ts'
import { useFitness } from './use-document.ts'
import { useDocumentText } from './use-document-text.ts'

/** A document that is not saved yet. `onCreated` is done before its page is opened. */
export function useNewDocument<Parsed extends ParsedText>(
  kind: DocumentKind<Parsed>,
  initial: string,
  onCreated?: (id: number, parsed: Parsed) => void,
) {
  const { t } = useTranslation(kind.words)
  const navigate = useNavigate()
  const editor = useRef<DocumentEditorHandle>(null)
  const text = useDocumentText(`${kind.name}.new`, initial, 0, kind.reader)
  const create = useAction(kind.create, { invalidates: [kind.list.id] })
  const [created, setCreated] = useState(false)
  const fits = useFitness(kind, editor)

  const make = async () => {
    if (create.isPending || !(await fits(text.text))) return
    const parsed = await kind.reader.read(text.text)
    const tags = await kind.tags(text.text)
    create.mutate(
      {
        body: { yaml_content: text.text, ...(tags.length > 0 ? { tags: [...tags] } : {}) },
        headers: { 'idempotency-key': crypto.randomUUID() },
      },
      {
        onSuccess: ({ id }) => {
          // Before the page is left: what is saved is not asked about.
          flushSync(() => {
            setCreated(true)
            text.reset(text.text, 1)
          })
          onCreated?.(id, parsed)
          notifications.show({ message: t('new.created') })
          void navigate(kind.paths.one(id), { replace: true })
        },
        onError: (failure) => {
          const more = failure.details.map((detail) => detail.message).join(' ')
          notifications.show({ color: 'red', message: `${failure.message} ${more}`, autoClose: 10_000 })
        },
      },
    )
  }
  return {
    kind,
    editor,
    text,
    name: kind.nameIn(text.parsed) ?? t('new.untitled'),
    dirty: text.dirty && !created,
    creating: create.isPending,
    save: () => void make(),
  }
}
type NewDocument = ReturnType<typeof useNewDocument>

/** The page of a document that is not saved yet. */
export function NewDocumentWorkspace({ document, children }: { document: NewDocument; children: ReactNode }) {
  const { kind, text, name, dirty, creating, save } = document
  const { t } = useTranslation('documents')
  const { t: own } = useTranslation(kind.words)
  return (
    <Page
      title={name}
      crumbs={[{ label: own('title'), to: kind.paths.list() }]}
      badge={
        dirty ? (
          <span className={classes.unsaved} data-unsaved>
            {t('page.unsaved')}
          </span>
        ) : (
          <span className={classes.muted}>{t('page.unstored')}</span>
        )
      }
      actions={
        <>
          <CommandButton
            id={`${kind.name}.gallery`}
            label={t('new.back')}
            to={kind.paths.create()}
            variant="subtle"
            color="gray"
          />
          <CommandButton
            id={`${kind.name}.save`}
            label={own('new.create')}
            icon={IconDeviceFloppy}
            loading={creating}
            onClick={save}
            shortcut="mod+s"
          />
        </>
      }
      layout="fill"
    >
      <LeaveGuard dirty={dirty} unkept={text.unkept} within={kind.paths.create()} />
      {children}
    </Page>
  )
}

/** A copy's text comes with the navigation; it is not in the address. */
function copiedText(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('yaml' in state)) return null
  return typeof state.yaml === 'string' ? state.yaml : null
}

interface NewDocumentRouteProps {
  kind: DocumentKind
  /** What an empty one begins with. */
  blank: string
  /** Text of an example by its id; undefined: there is none. */
  sample(id: string): string | undefined
  Gallery: ComponentType
  Editor: ComponentType<{ initial: string }>
}

/** A new document, from the gallery, a copy, a draft or nothing. */
export function NewDocumentRoute({ kind, blank, sample, Gallery, Editor }: NewDocumentRouteProps) {
  const { t } = useTranslation('documents')
  const { t: own } = useTranslation(kind.words)
  const [search] = useSearchParams()
  const { state } = useLocation()
  const wanted = search.get('sample')
  if (wanted === null) return <Gallery />
  const empty = wanted === 'blank' || wanted === 'draft'
  const text = empty ? blank : wanted === 'copy' ? copiedText(state) : sample(wanted)
  if (typeof text === 'string') return <Editor key={wanted} initial={text} />
  return (
    <Page title={own('new.title')} crumbs={[{ label: own('title'), to: kind.paths.list() }]} layout="fill">
      <EmptyState
        icon={IconFilePencil}
        title={t('new.missingTitle')}
        text={own('new.missingText')}
        action={
          <Button component={Link} to={kind.paths.create()}>
            {t('new.back')}
          </Button>
        }
      />
    </Page>
  )
}
