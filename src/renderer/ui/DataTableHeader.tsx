import { Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './DataTable.module.css'
import type { DataTableProps, TableColumn, TableSort } from './table.types.ts'

/** The part of TanStack's header that is used here. */
interface SizingHeader {
  id: string
  getResizeHandler: () => (event: unknown) => void
  column: { getIsResizing(): boolean }
}

export interface DataTableHeaderProps<Row> extends Pick<
  DataTableProps<Row>,
  'rows' | 'columns' | 'rowKey' | 'selection' | 'sort' | 'onSort'
> {
  headers: readonly SizingHeader[]
  template: string
  /** A double click on the handle gives the column its first width back. */
  onReset(columnId: string): void
}

const labelOf = <Row,>(column: TableColumn<Row>) =>
  column.label ?? (typeof column.header === 'string' ? column.header : column.id)

function nextSort(sort: TableSort | undefined, id: string): TableSort {
  return { id, order: sort?.id === id && sort.order === 'asc' ? 'desc' : 'asc' }
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
      onClick={() => onSort?.(nextSort(sort, column.id))}
      aria-label={t('table.sortBy', { name: labelOf(column) })}
    >
      {column.header}
      {sort?.id === column.id ? <Arrow size={12} aria-hidden /> : null}
    </button>
  )
}

export function DataTableHeader<Row>(props: DataTableHeaderProps<Row>) {
  const { rows, columns, rowKey, selection, sort, onSort, headers, template, onReset } = props
  const { t } = useTranslation()
  const selectedCount = selection ? rows.filter((row) => selection.selected.has(String(rowKey(row)))).length : 0
  return (
    <div className={classes.header} style={{ gridTemplateColumns: template }} role="row">
      {selection ? (
        <div className={classes.check} role="columnheader">
          <Checkbox
            aria-label={t('table.selectAll')}
            checked={selectedCount > 0 && selectedCount === rows.length}
            indeterminate={selectedCount > 0 && selectedCount < rows.length}
            onChange={(event) =>
              selection.onChange(new Set(event.currentTarget.checked ? rows.map((row) => String(rowKey(row))) : []))
            }
          />
        </div>
      ) : null}
      {columns.map((column) => {
        const header = headers.find((each) => each.id === column.id)
        return (
          <div
            key={column.id}
            className={classes.headerCell}
            data-align={column.align}
            role="columnheader"
            aria-sort={sort?.id === column.id ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined}
          >
            {column.sortable && onSort ? (
              <SortButton column={column} sort={sort} onSort={onSort} />
            ) : (
              <span className={classes.headerText} title={labelOf(column)}>
                {column.header}
              </span>
            )}
            {header ? (
              <span
                role="presentation"
                className={classes.handle}
                data-active={header.column.getIsResizing() || undefined}
                title={t('table.resize', { name: labelOf(column) })}
                onMouseDown={header.getResizeHandler()}
                onTouchStart={header.getResizeHandler()}
                onDoubleClick={() => onReset(column.id)}
              />
            ) : null}
          </div>
        )
      })}
    </div>
  )
}
