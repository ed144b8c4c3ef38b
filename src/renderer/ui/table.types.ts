import type { ReactNode } from 'react'
import type { Loaded } from './ErrorState.tsx'

export interface TableColumn<Row> {
  id: string
  header: ReactNode
  /** The header in words, when it is not text itself. */
  label?: string
  cell: (row: Row) => ReactNode
  /** Pixels. Columns without a width share what is left. */
  width?: number
  minWidth?: number
  /**
   * Its part of what is left, where others share it: a sentence needs more than a name. 1 unless told; 0: as wide as its rows need, at most `minWidth`.
   * What its rows don’t need goes to a column that is cut.
   */
  grow?: number
  /** At least as wide as its rows need, before others get any of what is left: a status, and what stands with it. */
  uncut?: true
  align?: 'left' | 'right'
  sortable?: boolean
  /** The first click sorts by the largest. */
  largestFirst?: boolean
  /** Fixed-width type, for identifiers, paths and data. */
  mono?: boolean
  /** Shown only where someone chooses it. */
  hidden?: boolean
  /** In a table too narrow for all columns, those are left out that yield, the highest first. */
  yields?: number
  /** Stays at the right edge while the others are scrolled. */
  pinned?: true
  /** Lines that a long text may take. */
  wraps?: number
  /** What is wrong with the row. */
  isFaulty?: (row: Row) => boolean
  /** Names: a long one is cut in its middle. */
  names?: boolean
}

export interface TableSort {
  id: string
  order: 'asc' | 'desc'
}

export interface TableSelection {
  /** Row keys. */
  selected: ReadonlySet<string>
  onChange: (selected: ReadonlySet<string>) => void
}

export interface DataTableProps<Row> {
  rows: readonly Row[]
  columns: readonly TableColumn<Row>[]
  rowKey: (row: Row) => string | number
  /** What the table holds, for screen readers. */
  label: string
  /** Remembers widths under this name. */
  id?: string
  /** Enter, or a click on the row. */
  onOpen?: (row: Row) => void
  /** Where a row leads: gives it a real link (open in new tab, copy address). */
  rowHref?: (row: Row) => string
  /** The row under the cursor (arrow keys, click); for panes that show the selected row. */
  onActiveChange?: (row: Row) => void
  /** The row that is shown elsewhere, marked. */
  activeKey?: string | number | null
  selection?: TableSelection
  /** Opens what can be done with a row, at a place of the window: by its button, a right click, or Shift+F10. */
  onMenu?: (row: Row, x: number, y: number) => void
  sort?: TableSort
  onSort?: (sort: TableSort) => void
  /** The first page is on its way: skeleton rows, nothing jumps. */
  loading?: boolean
  /** The rows are those of the sort and filters before; what is asked for now is on its way. */
  refreshing?: boolean
  /** Stands in place of the rows when there are none. */
  empty?: ReactNode
  error?: Error | null
  /** What it says it couldn’t load. */
  what?: Loaded
  onRetry?: () => void
  hasMore?: boolean
  onMore?: () => void
  loadingMore?: boolean
  /** Pixels; without it the table fills its parent. */
  height?: number
  /** As high as its rows, where its pane has the room. */
  fits?: boolean
  /** Greys a row out: archived, revoked. */
  isMuted?: (row: Row) => boolean
}
