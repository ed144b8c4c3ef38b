import { notifications } from '@mantine/notifications'
import { IconPlayerPlay, IconSitemap, IconVectorSpline } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import type { TaskDetail } from '../../../contract/tasks.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { DocumentPage, DocumentWorkspace } from '../../ui/document/DocumentPage.tsx'
import { useReading } from '../../ui/document/reading.ts'
import { useDocument } from '../../ui/document/use-document.ts'
import { useStartNow } from '../../ui/use-start-now.ts'
import { templateOf } from '../job-templates/insert-task.ts'
import { EditorArea } from './EditorArea.tsx'
import { RunDialog } from './RunDialog.tsx'
import { StatePane } from './StatePane.tsx'
import { TaskRunsPane } from './TaskRunsPane.tsx'
import { runLikeLast } from './run-like-last.ts'
import { taskKind } from './task-kind.ts'
import { keepsState } from './task-parts.ts'
import { taskReader } from './task-reader.ts'
import { useRunInputs } from './use-run-inputs.ts'

/** A task that keeps no state needs no tab for it; an old address still leads there. */
function useTaskTabs(id: number, withState: boolean) {
  const { t } = useTranslation('tasks')
  const runs = { id: 'runs', label: t('tabs.runs'), to: paths.taskRuns(id) }
  const state = { id: 'state', label: t('tabs.state'), to: paths.taskState(id) }
  return withState ? [runs, state] : [runs]
}

function Workspace({ record: task, tab }: { record: TaskDetail; tab: string }) {
  const { t } = useTranslation('tasks')
  const { can } = useSession()
  const navigate = useNavigate()
  const inputsFor = useRunInputs(task.id)
  const document = useDocument(taskKind, task, can('triggerRun') && task.archived === 0)
  const { editor, text, readOnly, mayStart, dialog, askSave, askStart, close } = document
  const now = useStartNow({
    start: () => runLikeLast(task.id),
    onStarted: ({ id }) => {
      notifications.show({ message: t('run.started', { id }) })
      void navigate(paths.run(id))
    },
    onRefused: askStart,
  })
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
  const showLineage = {
    id: 'task.lineage',
    title: t('page.lineage'),
    icon: IconVectorSpline,
    when: true,
    run: () => void navigate(paths.lineage({ task: task.id })),
  }
  const kept = keepsState(useReading(taskReader, text.saved).parsed.task)
  const tabs = useTaskTabs(task.id, kept || tab === 'state')
  return (
    <DocumentWorkspace
      document={document}
      tab={tab}
      tabs={tabs}
      start={{
        id: 'task.run',
        // A run never takes what is not saved.
        label: text.dirty ? t('page.runVersion', { version: text.version }) : t('page.run'),
        icon: IconPlayerPlay,
        now: {
          hint: text.dirty ? t('page.runVersionHint', { version: text.version }) : t('page.runHint'),
          withLabel: t('page.runWith'),
          busy: now.busy,
          run: text.dirty ? askStart : now.run,
        },
      }}
      more={[showLineage, useInJob]}
      editor={
        <EditorArea
          ref={editor}
          text={text}
          inputsFor={inputsFor}
          readOnly={readOnly}
          onSave={askSave}
          onStart={text.dirty ? askStart : now.run}
        />
      }
    >
      {tab === 'runs' ? <TaskRunsPane taskId={task.id} onRun={mayStart ? askStart : undefined} /> : null}
      {tab === 'state' ? <StatePane taskId={task.id} kept={kept} /> : null}
      <RunDialog
        opened={dialog === 'start'}
        onClose={close}
        task={task}
        yaml={text.saved}
        version={text.version}
        dirty={text.dirty}
        inputsFor={inputsFor}
        onSaveFirst={askSave}
      />
    </DocumentWorkspace>
  )
}

/** A task: its text with what it does beside it, its versions, its runs. */
export function TaskPage() {
  const { id, tab } = useParams()
  const tabs = useTaskTabs(Number(id), tab === 'state')
  return <DocumentPage kind={taskKind} tabs={tabs} Workspace={Workspace} />
}
