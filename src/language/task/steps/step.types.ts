/** The steps of a pipeline, normalised: what `task.types.ts` says of the document holds here. */
import type { ColumnType } from '../column-types.ts'
import type { Binds } from '../task.types.ts'

export interface SelectStep {
  kind: 'select'
  columns: string[]
}
export interface RenameStep {
  kind: 'rename'
  /** old name → new name */
  columns: Record<string, string>
}
export interface DropStep {
  kind: 'drop'
  columns: string[]
}
/** What becomes of what a type cannot hold: the nearest value that it can, or the rest is cut off. */
export type Rounding = 'round' | 'truncate'
export interface CastStep {
  kind: 'cast'
  columns: Record<string, ColumnType>
  /** Columns that may lose something; of the others nothing may be lost. */
  rounding: Record<string, Rounding>
  /** A value that does not fit, or would lose something: stop, become NULL, or send the row to the rejects. */
  on_error: 'fail' | 'null' | 'quarantine'
}
export interface FilterStep {
  kind: 'filter'
  /** Scalar SQL (DuckDB); rows where it is true are kept. */
  where: string
  params: Binds
}
export interface DeriveStep {
  kind: 'derive'
  /** column → scalar SQL (DuckDB). Each sees the columns that enter the step, not the step's other results. */
  columns: Record<string, string>
  params: Binds
}
export interface SqlStep {
  kind: 'sql'
  /** One SELECT (DuckDB) over `stream` and the task's inputs by name, without a closing semicolon. */
  query: string
  params: Binds
}
export interface MapStep {
  kind: 'map'
  /** Full JSONata over one row: an object is a row, an array many, nothing drops it. */
  expression: string
  /** For one row; a row that takes longer stops the run. */
  timeout_ms: number
  /** Types of the columns named here; the others follow from the values. */
  columns: Record<string, ColumnType>
}
/** Nested values (objects) become columns of their own: `address` with `city` gives `address_city`. */
export interface FlattenStep {
  kind: 'flatten'
  /** null: every column with objects. */
  columns: string[] | null
  separator: string
  /** How many levels of objects are taken apart. */
  depth: number
}
/** One row for each item of a list. */
export interface ExplodeStep {
  kind: 'explode'
  column: string
  /** Name of the column with the item. */
  as: string
  /** Name of a column with the item's position, from 0; null: none. */
  index: string | null
  /** true: a row without items stays, with NULL. */
  keep_empty: boolean
}
/** Columns from an input, by equal values. */
export interface LookupStep {
  kind: 'lookup'
  /** One of the task's `inputs`. */
  input: string
  /** Column of the stream → column of the input. NULL finds nothing. */
  on: Record<string, string>
  /** New column → column of the input; null: every column that `on` does not name. */
  columns: Record<string, string> | null
  /** A row that finds nothing: NULLs, out it goes, to the rejects, or stop. */
  on_missing: 'null' | 'drop' | 'quarantine' | 'fail'
  /** A row that finds several: the first of them as read, or stop. */
  on_many: 'first' | 'fail'
}
/** One row for each value of `key`. */
export interface DedupeStep {
  kind: 'dedupe'
  /** Empty: all columns. */
  key: string[]
  keep: 'first' | 'last'
  /** Which is first: by this column; null: as read. */
  order_by: string | null
}
export interface ExpectStep {
  kind: 'expect'
  expectations: Expectation[]
}
export interface Expectation {
  name: string
  rule: ExpectationRule
  /** `quarantine` sends the rows that break the rule to the rejects. */
  on_fail: 'fail' | 'warn' | 'quarantine'
}

export type ExpectationRule =
  /** Scalar SQL (DuckDB) that must be true; false and NULL break it. */
  | { kind: 'check'; check: string; params: Binds }
  | { kind: 'not_null'; columns: string[] }
  /** No two rows share these values; with `quarantine` the first row read stays. */
  | { kind: 'unique'; columns: string[] }
  /** Number of rows that reach this step. Never with `quarantine`. */
  | { kind: 'rows'; min: number | null; max: number | null }

export type TaskStep =
  | SelectStep
  | RenameStep
  | DropStep
  | CastStep
  | FilterStep
  | DeriveStep
  | SqlStep
  | ExpectStep
  | MapStep
  | FlattenStep
  | ExplodeStep
  | LookupStep
  | DedupeStep
