/**
 * The task document as everything downstream reads it: normalised, short forms expanded, defaults filled in, durations in
 * milliseconds. Field names are those of the YAML. `parseTask` makes it; `resolveTask` returns one without expressions.
 *
 * "Template" below means: before `resolveTask` the text may still hold `${{ … }}`; afterwards it never does.
 */
import type { ColumnType } from './column-types.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type Access = 'read' | 'write' | 'read_write'

/** A typed connector slot; bound to a connector when a run or job is made. */
export interface ConnectorSlot {
  /** Connector types that may be bound: one or more of `connectorTypes`. */
  types: string[]
  access: Access
  description?: string
}

export type ArgumentType =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'duration'
  | 'list'
  | 'json'

export interface ArgumentSpec {
  type: ArgumentType
  /** true: a run without it is refused. Otherwise a missing value is `default`, or null where there is no default. */
  required: boolean
  /** A literal, or a template over `run` (e.g. `${{ run.logical_date }}`). Absent where none is written. */
  default?: Json
  /** The allowed values; of a list: the allowed items. */
  enum?: Json[]
  /** Smallest value; of text its length, of a list its number of items, of a duration a duration. */
  min?: number | string
  max?: number | string
  /** Text (or each text item of a list) must match from start to end. A safe subset, see `pattern.ts`. */
  pattern?: string
  /** Type of a list's items. */
  items?: Exclude<ArgumentType, 'list'>
  description?: string
}

export type FileFormat = 'csv' | 'jsonl' | 'json' | 'parquet'
export type CsvEncoding = 'utf-8' | 'utf-16' | 'latin-1'

export interface CsvReadOptions {
  delimiter: string
  /** true: the first line (after `skip_lines`) names the columns. */
  header: boolean
  /** One character, or '' for none. */
  quote: string
  /** One character, or '' for none. */
  escape: string
  /** Texts that are read as NULL. */
  null_values: string[]
  encoding: CsvEncoding
  skip_lines: number
}

export interface FilesSource {
  kind: 'files'
  connector: string
  /** Template. Relative to the connector's root, `/` separated, never leaving it. */
  glob: string
  format: FileFormat
  /** true: columns are matched by name across files, missing ones are NULL. */
  union_by_name: boolean
  /** Types of the columns named here; the others are detected. Empty when none are written. */
  columns: Record<string, ColumnType>
  /** Set when `format` is csv, else null. */
  csv: CsvReadOptions | null
  /** Dotted path to the array of records inside a JSON document; null: the document is the array. */
  records: string | null
  /** A row that cannot be read: stop with file and line, or send it to the run's rejects. */
  on_error: 'fail' | 'quarantine'
}

export interface SqlSource {
  kind: 'sql'
  connector: string
  read: SqlQueryRead | SqlTableRead
}

export interface SqlQueryRead {
  kind: 'query'
  /** One SELECT, without a closing semicolon; `:name` binds stand in it as written (see `compileBinds`). */
  query: string
  /** A value for every `:name` of the query (templates before `resolveTask`). */
  params: Binds
}

export interface SqlTableRead {
  kind: 'table'
  /** Template. `table` or `schema.table`, see `parseTableName`. */
  table: string
  /** null: every column. */
  columns: string[] | null
}

export interface InlineSource {
  kind: 'inline'
  rows: Record<string, Json>[]
  /** Types of the columns named here; the others follow from the values. Empty when none are written. */
  columns: Record<string, ColumnType>
}

export type TaskSource = FilesSource | SqlSource | InlineSource

/** Values by bind name. Every `:name` that the SQL beside it uses is a key here, whether it was written or is an argument. */
export type Binds = Record<string, Json>

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
export interface CastStep {
  kind: 'cast'
  columns: Record<string, ColumnType>
  /** A value that does not fit: stop, become NULL, or send the row to the rejects. */
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
  /** One SELECT (DuckDB) over `stream`, without a closing semicolon. */
  query: string
  params: Binds
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

export type TaskStep = SelectStep | RenameStep | DropStep | CastStep | FilterStep | DeriveStep | SqlStep | ExpectStep

export interface SchemaPolicy {
  /** A column that the table lacks: add it, stop, or leave it out. */
  columns: 'evolve' | 'freeze' | 'discard'
  /** A value type that the table's column cannot hold: stop, or widen the column. */
  types: 'freeze' | 'widen'
}

export interface TableTarget {
  kind: 'table'
  connector: string
  /** Template. `table` or `schema.table`, see `parseTableName`. */
  table: string
  /** `replace` stages beside the table and swaps; `upsert` updates or inserts by `key`. */
  mode: 'append' | 'replace' | 'upsert'
  /** Key columns; never empty with `upsert`, else may be empty. */
  key: string[]
  batch: { rows: number }
  schema: SchemaPolicy
}

export type FileCompression = 'none' | 'gzip' | 'zstd' | 'snappy'

export interface CsvWriteOptions {
  delimiter: string
  header: boolean
  quote: string
  escape: string
  /** What is written for NULL. */
  null_value: string
}

export interface FileTarget {
  kind: 'file'
  connector: string
  /** Template. Relative to the connector's root, `/` separated, never leaving it. */
  path: string
  format: FileFormat
  /** Set when `format` is csv, else null. */
  csv: CsvWriteOptions | null
  compression: FileCompression
  /** Written beside the file, then swapped in. */
  mode: 'replace'
}

export type TaskTarget = TableTarget | FileTarget

export interface RetryPolicy {
  /** Further attempts after the first; 0 for none. */
  max: number
  /** Before the first retry. */
  delay_ms: number
  /** Each further delay is the one before times this. */
  backoff: number
}

export interface PipelineTask {
  etl: 1
  kind: 'pipeline'
  name: string
  description: string | null
  tags: string[]
  connectors: Record<string, ConnectorSlot>
  args: Record<string, ArgumentSpec>
  source: TaskSource
  steps: TaskStep[]
  target: TaskTarget
  /** The run fails once rejected / read rows is above this; 1 never fails. */
  dead_letter: { max_ratio: number }
  /** Templates; evaluated by `evaluateOutputs` after the target has committed. */
  outputs: Record<string, Json>
  retries: RetryPolicy
  /** null: no limit. */
  timeout_ms: number | null
}

/** Further kinds (sql, http, script, command) join this union, told apart by `kind`. */
export type TaskDocument = PipelineTask
