import { Button, Checkbox } from '@mantine/core'
import { IconArchive, IconFileCode, IconFilterOff, IconPlus, IconX } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import type { Run } from '../../../contract/runs.ts'
import { type Task, listTasks } from '../../../contract/tasks.ts'
import { useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { paths } from '../../paths.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { SearchField, Toolbar } from '../../ui/Toolbar.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn, TableSort } from '../../ui/table.types.ts'
import classes from '../../ui/document/dialogs.module.css'
import { useLastRuns } from './use-last-runs.ts'

const sortable = ['name', 'updated_at', 'created_at'] as const
type SortField = (typeof sortable)[number]

function LastRun({ run }: { run: Run | undefined }) {
  if (!run) return <span className={classes.muted}>–</span>
  return (
    <Link to={paths.run(run.id)} onClick={(event) => event.stopPropagation()} style={{ color: 'inherit' }}>
      <StatusBadge status={run.status} /> <RelativeTime at={run.completed_at ?? run.created_at} />
    </Link>
  )
}

function useColumns(lastRuns: ReadonlyMap<number, Run>, onTag: (tag: string) => void) {
  const { t } = useTranslation('tasks')
  const { t: doc } = useTranslation('documents')
  return useMemo(
    (): TableColumn<Task>[] => [
      { id: 'name', header: t('list.columns.name'), width: 260, sortable: true, cell: (task) => task.name },
      {
        id: 'description',
        header: t('list.columns.description'),
        minWidth: 180,
        cell: (task) => (
          <span className={classes.muted} title={task.description ?? undefined}>
            {task.description}
          </span>
        ),
      },
      {
        id: 'tags',
        header: t('list.columns.tags'),
        width: 170,
        cell: (task) =>
          task.tags.map((tag) => (
            <button
              key={tag}
              type="button"
              className={classes.tag}
              tabIndex={-1}
              title={t('list.tag', { tag })}
              onClick={(event) => {
                event.preventDefault()
                event.stopPropagation()
                onTag(tag)
              }}
            >
              {tag}
            </button>
          )),
      },
      {
        id: 'lastRun',
        header: t('list.columns.lastRun'),
        width: 250,
        cell: (task) => <LastRun run={lastRuns.get(task.id)} />,
      },
      {
        id: 'version',
        header: t('list.columns.version'),
        width: 72,
        align: 'right',
        cell: (task) => doc('page.version', { version: task.current_version }),
      },
      {
        id: 'updated_at',
        header: t('list.columns.updated'),
        width: 112,
        sortable: true,
        cell: (task) => <RelativeTime at={task.updated_at ?? task.created_at} />,
      },
    ],
    [t, doc, lastRuns, onTag],
  )
}

function useListAddress() {
  const [search, set] = useAddress()
  const sort = sortable.find((field) => field === search.get('sort'))
  const order: 'asc' | 'desc' = search.get('order') === 'asc' ? 'asc' : 'desc'
  return {
    q: search.get('q') ?? '',
    tag: search.get('tag'),
    archived: search.get('archived') === 'true',
    sort,
    order,
    set,
  }
}

interface EmptyProps {
  filtered: boolean
  archived: boolean
  onClear(): void
}

function EmptyTasks({ filtered, archived, onClear }: EmptyProps) {
  const { t } = useTranslation('tasks')
  const { can } = useSession()
  if (filtered) {
    return (
      <EmptyState
        icon={IconFilterOff}
        title={t('list.filteredTitle')}
        text={t('list.filteredText')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('list.clearFilters')}
          </Button>
        }
      />
    )
  }
  if (archived) {
    return <EmptyState icon={IconArchive} title={t('list.archivedEmptyTitle')} text={t('list.archivedEmptyText')} />
  }
  return (
    <EmptyState
      icon={IconFileCode}
      title={t('list.emptyTitle')}
      text={t('list.emptyText')}
      action={
        can('createTask') ? (
          <Button component={Link} to={paths.taskNew()}>
            {t('list.newTask')}
          </Button>
        ) : undefined
      }
    />
  )
}

const keyOf = (task: Task) => task.id
const hrefOf = (task: Task) => paths.task(task.id)

/** All tasks, searched, sorted and narrowed by the address. */
export function TasksPage() {
  const { t } = useTranslation('tasks')
  const { can } = useSession()
  const navigate = useNavigate()
  const address = useListAddress()
  const { q, tag, archived, sort, order, set } = address
  const query = {
    limit: 100,
    ...(q ? { q } : {}),
    ...(tag ? { tag } : {}),
    ...(archived ? { archived } : {}),
    ...(sort ? { sort, order } : {}),
  }
  const list = useList(listTasks, { query }, { keepPrevious: true })
  const lastRuns = useLastRuns()
  const columns = useColumns(lastRuns, (chosen) => set({ tag: chosen }))
  useCommands([
    { id: 'tasks.archived', title: t('list.archivedOnly'), run: () => set({ archived: archived ? null : 'true' }) },
  ])
  const onSort = (next: TableSort) => {
    const field = sortable.find((one): one is SortField => one === next.id)
    if (field) set({ sort: field, order: next.order })
  }
  return (
    <Page
      title={t('title')}
      layout="fill"
      actions={
        can('createTask') ? (
          <Button leftSection={<IconPlus size={14} />} onClick={() => void navigate(paths.taskNew())}>
            {t('list.newTask')}
          </Button>
        ) : undefined
      }
      toolbar={
        <Toolbar
          right={
            list.total === undefined ? null : (
              <span role="status">
                {t('list.total', { count: list.total, formatted: list.total.toLocaleString() })}
              </span>
            )
          }
        >
          <SearchField value={q} onChange={(value) => set({ q: value })} label={t('list.search')} />
          {tag ? (
            <Button
              variant="light"
              rightSection={<IconX size={13} />}
              onClick={() => set({ tag: null })}
              title={t('list.clearTag')}
            >
              {t('list.tag', { tag })}
            </Button>
          ) : null}
          <Checkbox
            label={t('list.archivedOnly')}
            checked={archived}
            onChange={(event) => set({ archived: event.currentTarget.checked ? 'true' : null })}
          />
        </Toolbar>
      }
    >
      <DataTable
        id="tasks"
        rows={list.rows}
        columns={columns}
        rowKey={keyOf}
        rowHref={hrefOf}
        label={t('list.label')}
        sort={sort ? { id: sort, order } : undefined}
        onSort={onSort}
        {...listProps(list)}
        isMuted={(task) => task.archived === 1}
        empty={
          <EmptyTasks
            filtered={q !== '' || tag !== null}
            archived={archived}
            onClear={() => set({ q: null, tag: null })}
          />
        }
      />
    </Page>
  )
}
