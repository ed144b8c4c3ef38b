import { IconPlayerPlay } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { cancelRun } from '../../../contract/runs.ts'
import { type Task, archiveTask, restoreTask, tagTask } from '../../../contract/tasks.ts'
import { call } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { useDocumentActions } from '../../ui/document/use-document-actions.ts'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'
import { runLikeLast } from './run-like-last.ts'

export const hrefOf = (task: { id: number }) => paths.task(task.id)
const changes = {
  kind: 'task',
  tagging: 'tagTask',
  archiving: 'archiveTask',
  tag: (id, body) => call(tagTask, { params: { id }, body }),
  archive: (id) => call(archiveTask, { params: { id } }),
  restore: (id) => call(restoreTask, { params: { id } }),
  hrefOf,
} satisfies Parameters<typeof useDocumentActions>[0]

/** What can be done with tasks in a list. */
export function useTaskActions(): ListAction<Task>[] {
  const { t } = useTranslation('lists')
  const { can } = useSession()
  const common = useDocumentActions<Task>(changes)
  return useMemo(() => {
    const run: ListAction<Task> = {
      id: 'run',
      label: t('actions.run'),
      icon: IconPlayerPlay,
      shortcut: 'r',
      when: (task) => task.archived === 0,
      question: ({ length: count }) => ({ title: t('actions.runTitle', { count }), text: t('actions.runText') }),
      perform: async (task) => {
        const started = await runLikeLast(task.id)
        return () => call(cancelRun, { params: { id: started.id } })
      },
      done: (count) => t('actions.started', { count }),
    }
    return can('triggerRun') ? [run, ...common] : common
  }, [t, can, common])
}
