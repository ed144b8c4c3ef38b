import type { Ref } from 'react'
import type { QueryField } from '../../../contract/query-values.ts'
import type { SqlStyle } from './cell.rules.ts'
import type { GridSorting } from './GridHeader.tsx'
import type { GridPlace } from './selection.rules.ts'

/** Rows of a result of any length: those in sight are asked for, others may be let go of. */
export interface GridRows {
  /** How many are known so far. */
  count: number
  /** The number that a row is known by, from 0; absent: its place. */
  numberOf?(row: number): number
  /** Values in the order of the fields; undefined: not here yet. */
  at(row: number): readonly unknown[] | undefined
  /** These are in sight. */
  want(first: number, last: number): void
  /** All of these, for the clipboard. */
  load(first: number, last: number): Promise<(readonly unknown[])[]>
}

/** Edits that are staged, and the keys that make them: F2, Delete, Ctrl+Z. */
export interface GridEdits {
  kindOf(row: number): 'insert' | 'update' | 'delete' | undefined
  isChanged(row: number, field: number): boolean
  /** What is wrong with a value; undefined: nothing that is known. */
  faultOf?(row: number, field: number): string | undefined
  /** `column` is the number of the field. */
  onEdit(place: GridPlace): void
  onDelete(rows: readonly number[]): void
  onUndo(): void
}

/** Where values lead. */
export interface GridLinks {
  /** What a value does that leads to no other row; opening its cell does the same. */
  label?: string
  /** Whether values of a field lead to another row. */
  isLinked(field: number): boolean
  /** All links of a cell, those of its own value first. */
  of(row: number, field: number): readonly { label: string; back: boolean; follow(): void }[]
}

export interface DataGridHandle {
  /** Brings a cell into sight and selects it. `field`: the first column if it is absent or hidden. `focus`: false leaves the focus. */
  show(row: number, field?: number, focus?: boolean): void
  focus(): void
  /** What the Delete key does. */
  deleteRows(): void
}

export interface DataGridProps {
  label: string
  fields: readonly QueryField[]
  rows: GridRows
  /** For copied INSERT statements: the table as its dialect writes it. */
  table: string
  dialect: SqlStyle
  /** Enter or a double click. Absent: cells don’t open. */
  onOpenCell?: ((place: GridPlace) => void) | undefined
  /** The cell where the keyboard stands has changed; `column` is the number of the field. */
  onHead?: ((place: GridPlace) => void) | undefined
  /** Absent: the rows can’t be sorted. */
  sorting?: GridSorting | undefined
  /** Absent: no value leads anywhere. */
  links?: GridLinks | undefined
  /** Shows what the values of a field are. */
  onProfile?: ((field: number) => void) | undefined
  /** Cells that a search has found. */
  isMatch?: ((row: number, field: number) => boolean) | undefined
  /** Absent: the rows can’t be edited. */
  edits?: GridEdits | undefined
  ref?: Ref<DataGridHandle>
}
