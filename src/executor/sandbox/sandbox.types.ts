/** What a worker process and the thread inside it say to each other, about code of users. */

/** Set when the thread is started. */
export type SandboxWork = MapWork | ScriptWork

/** A row that is being worked on: its number in its batch, and since when. The thread writes, the process reads. */
export interface RowClock {
  /** Of one BigInt64: nanoseconds of the monotonic clock; 0: none. */
  since: SharedArrayBuffer
  /** Of one Int32. */
  row: SharedArrayBuffer
}

export interface MapWork {
  kind: 'map'
  expression: string
  columns: string[]
  /** Indexes of columns that come as JSON text. */
  json: number[]
  clock: RowClock
}

export type ToMap =
  /** Rows, column by column. */
  | { type: 'batch'; columns: unknown[][]; rows: number }
  /** The records have been put down: there is room for more. */
  | { type: 'taken' }

/** What JSON has. */
export type MappedRecord = Record<string, null | boolean | number | string | object>

export type FromMap =
  /** `rows`: of each record, the row of the batch that it was made of. */
  | { type: 'records'; records: MappedRecord[]; rows: number[] }
  /** A batch is worked off: its rows, and the records made of them. */
  | { type: 'done'; rows: number; records: number }
  | { type: 'failed'; row: number; message: string; position: number | null; token: string | null }

export interface ScriptWork {
  kind: 'script'
  code: string
  /** JSON. */
  args: string
  run: string
  memoryBytes: number
  timeoutMs: number
  longestResult: number
  /** One Int32: lines said and not yet logged. */
  lines: SharedArrayBuffer
}

export type FromScript =
  | { type: 'line'; level: 'debug' | 'info' | 'warn' | 'error'; message: string }
  /** JSON. */
  | { type: 'result'; result: string }
  | { type: 'failed'; reason: ScriptFailure; message: string; line: number | null; column: number | null }

export type ScriptFailure = 'thrown' | 'syntax' | 'memory' | 'time' | 'result'
