import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { QueryField, WireValue } from '../../contract/query-values.ts'
import type { EngineError } from '../engine/errors.ts'
import type { Binds } from '../../language/task/task.types.ts'

/** What somebody asks a system, in its own language. */
export interface ResultRequest {
  connector: BoundConnector
  query: string
  /** Values for `:name`. */
  parameters: Binds
  /** The system may take so long without giving a row. */
  timeoutMs: number
}

/** Takes the rows of a result as they come. */
export interface RowSink {
  /** Before the first row. `statement`: what was sent. */
  start(fields: QueryField[], statement: string): void
  /** Values in the form of their field's type. A promise: no row may be given before it is fulfilled. Throws when the work is to stop. */
  row(values: readonly WireValue[]): Promise<void> | null
  /** After `start`, where the result is made of texts. A row is given by one or the other. */
  texts?(): TextSink | null
}

/**
 * A row by the text of its values, for results that are made of texts. What the values are in the form of their type gives the same text: this way
 * spares making strings of them.
 */
export interface TextSink {
  /** The next value, in UTF-8; not NULL. */
  text(bytes: Buffer, from: number, to: number): void
  /** The same of a number, a moment, and the like: such a text is given as it is, whatever the form of the result. */
  plain(bytes: Buffer, from: number, to: number): void
  /** The next value, where it has no text yet. */
  value(value: WireValue): void
  /** As `row`. */
  end(): Promise<void> | null
}

/**
 * Runs one query that only reads, in a session of its own, and gives every row to the sink. Returns after the last row; throws where
 * rows are missing. One file a system, listed in `results.ts`.
 */
export type StreamResult = (
  request: ResultRequest,
  sink: RowSink,
  io: { signal: AbortSignal; tempDir: string },
) => Promise<void>

/** The offset in the query of what its system refused, where the system tells; null: it doesn’t. */
export type MistakeAt = (error: EngineError, query: string) => number | null | Promise<number | null>
