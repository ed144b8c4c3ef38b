import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDeviceFloppy, IconFilePencil } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { createJobTemplate } from '../../../contract/job-templates.ts'
import { useAction } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { LeaveGuard } from '../../ui/document/LeaveGuard.tsx'
import classes from '../../ui/document/dialogs.module.css'
import { useDocumentText } from '../../ui/document/use-document-text.ts'
import { TemplateEditor, type TemplateEditorHandle } from './TemplateEditor.tsx'
import { TemplateGalleryPage } from './TemplateGalleryPage.tsx'
import { galleryTemplates } from './template-gallery.ts'
import { templateReader } from './template-reader.ts'

const blank = 'etl: 1\nkind: job\nname: \n'

function NewEditor({ initial }: { initial: string }) {
  const { t } = useTranslation('jobTemplates')
  const { t: doc } = useTranslation('documents')
  const navigate = useNavigate()
  const editor = useRef<TemplateEditorHandle>(null)
  const text = useDocumentText('job-template.new', initial, 0, templateReader)
  const create = useAction(createJobTemplate, { invalidates: ['listJobTemplates'] })
  const [created, setCreated] = useState(false)
  const name = text.parsed.job?.name ?? t('new.untitled')

  const make = async () => {
    if (create.isPending) return
    // Not what was found at the last pause: the last letters may have been typed just now.
    const { diagnostics } = await (editor.current?.check(text.text) ?? templateReader.read(text.text))
    const errors = diagnostics.filter((one) => one.severity === 'error').length
    if (errors > 0) {
      editor.current?.showProblems()
      notifications.show({ color: 'red', message: t('page.errors', { count: errors }) })
      return
    }
    create.mutate(
      { body: { yaml_content: text.text }, headers: { 'idempotency-key': crypto.randomUUID() } },
      {
        onSuccess: ({ id }) => {
          // Before the page is left: what is saved is not asked about.
          flushSync(() => {
            setCreated(true)
            text.reset(text.text, 1)
          })
          notifications.show({ message: t('new.created') })
          void navigate(paths.jobTemplate(id), { replace: true })
        },
        onError: (failure) => {
          const more = failure.details.map((detail) => detail.message).join(' ')
          notifications.show({ color: 'red', message: `${failure.message} ${more}`, autoClose: 10_000 })
        },
      },
    )
  }
  const save = () => void make()
  return (
    <Page
      title={name}
      crumbs={[{ label: t('title'), to: paths.jobTemplates() }]}
      badge={<span className={classes.unsaved}>{doc('page.unsaved')}</span>}
      actions={
        <>
          <CommandButton
            id="job-template.gallery"
            label={t('new.back')}
            to={paths.jobTemplateNew()}
            variant="subtle"
            color="gray"
          />
          <CommandButton
            id="job-template.save"
            label={t('new.create')}
            icon={IconDeviceFloppy}
            loading={create.isPending}
            onClick={save}
            shortcut="mod+s"
          />
        </>
      }
      layout="fill"
    >
      <LeaveGuard dirty={text.dirty && !created} unkept={text.unkept} within={paths.jobTemplateNew()} />
      <TemplateEditor ref={editor} text={text} readOnly={false} onSave={save} onMake={save} shown={null} />
    </Page>
  )
}

/** A copy's text comes with the navigation; it is not in the address. */
function copiedText(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('yaml' in state)) return null
  return typeof state.yaml === 'string' ? state.yaml : null
}

/** A new job template, from the gallery, a copy, a draft or nothing. */
export function NewJobTemplatePage() {
  const { t } = useTranslation('jobTemplates')
  const [search] = useSearchParams()
  const { state } = useLocation()
  const wanted = search.get('sample')
  if (wanted === null) return <TemplateGalleryPage />
  const text =
    wanted === 'blank' || wanted === 'draft'
      ? blank
      : wanted === 'copy'
        ? copiedText(state)
        : (galleryTemplates().find((one) => one.id === wanted)?.yaml ?? null)
  if (text !== null) return <NewEditor key={wanted} initial={text} />
  return (
    <Page title={t('new.title')} crumbs={[{ label: t('title'), to: paths.jobTemplates() }]} layout="fill">
      <EmptyState
        icon={IconFilePencil}
        title={t('new.missingTitle')}
        text={t('new.missingText')}
        action={
          <Button component={Link} to={paths.jobTemplateNew()}>
            {t('new.back')}
          </Button>
        }
      />
    </Page>
  )
}
