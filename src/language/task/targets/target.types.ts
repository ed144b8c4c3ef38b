/** The targets of a pipeline, normalised: what `task.types.ts` says of the document holds here. */
import type { FileFormat } from '../task.types.ts'

export interface SchemaPolicy {
  /** A column that the table lacks: add it, stop, or leave it out. */
  columns: 'evolve' | 'freeze' | 'discard'
  /** A value type that the table's column cannot hold: stop, widen the column, or, with `replace`, give it the type of the rows. */
  types: 'freeze' | 'widen' | 'recreate'
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
