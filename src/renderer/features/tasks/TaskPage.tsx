import { Skeleton } from '@mantine/core'
import { IconPlayerPlay, IconSitemap } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { type TaskDetail, getTask } from '../../../contract/tasks.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useOpened } from '../../commands/open/recent.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { EditorArea, type EditorAreaHandle } from './EditorArea.tsx'
import { LeaveGuard } from '../../ui/document/LeaveGuard.tsx'
import { RunDialog } from './RunDialog.tsx'
import { SaveButton } from '../../ui/document/SaveButton.tsx'
import { SaveDialog } from '../../ui/document/SaveDialog.tsx'
import { StatePane } from './StatePane.tsx'
import { DocumentMenu } from '../../ui/document/DocumentMenu.tsx'
import { DocumentNotices } from '../../ui/document/DocumentNotices.tsx'
import { TaskRunsPane } from './TaskRunsPane.tsx'
import { VersionsPane } from '../../ui/document/VersionsPane.tsx'
import classes from '../../ui/document/dialogs.module.css'
import { templateOf } from '../job-templates/insert-task.ts'
import { taskKind } from './task-kind.ts'
import { keepsState } from './task-parts.ts'
import { taskReader } from './task-reader.ts'
import { useRunInputs } from './use-run-inputs.ts'
import type { DocumentRecord } from '../../ui/document/document.types.ts'
import { useBaseRecord } from '../../ui/document/use-base-record.ts'
import { useReading } from '../../ui/document/reading.ts'
import { useAskSave } from '../../ui/document/use-ask-save.ts'
import { useSaveDocument } from '../../ui/document/use-save-document.ts'
import { useTaskText } from './use-task-text.ts'

const tabs = ['editor', 'versions', 'runs', 'state'] as const
type Tab = (typeof tabs)[number]
type Dialog = 'save' | 'run' | null

function Workspace({ task, tab }: { task: TaskDetail; tab: Tab }) {
  const { t } = useTranslation('tasks')
  const { t: doc } = useTranslation('documents')
  const { can } = useSession()
  const navigate = useNavigate()
  const area = useRef<EditorAreaHandle>(null)
  const text = useTaskText(task.id, task.yaml_content, task.current_version)
  const readOnly = !can('updateTask')
  const mayRun = can('triggerRun') && task.archived === 0
  const [dialog, setDialog] = useState<Dialog>(null)
  const askSave = useAskSave({
    text,
    read: taskReader.read,
    readOnly,
    errorsText: (count) => t('save.errors', { count }),
    showProblems: () => area.current?.showProblems(),
    open: () => setDialog('save'),
  })
  const { base, newer, take } = useBaseRecord<DocumentRecord>(task, text, dialog === 'save')
  const inputsFor = useRunInputs(task.id)
  const state = useSaveDocument(taskKind, { record: base, savedText: text.saved, version: text.version })
  const askRun = () => {
    if (mayRun) setDialog('run')
  }
  const close = () => {
    setDialog(null)
    state.clear()
  }
  const onTaken = (saved: DocumentRecord) => {
    take(saved)
    close()
  }
  const compare = async () => {
    await state.compare()
    setDialog('save')
  }
  const openInJob = async () => {
    const { connector_refs, arguments: specs } = await taskReader.read(text.saved)
    const yaml = templateOf({ name: task.name, connectors: connector_refs, arguments: specs })
    void navigate(paths.jobTemplateNew({ sample: 'copy' }), { state: { yaml } })
  }
  const useInJob = {
    id: 'task.use-in-job',
    title: t('page.useInJob'),
    icon: IconSitemap,
    when: can('createJobTemplate') && task.archived === 0,
    run: () => void openInJob(),
  }
  const links = {
    editor: paths.task(task.id),
    versions: paths.taskVersions(task.id),
    runs: paths.taskRuns(task.id),
    state: paths.taskState(task.id),
  }
  const kept = keepsState(useReading(taskReader, text.saved).parsed.task)
  // A task that keeps no state needs no tab for it; an old address still leads there.
  const shownTabs = tabs.filter((id) => id !== 'state' || kept || tab === 'state')
  return (
    <Page
      title={task.name}
      crumbs={[{ label: t('title'), to: paths.tasks() }]}
      badge={
        <>
          <span className={classes.version}>{doc('page.version', { version: text.version })}</span>
          {task.archived === 1 ? <StatusBadge status="archived" size="md" /> : null}
          {text.dirty ? <span className={classes.unsaved}>{doc('page.unsaved')}</span> : null}
        </>
      }
      subtitle={task.description}
      actions={
        <>
          {readOnly ? null : <SaveButton kind="task" dirty={text.dirty} onSave={askSave} />}
          {mayRun ? (
            <CommandButton
              id="task.run"
              label={t('page.run')}
              icon={IconPlayerPlay}
              onClick={askRun}
              shortcut="mod+Enter"
            />
          ) : null}
          <DocumentMenu
            kind={taskKind}
            record={task}
            text={text.text}
            archiveText={t('page.archiveText')}
            onDuplicate={() => void navigate(paths.taskNew({ sample: 'copy' }), { state: { yaml: text.text } })}
            more={[useInJob]}
          />
        </>
      }
      tabs={shownTabs.map((id) => ({ label: t(`tabs.${id}`), to: links[id], active: id === tab }))}
      layout="fill"
    >
      <LeaveGuard dirty={text.dirty} unkept={text.unkept} within={paths.task(task.id)} />
      <DocumentNotices
        text={text}
        newer={newer}
        notice={task.archived === 1 ? t('page.archivedNotice') : readOnly ? t('page.readOnly') : null}
        onCompare={() => void compare()}
        onTake={() => take(task)}
      />
      <div className={tab === 'editor' ? classes.pane : classes.hidden}>
        <EditorArea ref={area} text={text} inputsFor={inputsFor} readOnly={readOnly} onSave={askSave} onRun={askRun} />
      </div>
      {tab === 'versions' ? (
        <VersionsPane kind={taskKind} record={task} onRestored={(saved) => !text.dirty && take(saved)} />
      ) : null}
      {tab === 'runs' ? <TaskRunsPane taskId={task.id} onRun={mayRun ? askRun : undefined} /> : null}
      {tab === 'state' ? <StatePane taskId={task.id} kept={kept} /> : null}
      <SaveDialog
        opened={dialog === 'save'}
        onClose={close}
        name={task.name}
        before={text.saved}
        version={text.version}
        text={text.text}
        state={state}
        onSaved={onTaken}
        onTheirs={(conflict) => onTaken(conflict.record)}
        onText={text.setText}
      />
      <RunDialog
        opened={dialog === 'run'}
        onClose={close}
        task={task}
        yaml={text.saved}
        version={text.version}
        dirty={text.dirty}
        inputsFor={inputsFor}
        onSaveFirst={askSave}
      />
    </Page>
  )
}

/** A task: its text with what it does beside it, its versions, its runs. */
export function TaskPage() {
  const { t } = useTranslation('tasks')
  const { id: text, tab } = useParams()
  const id = Number(text)
  const task = useOperation(getTask, { params: { id } })
  useOpened({ kind: 'task', id, title: task.data?.name, to: paths.task(id), gone: task.error?.status === 404 })
  if (task.data) {
    return <Workspace key={task.data.id} task={task.data} tab={tabs.find((one) => one === tab) ?? 'editor'} />
  }
  return (
    <Page title={`#${text ?? ''}`} crumbs={[{ label: t('title'), to: paths.tasks() }]} layout="fill">
      {task.error ? (
        <ErrorState error={task.error} onRetry={() => void task.refetch()} />
      ) : (
        <Skeleton height={34} radius={0} />
      )}
    </Page>
  )
}
