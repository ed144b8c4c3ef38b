import type { TablerIcon } from '@tabler/icons-react'
import type { ComponentType, ReactNode } from 'react'
import type { Undo } from './perform.rules.ts'

export interface FilterOption {
  value: string
  label: string
  /** A status with its icon. */
  look?: ReactNode
}

export interface ChoiceFilter {
  /** The name in the address. */
  id: string
  label: string
  options: readonly FilterOption[]
  /** Only one of them can hold. */
  single?: true
}

/** Done to a record; what it resolves to takes it back. */
export type Deed<Row> = (row: Row) => Promise<Undo | void>

/** What a dialog of an action gets. */
export interface ActionForm<Row> {
  rows: readonly Row[]
  /** All rows that the list has loaded. */
  listed: readonly Row[]
  perform: (deed: Deed<Row>) => void
  onClose: () => void
}

/** What can be done with one record or several: by menu, bar and key alike. Exactly one of `go`, `form`, and `perform`. */
export interface ListAction<Row> {
  /** Unique in the list; `list.` goes before it in the registry. */
  id: string
  label: string
  icon: TablerIcon
  shortcut?: string
  danger?: boolean
  /** What it can be done with; others are left as they are. Default: all. */
  when?: (row: Row) => boolean
  /** Only with so many records. */
  only?: number
  /** At most with so many. */
  most?: number
  /** Leads somewhere, or opens what the page has. */
  go?: (rows: readonly Row[]) => void
  /** A dialog that says what is done to each. */
  form?: ComponentType<ActionForm<Row>>
  perform?: Deed<Row>
  /** Asked before it is done; null: not asked. */
  question?: (rows: readonly Row[]) => { title: string; text: string } | null
  /** `3 tasks archived` */
  done?: (count: number) => string
}
