/** The sources of a task, normalised: what `task.types.ts` says of the document holds here. */
import type { ColumnType } from '../column-types.ts'
import type { Binds, FileFormat, HttpRequest, Json } from '../task.types.ts'
import type { NumberFormat, ValueFormat } from '../value-formats.ts'

export const csvEncodings = [
  'utf-8',
  'utf-16',
  'utf-16be',
  'latin-1',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'iso-8859-2',
  'iso-8859-15',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'big5',
] as const
export type CsvEncoding = (typeof csvEncodings)[number]

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
  /** Also in quotes. */
  quoted_nulls: boolean
  encoding: CsvEncoding
  skip_lines: number
  /** How all columns write numbers, days and times, but for those with a format of their own; absent: all as the language does. */
  formats?: CsvFormats
}

export interface CsvFormats {
  /** null: `1234.56`. */
  numbers: NumberFormat | null
  /** null: ISO 8601. */
  date: string | null
  datetime: string | null
}

export interface XlsxReadOptions {
  /** Name of the sheet; null: the first one. */
  sheet: string | null
  /** true: the first row (after `skip_rows`) names the columns; else they are `column1`, `column2` … */
  header: boolean
  skip_rows: number
  /** What cells of a merged range hold that are not its first one: nothing, or its value. */
  merged_cells: 'first' | 'repeat'
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
  /** Columns without a type of their own that are read as text, in lower case; set by a run for what only goes into columns of text. */
  asText?: ReadonlySet<string>
  /** How texts of the columns named here write their values; absent: no column has a format of its own. */
  formats?: Record<string, ValueFormat>
  /** Set when `format` is csv, else null. */
  csv: CsvReadOptions | null
  /** Set when `format` is xlsx, else null. */
  xlsx: XlsxReadOptions | null
  /** true: files that an earlier run has taken, unchanged since (size and time), are left out. */
  new_only: boolean
  /** What becomes of a target that is replaced when `new_only` finds no new file. */
  no_new_files: 'keep' | 'empty'
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

/** `max_pages`: more are an error, never silently left out. `allow_repeats`: a page may hold the records of an earlier one. */
interface Paged {
  max_pages: number
  allow_repeats: boolean
}

/** How the pages of an HTTP API follow each other. */
export type Pagination =
  | { kind: 'none' }
  /** A page number in `param`, counted from `start`. An empty page ends. */
  | (Paged & { kind: 'page'; param: string; start: number; size_param: string | null; size: number | null })
  /** An offset in rows in `param`. An empty page ends. */
  | (Paged & { kind: 'offset'; param: string; size_param: string | null; size: number | null })
  /** The cursor at `from` (dotted path) of a response goes into `param` of the next request; none, or a false `has_more`, ends. */
  | (Paged & { kind: 'cursor'; from: string; param: string; has_more: string | null })
  /** The `Link` header with `rel="next"`. */
  | (Paged & { kind: 'link' })
  /** The URL at `from` (dotted path) of a response. */
  | (Paged & { kind: 'next_url'; from: string })

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
