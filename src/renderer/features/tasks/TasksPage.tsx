import { IconFileCode } from '@tabler/icons-react'
import { listTasks } from '../../../contract/tasks.ts'
import { useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { DocumentListPage } from '../../ui/document/DocumentListPage.tsx'
import { useDocumentList } from '../../ui/document/use-document-list.ts'
import { useRecentColumns } from '../recent-runs/use-recent-columns.tsx'
import { hrefOf, useTaskActions } from './use-task-actions.ts'

const invalidates = ['listTasks', 'getTask', 'listRuns', 'listRecentRuns'] as const

/** All tasks, searched, sorted and narrowed by the address. */
export function TasksPage() {
  const { can } = useSession()
  const { address, query } = useDocumentList()
  const list = useList(listTasks, { query }, { keepPrevious: true })
  const columns = useRecentColumns('task', list.rows)
  const actions = useTaskActions()
  return (
    <DocumentListPage
      id="tasks"
      words="tasks"
      icon={IconFileCode}
      newPath={can('createTask') ? paths.taskNew() : null}
      list={list}
      address={address}
      columns={columns}
      hrefOf={hrefOf}
      actions={actions}
      invalidates={invalidates}
    />
  )
}
