import { Checkbox } from '@mantine/core'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import classes from './DataTable.module.css'
import { ActiveRow } from './RowActions.tsx'
import type { TableColumn } from './table.types.ts'

export interface DataTableRowProps<Row> {
  row: Row
  index: number
  /** Pixels from the top of the rows. */
  offset: number
  id: string
  columns: readonly TableColumn<Row>[]
  href: string | undefined
  opens: boolean
  active: boolean
  muted: boolean
  selected: boolean | undefined
  /** The same function for every row and every drawing. */
  onToggle: (row: Row) => void
}

function PlainRow<Row>(props: DataTableRowProps<Row>) {
  const { row, index, columns, href, selected } = props
  const { t } = useTranslation()
  return (
    <div
      id={props.id}
      className={classes.row}
      style={{ transform: `translateY(${props.offset}px)` }}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected ?? props.active}
      data-active={props.active || undefined}
      data-selected={selected || undefined}
      data-opens={props.opens || undefined}
      data-muted={props.muted || undefined}
      data-virtual
      data-row={index}
    >
      {selected === undefined ? null : (
        <div className={classes.check} role="gridcell">
          <Checkbox
            aria-label={t('table.selectRow')}
            tabIndex={-1}
            checked={selected}
            onChange={() => props.onToggle(row)}
          />
        </div>
      )}
      <ActiveRow value={props.active}>
        {columns.map((column, position) => (
          <div
            key={column.id}
            className={classes.cell}
            data-align={column.align}
            data-mono={column.mono || undefined}
            role="gridcell"
          >
            {href && position === 0 ? (
              <Link to={href} className={classes.rowLink} data-row-link tabIndex={-1} draggable={false}>
                {column.cell(row)}
              </Link>
            ) : (
              column.cell(row)
            )}
          </div>
        ))}
      </ActiveRow>
    </div>
  )
}

/** Scrolling draws the rows that come in, not those that are there: a whole screen of cells costs more than a frame. */
// `memo` loses the type of the row.
export const DataTableRow = memo(PlainRow) as typeof PlainRow
