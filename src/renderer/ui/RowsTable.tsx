import { type ReactNode, useMemo } from 'react'
import type { Column } from '../../contract/common.ts'
import { DataTable } from './DataTable.tsx'
import classes from './RowsTable.module.css'
import type { TableColumn } from './table.types.ts'
import { Value } from './Value.tsx'
import { describeValue, isNumericType } from './value.ts'
import { numberText } from './format.ts'

interface IndexedRow {
  index: number
  values: readonly unknown[]
}

/** What is to be known of a column beside its name and type. */
export interface ColumnMark {
  tone: 'added' | 'changed'
  title: string
}

export interface RowsTableProps {
  columns: readonly Column[]
  /** Values in column order. */
  rows: readonly (readonly unknown[])[]
  label: string
  empty?: ReactNode
  /** Marks a column's header: added, changed. */
  columnMark?: (column: Column) => ColumnMark | undefined
  height?: number
}

/** Pixels of a character of the 12 px fixed-width type, of one in a type's name, and of the padding of a cell. */
const characterWidth = { value: 7.25, type: 6 } as const
const padding = 17
/** What the first column has more of it, at the edge of the table. */
const edge = 8
const measuredRows = 40

const lengthOf = (value: unknown) => {
  const shown = describeValue(value)
  return 'text' in shown ? shown.text.length : 7
}

/** Pixels of a name in bold, of wide, narrow, and other letters. */
const nameWidth = (name: string): number =>
  name.length * 7.4 + (name.match(/[mw@%]/gi)?.length ?? 0) * 4 - (name.match(/[ijlftr.,]/g)?.length ?? 0) * 2.8

/** Wide enough for the header and for what the first rows hold, within reason. */
function widthOf(column: Column, position: number, rows: RowsTableProps['rows'], isMarked: boolean): number {
  const header = Math.max(nameWidth(column.name) + (isMarked ? 11 : 0), column.type.length * characterWidth.type)
  const longest = rows.slice(0, measuredRows).reduce((most, row) => Math.max(most, lengthOf(row[position])), 0)
  return Math.round(Math.min(360, Math.max(56, padding + Math.max(header, longest * characterWidth.value))))
}

function useRowColumns(
  columns: readonly Column[],
  rows: RowsTableProps['rows'],
  columnMark: RowsTableProps['columnMark'],
): TableColumn<IndexedRow>[] {
  return useMemo(() => {
    const number: TableColumn<IndexedRow> = {
      id: '#',
      header: '',
      label: '#',
      width: Math.round(edge + padding + numberText(Math.max(rows.length, 10)).length * characterWidth.value),
      align: 'right',
      cell: (row) => <span className={classes.index}>{numberText(row.index + 1)}</span>,
    }
    const data = columns.map((column, position): TableColumn<IndexedRow> => {
      const mark = columnMark?.(column)
      const align = isNumericType(column.type) ? 'right' : 'left'
      return {
        id: `${position}:${column.name}`,
        label: column.name,
        header: (
          <span className={classes.header} data-align={align} data-tone={mark?.tone} title={mark?.title}>
            <span className={classes.name}>
              {mark ? <b className={classes.mark}>{mark.tone === 'added' ? '+' : '~'}</b> : null}
              {column.name}
            </span>{' '}
            <span className={classes.type}>{column.type.toLowerCase()}</span>
          </span>
        ),
        width: widthOf(column, position, rows, mark !== undefined),
        align,
        mono: true,
        cell: (row) => <Value value={row.values[position]} />,
      }
    })
    return [number, ...data]
  }, [columns, rows, columnMark])
}

/** Rows of data as they are: name and type over each column, one below the other so that columns are as narrow as their values, numbers right, every kind of nothing told apart. */
export function RowsTable({ columns, rows, label, empty, columnMark, height }: RowsTableProps) {
  const indexed = useMemo(() => rows.map((values, index): IndexedRow => ({ index, values })), [rows])
  const tableColumns = useRowColumns(columns, rows, columnMark)
  return (
    <DataTable rows={indexed} columns={tableColumns} rowKey={rowIndex} label={label} empty={empty} height={height} />
  )
}

const rowIndex = (row: IndexedRow) => row.index
