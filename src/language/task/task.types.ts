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

export type FileFormat = 'csv' | 'jsonl' | 'json' | 'parquet' | 'xlsx'
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

export interface XlsxReadOptions {
  /** Name of the sheet; null: the first one. */
  sheet: string | null
  /** true: the first row (after `skip_rows`) names the columns; else they are `column1`, `column2` … */
  header: boolean
  skip_rows: number
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
  /** Set when `format` is xlsx, else null. */
  xlsx: XlsxReadOptions | null
  /** true: files that an earlier run has taken, unchanged since (size and time), are left out. */
  new_only: boolean
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

/** A table read in several ranges of a column at once. */
export interface Partition {
  column: string
  parts: number
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
  /** null: one read. */
  partition: Partition | null
}

export interface InlineSource {
  kind: 'inline'
  rows: Record<string, Json>[]
  /** Types of the columns named here; the others follow from the values. Empty when none are written. */
  columns: Record<string, ColumnType>
}

/** How the pages of an HTTP API follow each other. `max_pages`: more are an error, never silently left out. */
export type Pagination =
  | { kind: 'none' }
  /** A page number in `param`, counted from `start`. An empty page ends. */
  | { kind: 'page'; param: string; start: number; size_param: string | null; size: number | null; max_pages: number }
  /** An offset in rows in `param`. An empty page ends. */
  | { kind: 'offset'; param: string; size_param: string | null; size: number | null; max_pages: number }
  /** The cursor at `from` (dotted path) of a response goes into `param` of the next request; none, or a false `has_more`, ends. */
  | { kind: 'cursor'; from: string; param: string; has_more: string | null; max_pages: number }
  /** The `Link` header with `rel="next"`. */
  | { kind: 'link'; max_pages: number }
  /** The URL at `from` (dotted path) of a response. */
  | { kind: 'next_url'; from: string; max_pages: number }

/** One request, relative to the connector's base URL. */
export interface HttpRequest {
  /** Template. */
  path: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Templates. A list repeats the parameter; null leaves it out. */
  query: Record<string, Json>
  /** Templates. Never credentials: those are the connector's. */
  headers: Record<string, string>
  /** Templates. Sent as JSON; null: no body. */
  body: Json
}

export interface HttpSource {
  kind: 'http'
  connector: string
  request: HttpRequest
  /** Dotted path to the array of records in a response; null: the response is the array, or one record. */
  records: string | null
  paginate: Pagination
  /** Types of the columns named here; the others follow from the values. Empty when none are written. */
  columns: Record<string, ColumnType>
}

export interface ODataSource {
  kind: 'odata'
  connector: string
  /** Template. Name of the entity set, or a path to one. */
  entity: string
  /** null: every property. */
  select: string[] | null
  /** OData `$filter`; `:name` binds stand in it as written and are sent as OData literals. */
  filter: string | null
  params: Binds
  /** Navigation properties; each becomes a JSON column. */
  expand: string[]
  /** `$orderby`. */
  order_by: string | null
  columns: Record<string, ColumnType>
}

export interface MongoSource {
  kind: 'mongo'
  connector: string
  /** Template. */
  collection: string
  /** Documents in MongoDB's extended JSON (templates before `resolveTask`), e.g. `{at: {$gte: {$date: …}}}`. */
  read:
    | { kind: 'find'; filter: Json; projection: Json; sort: Json; limit: number | null }
    | { kind: 'aggregate'; pipeline: Json[] }
  columns: Record<string, ColumnType>
}

export type TaskSource = FilesSource | SqlSource | InlineSource | HttpSource | ODataSource | MongoSource

/** Where an incremental source has got to: kept from run to run, saved once the target has committed. */
export interface CursorSpec {
  /** A column of the source. Its greatest value is the next cursor; rows at the cursor are read again (inclusive). */
  field: string
  type: 'integer' | 'number' | 'string' | 'date' | 'datetime'
  /** Template over `args` and `run`; where the first run starts. null: `state.cursor` is null then. */
  initial: Json
  /** How far before the cursor reading starts, for rows that are committed late: milliseconds, with numbers an amount; 0: none. */
  lag: number
}

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
  /**
   * `replace` stages, then swaps; `upsert` updates or inserts by `key`; `delete_insert` deletes every row whose key values come in, then
   * inserts. Each in one transaction.
   */
  mode: 'append' | 'replace' | 'upsert' | 'delete_insert'
  /** Key columns; never empty with `upsert` and `delete_insert`, else may be empty. */
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
  /** Set when `format` is xlsx, else null. */
  xlsx: { sheet: string } | null
  compression: FileCompression
  /** Written beside the file, then swapped in. */
  mode: 'replace'
}

/** Documents of a MongoDB collection. */
export interface CollectionTarget {
  kind: 'collection'
  connector: string
  /** Template. */
  collection: string
  mode: TableTarget['mode']
  /** Fields; never empty with `upsert` and `delete_insert`. */
  key: string[]
  batch: { rows: number }
}

/** Rows sent to an HTTP API. What was sent cannot be taken back: `Idempotency-Key` lets the far side tell a repetition. */
export interface HttpTarget {
  kind: 'http'
  connector: string
  /** Template; `{column}` stands for the row's value with `send: row`. */
  path: string
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  headers: Record<string, string>
  /** `row`: one request a row, an object; `batch`: an array of `batch.rows` rows. */
  send: 'row' | 'batch'
  /** The key under which the rows stand in the body; null: the body is the object or array itself. */
  wrap: string | null
  batch: { rows: number }
  /** A refused request (4xx): stop, or send its rows to the rejects. */
  on_error: 'fail' | 'quarantine'
}

export type TaskTarget = TableTarget | FileTarget | CollectionTarget | HttpTarget

/** Something done around the run: statements in a database, or a request. */
export type Hook =
  | { kind: 'sql'; connector: string; statements: string[]; params: Binds }
  | { kind: 'http'; connector: string; request: HttpRequest }

export interface Hooks {
  /** Before the source is opened; a failure fails the run. */
  before: Hook[]
  /** After the target has committed; a failure fails the run, the target stays written. */
  after: Hook[]
  /** After a failure (also of `before` and `after`); a failure here is logged. */
  on_error: Hook[]
}

export interface RetryPolicy {
  /** Further attempts after the first; 0 for none. */
  max: number
  /** Before the first retry. */
  delay_ms: number
  /** Each further delay is the one before times this. */
  backoff: number
}

/** What every kind of task has. */
export interface TaskBase {
  etl: 1
  name: string
  description: string | null
  tags: string[]
  connectors: Record<string, ConnectorSlot>
  args: Record<string, ArgumentSpec>
  hooks: Hooks
  /** Templates; evaluated by `evaluateOutputs` after the task has done its work. */
  outputs: Record<string, Json>
  retries: RetryPolicy
  /** null: no limit. */
  timeout_ms: number | null
}

export interface PipelineTask extends TaskBase {
  kind: 'pipeline'
  state: { cursor: CursorSpec | null }
  source: TaskSource
  /** Further sources, for `lookup` and `sql` steps. */
  inputs: Record<string, TaskSource>
  steps: TaskStep[]
  target: TaskTarget
  /** The run fails once rejected / read rows is above this; 1 never fails. */
  dead_letter: { max_ratio: number }
}

/** Statements inside one database. */
export interface SqlTask extends TaskBase {
  kind: 'sql'
  sql: {
    connector: string
    /** In order. `:name` binds stand in them as written. */
    work:
      | { kind: 'statements'; statements: string[]; transaction: boolean }
      /** A table made, or made anew, from a query, in one transaction. */
      | { kind: 'create_as'; table: string; query: string }
    params: Binds
  }
}

/** One HTTP call. Outputs may read `response.status`, `response.headers` and `response.body`. */
export interface HttpTask extends TaskBase {
  kind: 'http'
  http: {
    connector: string
    request: HttpRequest
    /** An expression over `response` that must be true (a template of one expression); null: any 2xx status. */
    success: string | null
  }
}

/** JavaScript without any I/O. `args` and `run` are its globals; what it returns is `result` for the outputs. */
export interface ScriptTask extends TaskBase {
  kind: 'script'
  script: { code: string; memory_mb: number }
}

/** A program of the executor's machine, without a shell. Outputs may read `result.exit_code` and `result.stdout` (the last 64 KB). */
export interface CommandTask extends TaskBase {
  kind: 'command'
  command: {
    /** Templates. */
    argv: string[]
    /** Templates, added to the executor's own environment variables that are safe to pass on. */
    env: Record<string, string>
    /** Exit codes that mean success. */
    success_codes: number[]
  }
}

export type TaskDocument = PipelineTask | SqlTask | HttpTask | ScriptTask | CommandTask
