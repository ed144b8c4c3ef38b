import { Button, Checkbox } from '@mantine/core'
import { IconArchive, IconFilterOff, IconPlus, IconSitemap, IconX } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { type JobTemplate, listJobTemplates } from '../../../contract/job-templates.ts'
import { useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useCommands } from '../../commands/commands.ts'
import { paths } from '../../paths.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { SearchField, Toolbar } from '../../ui/Toolbar.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn, TableSort } from '../../ui/table.types.ts'
import classes from '../../ui/document/dialogs.module.css'

const sortable = ['name', 'updated_at', 'created_at'] as const
type SortField = (typeof sortable)[number]

function useColumns(onTag: (tag: string) => void) {
  const { t } = useTranslation('jobTemplates')
  const { t: doc } = useTranslation('documents')
  return useMemo(
    (): TableColumn<JobTemplate>[] => [
      { id: 'name', header: t('list.columns.name'), width: 260, sortable: true, cell: (template) => template.name },
      {
        id: 'description',
        header: t('list.columns.description'),
        minWidth: 180,
        cell: (template) => (
          <span className={classes.muted} title={template.description ?? undefined}>
            {template.description}
          </span>
        ),
      },
      {
        id: 'tags',
        header: t('list.columns.tags'),
        width: 170,
        cell: (template) =>
          template.tags.map((tag) => (
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
        id: 'tasks',
        header: t('list.columns.tasks'),
        width: 72,
        align: 'right',
        cell: (template) => template.task_count.toLocaleString(),
      },
      {
        id: 'jobs',
        header: t('list.columns.jobs'),
        width: 72,
        align: 'right',
        cell: (template) => template.job_count.toLocaleString(),
      },
      {
        id: 'version',
        header: t('list.columns.version'),
        width: 72,
        align: 'right',
        cell: (template) => doc('page.version', { version: template.current_version }),
      },
      {
        id: 'updated_at',
        header: t('list.columns.updated'),
        width: 112,
        sortable: true,
        cell: (template) => <RelativeTime at={template.updated_at ?? template.created_at} />,
      },
    ],
    [t, doc, onTag],
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

function EmptyTemplates({ filtered, archived, onClear }: EmptyProps) {
  const { t } = useTranslation('jobTemplates')
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
      icon={IconSitemap}
      title={t('list.emptyTitle')}
      text={t('list.emptyText')}
      action={
        can('createJobTemplate') ? (
          <Button component={Link} to={paths.jobTemplateNew()}>
            {t('list.newTemplate')}
          </Button>
        ) : undefined
      }
    />
  )
}

const keyOf = (template: JobTemplate) => template.id
const hrefOf = (template: JobTemplate) => paths.jobTemplate(template.id)

/** All job templates, searched, sorted and narrowed by the address. */
export function JobTemplatesPage() {
  const { t } = useTranslation('jobTemplates')
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
  const list = useList(listJobTemplates, { query }, { keepPrevious: true })
  const columns = useColumns((chosen) => set({ tag: chosen }))
  useCommands([
    {
      id: 'job-templates.archived',
      title: t('list.archivedOnly'),
      run: () => set({ archived: archived ? null : 'true' }),
    },
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
        can('createJobTemplate') ? (
          <Button leftSection={<IconPlus size={14} />} onClick={() => void navigate(paths.jobTemplateNew())}>
            {t('list.newTemplate')}
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
        id="job-templates"
        rows={list.rows}
        columns={columns}
        rowKey={keyOf}
        rowHref={hrefOf}
        label={t('list.label')}
        sort={sort ? { id: sort, order } : undefined}
        onSort={onSort}
        {...listProps(list)}
        isMuted={(template) => template.archived === 1}
        empty={
          <EmptyTemplates
            filtered={q !== '' || tag !== null}
            archived={archived}
            onClear={() => set({ q: null, tag: null })}
          />
        }
      />
    </Page>
  )
}
