import { Button } from '@mantine/core'
import { IconFileCode, IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { type Task, listTasks } from '../../../contract/tasks.ts'
import { useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { Page } from '../../ui/Page.tsx'
import { DocumentEmpty } from '../../ui/document/DocumentEmpty.tsx'
import { DocumentList } from '../../ui/document/DocumentList.tsx'
import { useDocumentList } from '../../ui/document/use-document-list.ts'
import { numberText } from '../../ui/format.ts'
import { useRecentColumns } from '../recent-runs/use-recent-columns.tsx'
import { useTaskActions } from './use-task-actions.ts'

const hrefOf = (task: Task) => paths.task(task.id)
const invalidates = ['listTasks', 'getTask', 'listRuns', 'listRecentRuns'] as const

/** All tasks, searched, sorted and narrowed by the address. */
export function TasksPage() {
  const { t } = useTranslation('tasks')
  const { can } = useSession()
  const navigate = useNavigate()
  const { address, query } = useDocumentList()
  const list = useList(listTasks, { query }, { keepPrevious: true })
  const columns = useRecentColumns('task', list.rows)
  const actions = useTaskActions()
  const { total } = list
  return (
    <Page
      title={t('title')}
      layout="fill"
      actions={
        can('createTask') ? (
          <CommandButton
            id="tasks.new"
            label={t('list.newTask')}
            icon={IconPlus}
            onClick={() => void navigate(paths.taskNew())}
            shortcut="c"
          />
        ) : null
      }
    >
      <DocumentList
        id="tasks"
        words={{
          label: t('list.label'),
          search: t('list.search'),
          total: total === undefined ? null : t('list.total', { count: total, formatted: numberText(total) }),
        }}
        list={list}
        address={address}
        columns={columns}
        hrefOf={hrefOf}
        actions={actions}
        invalidates={invalidates}
        empty={
          <DocumentEmpty
            address={address}
            icon={IconFileCode}
            none={{ title: t('list.emptyTitle'), text: t('list.emptyText') }}
            noneMatches={{ title: t('list.filteredTitle'), text: t('list.filteredText') }}
            archivedText={t('list.archivedEmptyText')}
            action={
              can('createTask') ? (
                <Button component={Link} to={paths.taskNew()} leftSection={<IconPlus size={14} />}>
                  {t('list.newTask')}
                </Button>
              ) : undefined
            }
          />
        }
      />
    </Page>
  )
}
