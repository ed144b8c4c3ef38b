import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { listTasks } from '../../../contract/tasks.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'

/** The way to a first run: from a task, or, before there is any, to a new one. */
export function ToFirstRun() {
  const { t } = useTranslation('runs')
  const { can } = useSession()
  const tasks = useOperation(listTasks, { query: { limit: 1 } })
  if (tasks.isPending) return null
  return tasks.data?.total === 0 && can('createTask') ? (
    <CommandButton id="runs.first-task" label={t('list.emptyFirst')} icon={IconPlus} to={paths.taskNew()} />
  ) : (
    <CommandButton id="runs.to-tasks" label={t('list.emptyAction')} to={paths.tasks()} />
  )
}
