import { ActionIcon, NativeSelect, TextInput } from '@mantine/core'
import {
  IconFileDownload,
  IconListDetails,
  IconSortAscending,
  IconSortDescending,
  IconTableOff,
} from '@tabler/icons-react'
import { Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WidgetData } from '../../../contract/dashboard-views.ts'
import type { TableWidget } from '../../../language/dashboard/dashboard.types.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { downloadText, fileStem } from '../../ui/download.ts'
import { StaticGrid } from '../../ui/grid/StaticGrid.tsx'
import { copied } from '../../ui/grid/copy.rules.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { DataWidget, titleOf } from './WidgetFrame.tsx'
import { PrintedTable } from './PrintedTable.tsx'
import { useCrossFilter } from './cross-filter.ts'
import { useViewing, useWidgetData } from './dashboard-source.ts'
import classes from './dashboards.module.css'
import { type MarkValue, valuesAt } from './drill.rules.ts'
import { searched, sorted, withColumns } from './table.rules.ts'

const DrillDialog = lazyPart(async () => (await import('./DrillDialog.tsx')).DrillDialog)

interface Sort {
  column: string
  order: 'asc' | 'desc'
}

export function TableWidgetView({ widget }: { widget: TableWidget }) {
  const { t } = useTranslation('dashboards')
  const { source, choice } = useViewing()
  const [drilled, setDrilled] = useState<readonly MarkValue[] | null>(null)
  // The same rows as in the frame, for the file.
  const { data } = useWidgetData(widget.id, false)
  const isPart = data !== undefined && data.truncated !== null
  const save = () => {
    if (!data) return
    const name = `${fileStem(titleOf(widget)) || widget.id}.csv`
    if (isPart && source.saveRows) return void source.saveRows(widget.id, name, choice)
    const { fields, rows } = withColumns(data, widget.columns)
    downloadText(name, copied('csv', { fields, rows, table: '', dialect: 'duckdb', guard: true }), 'text/csv')
  }
  const csv = !isPart ? t('widget.csv') : source.saveRows ? t('widget.csvAll') : t('widget.csvShown')
  return (
    <>
      <DataWidget
        widget={widget}
        actions={[
          { id: 'csv', label: csv, icon: IconFileDownload, run: save },
          ...(widget.drill === null
            ? []
            : [{ id: 'drill', label: t('widget.drill'), icon: IconListDetails, run: () => setDrilled([]) }]),
        ]}
      >
        {(rows) => <Table widget={widget} data={rows} onDrill={widget.drill === null ? undefined : setDrilled} />}
      </DataWidget>
      {drilled ? (
        <Suspense>
          <DrillDialog widget={widget} values={drilled} onClose={() => setDrilled(null)} />
        </Suspense>
      ) : null}
    </>
  )
}

interface TableProps {
  widget: TableWidget
  data: WidgetData
  /** Shows the rows behind the one with these values. */
  onDrill: ((values: readonly MarkValue[]) => void) | undefined
}

function Table({ widget, data, onDrill }: TableProps) {
  const { t } = useTranslation('dashboards')
  const { paper } = useViewing()
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState<Sort | null>(
    widget.sort === null ? null : { column: widget.sort, order: widget.order },
  )
  const { whole, shown } = useMemo(() => {
    const found = searched(data, search)
    const inOrder = sort ? sorted(found, sort.column, sort.order) : found
    return { whole: inOrder, shown: withColumns(inOrder, widget.columns) }
  }, [data, search, sort, widget.columns])
  const first = shown.fields[0]?.name ?? ''
  const cross = useCrossFilter(widget.cross_filter, first)
  const [hint, setHint] = useState('')
  const filterBy = (row: number) => {
    setHint(cross.valueAt(whole, row) === null ? t('table.nullFilter') : '')
    cross.toggle?.(whole, row)
  }
  const drill = (row: number) => onDrill?.(valuesAt([first], whole, row))
  const open = cross.toggle ? filterBy : onDrill && drill
  const links = {
    label: cross.toggle ? t('table.filterByRow') : t('widget.drill'),
    isLinked: (field: number) => field === 0 && (cross.toggle !== undefined || onDrill !== undefined),
    of: (row: number, field: number) => {
      const value = cross.valueAt(whole, row)
      const isChosen = value === cross.chosen
      const filter = isChosen ? t('table.filterOff', { value }) : t('table.filterBy', { value })
      return [
        ...(typeof value === 'string' ? [{ label: filter, follow: () => filterBy(row) }] : []),
        ...(onDrill ? [{ label: t('widget.drill'), follow: () => drill(row) }] : []),
        // The arrow is in the first column; the menu has them everywhere.
      ].map((link) => ({ ...link, back: field > 0 }))
    },
  }
  const isMatch = (row: number) => cross.chosen !== null && cross.valueAt(whole, row) === cross.chosen
  if (data.rows.length === 0) return <EmptyState compact icon={IconTableOff} title={t('widget.noRows')} />
  const Icon = sort?.order === 'desc' ? IconSortDescending : IconSortAscending
  return (
    <>
      <div className={classes.tableBar}>
        {widget.search ? (
          <TextInput
            type="search"
            size="xs"
            aria-label={t('table.search', { title: titleOf(widget) })}
            placeholder={t('table.searchShort')}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        ) : null}
        <NativeSelect
          size="xs"
          aria-label={t('table.sort', { title: titleOf(widget) })}
          data={[
            { value: '', label: t('table.unsorted') },
            ...[...new Set(data.fields.map(({ name }) => name))].map((name) => ({ value: name, label: name })),
          ]}
          value={sort?.column ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setSort(value === '' ? null : { column: value, order: sort?.order ?? 'asc' })
          }
        />
        {sort ? (
          <ActionIcon
            variant="default"
            aria-label={sort.order === 'asc' ? t('table.descending') : t('table.ascending')}
            onClick={() => setSort({ ...sort, order: sort.order === 'asc' ? 'desc' : 'asc' })}
          >
            <Icon size={14} />
          </ActionIcon>
        ) : null}
      </div>
      {hint === '' ? null : (
        <div className={classes.truncated} role="status">
          {hint}
        </div>
      )}
      {shown.rows.length === 0 ? (
        <EmptyState compact icon={IconTableOff} title={t('table.noMatches')} />
      ) : paper === 'now' ? (
        <PrintedTable {...shown} />
      ) : (
        <StaticGrid
          label={titleOf(widget)}
          fields={shown.fields}
          rows={shown.rows}
          onOpenCell={open && (({ row }) => open(row))}
          links={open && links}
          isMatch={isMatch}
        />
      )}
    </>
  )
}
