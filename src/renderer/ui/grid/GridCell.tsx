import { shortened } from '../../../language/shortened.ts'
import { IconArrowUpRight } from '@tabler/icons-react'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import type { ValueType } from '../../../contract/query-values.ts'
import { Value } from '../Value.tsx'
import { cellOf, isNumber, shownText } from './cell.rules.ts'
import classes from './DataGrid.module.css'

interface GridCellProps {
  id: string | undefined
  row: number
  column: number
  width: number
  type: ValueType
  value: unknown
  /** The row is on its way. */
  pending: boolean
  selected: boolean
  head: boolean
  /** Staged: not what was read. */
  changed: boolean
  /** What is wrong with it. */
  fault: string | undefined
  /** Of a new row: what it doesn’t have is the system’s to decide. */
  fresh: boolean
  /** A search has found it. */
  match: boolean
  /** Its value leads to another row, or does what this says. */
  linked: string | false
}

/** More than fits into the widest cell is for the viewer. */
const mostShown = 300

/** One value; what it is can be told by its look. Drawn again only when something of it changes. */
export const GridCell = memo(function GridCell(props: GridCellProps) {
  const { id, row, column, width, type, value, pending, selected, head, changed, fault, fresh, match, linked } = props
  const { t } = useTranslation()
  return (
    <div
      id={id}
      className={classes.cell}
      role="gridcell"
      aria-colindex={column + 2}
      aria-selected={selected}
      data-row={row}
      data-column={column}
      data-head={head || undefined}
      data-changed={changed || undefined}
      data-faulty={fault === undefined ? undefined : true}
      aria-invalid={fault === undefined ? undefined : true}
      title={fault}
      data-match={match || undefined}
      data-linked={linked === false ? undefined : true}
      data-align={isNumber(cellOf(value, type).type) ? 'right' : undefined}
      style={{ width }}
    >
      {pending ? (
        <span className={classes.pending} role="img" aria-label={t('grid.loading')} />
      ) : (
        <>
          {linked !== false && value !== null && value !== undefined ? (
            <button
              type="button"
              className={classes.follow}
              data-follow
              tabIndex={-1}
              aria-label={linked}
              title={linked}
            >
              <IconArrowUpRight size={12} aria-hidden />
            </button>
          ) : null}
          {fresh && value === undefined ? (
            <span className={classes.unset} title={t('grid.unsetTitle')}>
              {t('grid.unset')}
            </span>
          ) : (
            <CellText value={value} type={type} />
          )}
        </>
      )}
    </div>
  )
})

/** A value as a cell shows it. */
export function CellText({ value, type }: { value: unknown; type: ValueType }) {
  const cell = cellOf(value, type)
  if (typeof cell.text !== 'string') return <Value value={cell.text} />
  const text = shownText({ type: cell.type, text: cell.text })
  if (cell.type === 'text') return <Value value={text} />
  return (
    <span className={classes.value} data-type={cell.type}>
      {shortened(text, mostShown)}
    </span>
  )
}
