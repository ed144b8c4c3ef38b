import { IconFileCode } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { listTasks } from '../../../contract/tasks.ts'
import { useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { DocumentListPage } from '../../ui/document/DocumentListPage.tsx'
import { useDocumentList } from '../../ui/document/use-document-list.ts'
import { numberText } from '../../ui/format.ts'
import { useRecentColumns } from '../recent-runs/use-recent-columns.tsx'
import { hrefOf, useTaskActions } from './use-task-actions.ts'

const invalidates = ['listTasks', 'getTask', 'listRuns', 'listRecentRuns'] as const

/** All tasks, searched, sorted and narrowed by the address. */
export function TasksPage() {
  const { t } = useTranslation('tasks')
  const { can } = useSession()
  const { address, query } = useDocumentList()
  const list = useList(listTasks, { query }, { keepPrevious: true })
  const columns = useRecentColumns('task', list.rows)
  const actions = useTaskActions()
  const { total } = list
  return (
    <DocumentListPage
      id="tasks"
      words={{
        title: t('title'),
        label: t('list.label'),
        search: t('list.search'),
        total: total === undefined ? null : t('list.total', { count: total, formatted: numberText(total) }),
        create: t('list.newTask'),
        none: { title: t('list.emptyTitle'), text: t('list.emptyText') },
        noneMatches: { title: t('list.filteredTitle'), text: t('list.filteredText') },
        archivedText: t('list.archivedEmptyText'),
      }}
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
