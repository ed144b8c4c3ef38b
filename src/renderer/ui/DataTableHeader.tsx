import { Checkbox, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './DataTable.module.css'
import { type ColumnResizing, DataTableHandle } from './DataTableHandle.tsx'
import { type ColumnSizes, leastOf } from './column-sizes.rules.ts'
import type { DataTableProps, TableColumn, TableSort } from './table.types.ts'

export interface DataTableHeaderProps<Row>
  extends
    ColumnResizing,
    Pick<DataTableProps<Row>, 'rows' | 'columns' | 'rowKey' | 'selection' | 'sort' | 'onSort' | 'onMenu'> {
  sizes: ColumnSizes
}

const labelOf = <Row,>(column: TableColumn<Row>) =>
  column.label ?? (typeof column.header === 'string' ? column.header : column.id)

function nextSort<Row>(sort: TableSort | undefined, { id, largestFirst }: TableColumn<Row>): TableSort {
  if (sort?.id !== id) return { id, order: largestFirst ? 'desc' : 'asc' }
  return { id, order: sort.order === 'asc' ? 'desc' : 'asc' }
}

function SortButton<Row>({
  column,
  sort,
  onSort,
}: { column: TableColumn<Row> } & Pick<DataTableProps<Row>, 'sort' | 'onSort'>) {
  const { t } = useTranslation()
  const Arrow = sort?.order === 'desc' ? IconArrowDown : IconArrowUp
  return (
    <button
      type="button"
      className={classes.sort}
      onClick={() => onSort?.(nextSort(sort, column))}
      aria-label={t('table.sortBy', { name: labelOf(column) })}
      title={labelOf(column)}
    >
      <span className={classes.headerText}>{column.header}</span>
      {sort?.id === column.id ? <Arrow size={12} aria-hidden /> : null}
    </button>
  )
}

export function DataTableHeader<Row>(props: DataTableHeaderProps<Row>) {
  const { rows, columns, rowKey, selection, sort, onSort, sizes, onResize, onReset } = props
  const { t } = useTranslation()
  const [reached, setReached] = useState<string | null>(null)
  const stop = columns.find(({ id }) => id === reached) ?? columns[0]
  const selectedCount = selection ? rows.filter((row) => selection.selected.has(String(rowKey(row)))).length : 0
  return (
    <div className={classes.header} role="row">
      {selection ? (
        <div className={classes.check} role="columnheader">
          <Checkbox
            aria-label={t('table.selectAll')}
            disabled={rows.length === 0}
            checked={selectedCount > 0 && selectedCount === rows.length}
            indeterminate={selectedCount > 0 && selectedCount < rows.length}
            onChange={(event) =>
              selection.onChange(new Set(event.currentTarget.checked ? rows.map((row) => String(rowKey(row))) : []))
            }
          />
        </div>
      ) : null}
      {columns.map((column) => (
        <div
          key={column.id}
          className={classes.headerCell}
          data-column={column.id}
          data-align={column.align}
          data-pinned={column.pinned}
          role="columnheader"
          aria-label={labelOf(column)}
          aria-sort={sort?.id === column.id ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined}
        >
          {column.sortable && onSort ? (
            <SortButton column={column} sort={sort} onSort={onSort} />
          ) : (
            <span className={classes.headerText} title={labelOf(column)}>
              {column.header}
            </span>
          )}
          <DataTableHandle
            id={column.id}
            name={labelOf(column)}
            width={sizes[column.id] ?? column.width ?? null}
            least={leastOf(column)}
            reachable={column === stop}
            onReached={setReached}
            onResize={onResize}
            onReset={onReset}
          />
        </div>
      ))}
      {props.onMenu ? (
        <div className={classes.headerMenu} role="columnheader">
          <VisuallyHidden>{t('table.rowMenu')}</VisuallyHidden>
        </div>
      ) : null}
    </div>
  )
}
