import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDeviceFloppy, IconFilePencil } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { createTask } from '../../../contract/tasks.ts'
import { useAction } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { EditorArea, type EditorAreaHandle } from './EditorArea.tsx'
import { GalleryPage } from './GalleryPage.tsx'
import { LeaveGuard } from '../../ui/document/LeaveGuard.tsx'
import classes from '../../ui/document/dialogs.module.css'
import { galleryTasks, textOf } from './gallery.ts'
import { taskReader } from './task-reader.ts'
import { useRunInputs } from './use-run-inputs.ts'
import { useTaskText } from './use-task-text.ts'

const blank = 'etl: 1\nkind: pipeline\nname: \n'

function NewEditor({ initial }: { initial: string }) {
  const { t } = useTranslation('tasks')
  const { t: doc } = useTranslation('documents')
  const navigate = useNavigate()
  const area = useRef<EditorAreaHandle>(null)
  const text = useTaskText('new', initial, 0)
  const inputsFor = useRunInputs('new')
  const create = useAction(createTask, { invalidates: ['listTasks'] })
  const [created, setCreated] = useState(false)
  const name = text.parsed.task?.name ?? t('new.untitled')

  const make = async () => {
    if (create.isPending) return
    // Not what was found at the last pause: the last letters may have been typed just now.
    const parsed = await taskReader.read(text.text)
    const { task, diagnostics } = parsed
    const errors = diagnostics.filter((one) => one.severity === 'error').length
    if (errors > 0) {
      area.current?.showProblems()
      notifications.show({ color: 'red', message: t('save.errors', { count: errors }) })
      return
    }
    const tags = task?.tags ?? []
    create.mutate(
      {
        body: { yaml_content: text.text, ...(tags.length > 0 ? { tags } : {}) },
        headers: { 'idempotency-key': crypto.randomUUID() },
      },
      {
        onSuccess: ({ id }) => {
          // Before the page is left: what is saved is not asked about.
          flushSync(() => {
            setCreated(true)
            text.reset(text.text, 1)
          })
          // What was chosen here is what the task is run with first.
          inputsFor(parsed).remember(id)
          notifications.show({ message: t('save.created') })
          void navigate(paths.task(id), { replace: true })
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
      crumbs={[{ label: t('title'), to: paths.tasks() }]}
      badge={<span className={classes.unsaved}>{doc('page.unsaved')}</span>}
      actions={
        <>
          <CommandButton id="task.gallery" label={t('new.back')} to={paths.taskNew()} variant="subtle" color="gray" />
          <CommandButton
            id="task.save"
            label={t('save.create')}
            icon={IconDeviceFloppy}
            loading={create.isPending}
            onClick={save}
            shortcut="mod+s"
          />
        </>
      }
      layout="fill"
    >
      <LeaveGuard dirty={text.dirty && !created} unkept={text.unkept} within={paths.taskNew()} />
      <EditorArea ref={area} text={text} inputsFor={inputsFor} readOnly={false} onSave={save} onRun={save} />
    </Page>
  )
}

/** A copy's text comes with the navigation; it is not in the address. */
function copiedText(state: unknown): string | null {
  if (typeof state !== 'object' || state === null || !('yaml' in state)) return null
  return typeof state.yaml === 'string' ? state.yaml : null
}

/** A new task, from the gallery, a copy, a draft or nothing. */
export function NewTaskPage() {
  const { t } = useTranslation('tasks')
  const [search] = useSearchParams()
  const { state } = useLocation()
  const wanted = search.get('sample')
  if (wanted === null) return <GalleryPage />
  const sample = galleryTasks().find((one) => one.id === wanted)
  const text =
    wanted === 'blank' || wanted === 'draft'
      ? blank
      : wanted === 'copy'
        ? copiedText(state)
        : sample
          ? textOf(sample)
          : null
  if (text !== null) return <NewEditor key={wanted} initial={text} />
  return (
    <Page title={t('new.title')} crumbs={[{ label: t('title'), to: paths.tasks() }]} layout="fill">
      <EmptyState
        icon={IconFilePencil}
        title={t('new.missingTitle')}
        text={t('new.missingText')}
        action={
          <Button component={Link} to={paths.taskNew()}>
            {t('new.back')}
          </Button>
        }
      />
    </Page>
  )
}
