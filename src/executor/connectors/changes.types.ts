import type { ChangesReport, PlannedChanges } from '../../contract/changes.ts'
import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { QueryField, WireValue } from '../../contract/query-values.ts'
import type { SqlDialect } from '../../language/sql-binds.ts'
import type { Json } from '../../language/task/task.types.ts'

export interface ChangesRequest {
  connector: BoundConnector
  changes: PlannedChanges
  /** Digest of what was reviewed and is to be written now; null: this is the review, which writes nothing. */
  reviewed: string | null
}

export interface ChangesIo {
  signal: AbortSignal
  tempDir: string
}

/** Reviews or writes changes of one system. Throws where certainly nothing was written. */
export type RunChanges = (request: ChangesRequest, io: ChangesIo) => Promise<ChangesReport>

/** What a driver binds: in order, or by name (SQLite’s `:name`). */
export type Bound = readonly unknown[] | Readonly<Record<string, unknown>>

/** One connection with one transaction. What is not committed is gone when it is closed. */
export interface ChangeSession {
  readonly dialect: SqlDialect
  /** A quoted identifier. */
  name(identifier: string): string
  /** The quoted table. Throws where changes of it could not be taken back. */
  table(resource: string): Promise<string>
  /** Throws where changes of a table that a statement names, as written there, could not be taken back. */
  refuseTarget?(written: string): Promise<void>
  /** Throws where a statement that a person wrote reads files of the system, or does what no transaction takes back. */
  refuseActs?(sql: string): Promise<void>
  /** How the value of a column is bound as the n-th of a statement, counted from 1. */
  bind(value: WireValue, field: QueryField, at: number): { sql: string; value: unknown }
  /** The value of a `:name`. */
  bindJson(value: Json): unknown
  /** Follows a SELECT whose rows nobody else may change until the end of the transaction. */
  readonly lock: string
  /** The rest of an INSERT without values. */
  readonly emptyRow: string
  begin(): Promise<void>
  read(sql: string, values: Bound): Promise<{ fields: QueryField[]; rows: WireValue[][] }>
  /** Rows that the system says were changed, without those of triggers. */
  run(sql: string, values: Bound): Promise<number>
  commit(): Promise<void>
  /** Whether the system refused to go on because of what another connection did. */
  isConflict(error: unknown): boolean
  close(): Promise<void>
}

export type OpenChanges = (connector: BoundConnector, access: 'read' | 'write', io: ChangesIo) => Promise<ChangeSession>
