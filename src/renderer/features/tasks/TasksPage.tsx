import { Button } from '@mantine/core'
import { IconFileCode, IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { type Task, listTasks } from '../../../contract/tasks.ts'
import { useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Page } from '../../ui/Page.tsx'
import { DocumentEmpty } from '../../ui/document/DocumentEmpty.tsx'
import { DocumentToolbar } from '../../ui/document/DocumentToolbar.tsx'
import { ExportSelection, useExportSelection } from '../../ui/document/ExportSelection.tsx'
import { useDocumentColumns } from '../../ui/document/use-document-columns.tsx'
import { useDocumentList } from '../../ui/document/use-document-list.ts'
import { listProps } from '../../ui/list-props.ts'
import { useRecentColumns } from '../recent-runs/use-recent-columns.tsx'
import { numberText } from '../../ui/format.ts'

const keyOf = (task: Task) => task.id
const hrefOf = (task: Task) => paths.task(task.id)

/** All tasks, searched, sorted and narrowed by the address. */
export function TasksPage() {
  const { t } = useTranslation('tasks')
  const { t: doc } = useTranslation('documents')
  const { can } = useSession()
  const navigate = useNavigate()
  const address = useDocumentList()
  const selection = useExportSelection()
  const { archived, query, set, sort, onSort } = address
  const list = useList(listTasks, { query }, { keepPrevious: true })
  const columns = useDocumentColumns<Task>(useRecentColumns('task', list.rows), (tag) => set({ tag }))
  useCommands([
    { id: 'tasks.archived', title: doc('list.archivedOnly'), run: () => set({ archived: archived ? null : 'true' }) },
  ])
  return (
    <Page
      title={t('title')}
      layout="fill"
      actions={
        <>
          <ExportSelection kind="task" selection={selection} />
          {can('createTask') ? (
            <CommandButton
              id="tasks.new"
              label={t('list.newTask')}
              icon={IconPlus}
              onClick={() => void navigate(paths.taskNew())}
              shortcut="c"
            />
          ) : null}
        </>
      }
      toolbar={
        <DocumentToolbar
          address={address}
          searchLabel={t('list.search')}
          total={
            list.total === undefined ? null : t('list.total', { count: list.total, formatted: numberText(list.total) })
          }
        />
      }
    >
      <DataTable
        id="tasks"
        rows={list.rows}
        columns={columns}
        rowKey={keyOf}
        rowHref={hrefOf}
        selection={selection}
        label={t('list.label')}
        sort={sort}
        onSort={onSort}
        {...listProps(list)}
        isMuted={(task) => task.archived === 1}
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
