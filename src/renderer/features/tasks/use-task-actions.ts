import { IconPlayerPlay } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { cancelRun } from '../../../contract/runs.ts'
import { type Task, archiveTask, restoreTask, tagTask } from '../../../contract/tasks.ts'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { exportPath } from '../../ui/document/export-path.ts'
import { archiveActions, exportAction, linkAction, tagAction } from '../../ui/work-list/common-actions.tsx'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'
import { runLikeLast } from './run-like-last.ts'

const isArchived = (task: Task) => task.archived === 1

/** What can be done with tasks in a list. */
export function useTaskActions(): ListAction<Task>[] {
  const { t } = useTranslation('lists')
  const { can } = useSession()
  const navigate = useNavigate()
  return useMemo(() => {
    const run: ListAction<Task> = {
      id: 'run',
      label: t('actions.run'),
      icon: IconPlayerPlay,
      shortcut: 'r',
      when: (task) => !isArchived(task),
      question: ({ length: count }) => ({ title: t('actions.runTitle', { count }), text: t('actions.runText') }),
      perform: async (task) => {
        const started = await runLikeLast(task.id)
        return () => call(cancelRun, { params: { id: started.id } })
      },
      done: (count) => t('actions.started', { count }),
    }
    const archiving = archiveActions<Task>(t, {
      isArchived,
      archive: (id) => call(archiveTask, { params: { id } }),
      restore: (id) => call(restoreTask, { params: { id } }),
    })
    return [
      ...(can('triggerRun') ? [run] : []),
      ...(can('tagTask') ? [tagAction<Task>(t, (id, body) => call(tagTask, { params: { id }, body }))] : []),
      ...(can('archiveTask') ? archiving : []),
      ...(can('exportBundle') ? [exportAction<Task>(t, navigate, (ids) => exportPath('task', ids))] : []),
      linkAction<Task>(t, ({ id }) => paths.task(id)),
    ]
  }, [t, can, navigate])
}
