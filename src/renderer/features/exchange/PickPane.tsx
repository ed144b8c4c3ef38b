import { Checkbox, SegmentedControl } from '@mantine/core'
import { IconFilterOff, IconPackageExport } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listDashboardTemplates } from '../../../contract/dashboard-templates.ts'
import { listJobTemplates } from '../../../contract/job-templates.ts'
import { listTasks } from '../../../contract/tasks.ts'
import { useList } from '../../api/queries.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { SearchField } from '../../ui/Toolbar.tsx'
import { Tags } from '../../ui/Tags.tsx'
import { FilterMenu } from '../../ui/work-list/FilterMenu.tsx'
import { joinValues, splitValues } from '../../ui/work-list/list-address.rules.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn, TableSort } from '../../ui/table.types.ts'
import { useAddress } from '../../ui/use-address.ts'
import classes from './exchange.module.css'
import type { Loaded } from '../../ui/ErrorState.tsx'
import type { ExportKind, KindChoice } from './export-choice.ts'

interface PickRow {
  id: number
  name: string
  description: string | null
  tags: readonly string[]
  current_version: number
  archived: 0 | 1
  created_at: string
  updated_at: string | null
}

/** As lists are named. */
const listOf = {
  tasks: 'tasks',
  job_templates: 'job-templates',
  dashboard_templates: 'dashboard-templates',
} as const satisfies Record<ExportKind, Loaded>

interface PickPaneProps {
  kind: ExportKind
  choice: KindChoice
  onChange: (choice: KindChoice) => void
  /** What else is asked again with the list. */
  onRetry: () => void
}

const lists = {
  tasks: listTasks,
  job_templates: listJobTemplates,
  dashboard_templates: listDashboardTemplates,
} as const satisfies Record<ExportKind, unknown>
const keyOf = (row: PickRow) => row.id
const choices = ['all', 'chosen', 'none'] as const

function useColumns(onTag: (tag: string) => void) {
  const { t } = useTranslation('documents')
  return useMemo(
    (): TableColumn<PickRow>[] => [
      {
        id: 'name',
        header: t('list.columns.name'),
        minWidth: 180,
        sortable: true,
        names: true,
        cell: (row) => row.name,
      },
      {
        id: 'description',
        header: t('list.columns.description'),
        minWidth: 120,
        grow: 2,
        cell: (row) => (
          <span className={classes.faint} title={row.description ?? undefined}>
            {row.description}
          </span>
        ),
      },
      {
        id: 'tags',
        yields: 1,
        header: t('list.columns.tags'),
        width: 120,
        cell: (row) => <Tags tags={row.tags} onTag={onTag} brief />,
      },
      {
        id: 'version',
        header: t('list.columns.version'),
        width: 72,
        align: 'right',
        cell: (row) => t('page.version', { version: row.current_version }),
      },
      {
        id: 'updated_at',
        header: t('list.columns.updated'),
        width: 108,
        sortable: true,
        cell: (row) => <RelativeTime at={row.updated_at ?? row.created_at} />,
      },
    ],
    [t, onTag],
  )
}

/** All of a kind, none of it, or the ones that are ticked. */
export function PickPane({ kind, choice, onChange, onRetry }: PickPaneProps) {
  const { t } = useTranslation('exchange')
  const { t: doc } = useTranslation('documents')
  const [address, change] = useAddress()
  const q = address.get('q') ?? ''
  const tag = useMemo(() => splitValues(address.get('tag')), [address])
  const setTags = useCallback((tags: readonly string[]) => change({ tag: joinValues(tags) }), [change])
  // Of all, archived ones are in or out: they are looked at only to be picked.
  const picking = choice.which === 'chosen'
  const archived = picking && address.get('archived') === 'true'
  const [sort, setSort] = useState<TableSort>({ id: 'name', order: 'asc' })
  const onTag = useCallback((name: string) => setTags([name]), [setTags])
  const columns = useColumns(onTag)
  const field = sort.id === 'updated_at' ? ('updated_at' as const) : ('name' as const)
  const query = useMemo(
    () => ({
      limit: 200,
      sort: field,
      order: sort.order,
      archived,
      ...(q ? { q } : {}),
      ...(tag.length > 0 ? { tag } : {}),
    }),
    [field, sort.order, archived, q, tag],
  )
  const list = useList(lists[kind], { query }, { keepPrevious: true })
  const tags = [...new Set([...tag, ...list.rows.flatMap((row) => row.tags)])].toSorted()
  return (
    <div className={classes.pick}>
      <div className={classes.pickBar}>
        <span className={classes.pickWord} aria-hidden>
          {t('export.pick')}
        </span>
        <SegmentedControl
          aria-label={t('export.whichOf')}
          value={choice.which}
          onChange={(which) => onChange({ ...choice, which })}
          data={choices.map((value) => ({ value, label: t(`export.which.${value}`) }))}
        />
        <SearchField
          value={q}
          onChange={(next) => change({ q: next || null })}
          label={t(`export.search.${kind}`)}
          width={180}
          yields={120}
        />
        {tags.length > 0 ? (
          <FilterMenu
            label={t('export.tag')}
            options={tags.map((value) => ({ value, label: value }))}
            chosen={tag}
            onChange={setTags}
          />
        ) : null}
        {picking ? (
          <Checkbox
            label={doc('list.archivedOnly')}
            checked={archived}
            onChange={(event) => change({ archived: event.currentTarget.checked ? 'true' : null })}
          />
        ) : null}
        <span className={classes.pickRight} role="status">
          {picking
            ? t('export.selected', { count: choice.selected.size })
            : choice.which === 'none'
              ? t('export.notTaken')
              : null}
        </span>
      </div>
      <DataTable<PickRow>
        id={`export-${kind}`}
        label={t(`export.${kind}`)}
        rows={list.rows}
        columns={columns}
        rowKey={keyOf}
        sort={sort}
        onSort={setSort}
        // Beside “All” boxes would be empty, and there may be more rows than are loaded.
        {...(picking && {
          selection: { selected: choice.selected, onChange: (selected) => onChange({ ...choice, selected }) },
        })}
        isMuted={(row) => choice.which === 'none' || row.archived === 1}
        {...listProps(list)}
        what={listOf[kind]}
        onRetry={() => {
          list.retry()
          onRetry()
        }}
        empty={
          q || tag.length > 0 ? (
            <EmptyState icon={IconFilterOff} title={t('export.noMatch')} compact />
          ) : (
            <EmptyState icon={IconPackageExport} title={t(`export.none.${kind}`)} compact />
          )
        }
      />
    </div>
  )
}
