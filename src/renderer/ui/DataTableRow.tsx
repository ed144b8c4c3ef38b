import { Checkbox } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type CSSProperties, memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Cut } from './Cut.tsx'
import classes from './DataTable.module.css'
import { ActiveRow } from './RowActions.tsx'
import { orDash } from './nothing.tsx'
import type { TableColumn } from './table.types.ts'

export interface DataTableRowProps<Row> {
  row: Row
  index: number
  /** Pixels from the top of the rows. */
  offset: number
  /** Told of the row where its texts make it higher than others. */
  measured: ((row: HTMLElement | null) => void) | undefined
  id: string
  columns: readonly TableColumn<Row>[]
  href: string | undefined
  opens: boolean
  active: boolean
  muted: boolean
  selected: boolean | undefined
  /** Whether it has a button that opens what can be done with it. */
  menu: boolean
  /** The same function for every row and every drawing. */
  onToggle: (row: Row, ranged: boolean) => void
}

const linesOf = (lines: number): CSSProperties & Record<'--lines', number> => ({ '--lines': lines })

function contentOf<Row>({ cell, names, header }: TableColumn<Row>, row: Row) {
  const content = cell(row)
  if (names && typeof content === 'string' && content) return <Cut text={content} />
  // A column without a heading holds buttons: that there is none is not a missing value.
  return header === '' ? content : orDash(content)
}

function PlainRow<Row>(props: DataTableRowProps<Row>) {
  const { row, index, columns, href, selected, measured } = props
  const { t } = useTranslation()
  return (
    <div
      ref={measured}
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
      data-tall={columns.some(({ wraps }) => wraps) || undefined}
      data-virtual
      data-row={index}
    >
      {selected === undefined ? null : (
        <div className={classes.check} role="gridcell">
          <Checkbox
            aria-label={t('table.selectRow')}
            tabIndex={-1}
            checked={selected}
            onChange={({ nativeEvent }) =>
              props.onToggle(row, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
          />
        </div>
      )}
      <ActiveRow value={props.active}>
        {columns.map((column, position) => (
          <div
            key={column.id}
            className={classes.cell}
            data-column={column.id}
            data-align={column.align}
            data-mono={column.mono || undefined}
            data-pinned={column.pinned}
            data-wraps={column.wraps}
            style={column.wraps === undefined ? undefined : linesOf(column.wraps)}
            data-faulty={column.isFaulty?.(row) || undefined}
            role="gridcell"
          >
            {href && position === 0 ? (
              <Link to={href} className={classes.rowLink} data-row-link tabIndex={-1} draggable={false}>
                {contentOf(column, row)}
              </Link>
            ) : (
              contentOf(column, row)
            )}
          </div>
        ))}
      </ActiveRow>
      {props.menu ? (
        <div role="gridcell" className={classes.menu}>
          <button type="button" data-menu tabIndex={-1} aria-label={t('table.rowMenu')}>
            <IconDots size={15} aria-hidden />
          </button>
        </div>
      ) : null}
    </div>
  )
}

/** Scrolling draws the rows that come in, not those that are there: a whole screen of cells costs more than a frame. */
// `memo` loses the type of the row.
export const DataTableRow = memo(PlainRow) as typeof PlainRow
