import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { Binds } from '../../language/task/task.types.ts'

/** What one statement did. */
export interface StatementResult {
  /** Rows that it changed; null where the database does not say. */
  changed: number | null
  /** The first row of what it returned, by column; null when it returns nothing. */
  first: Record<string, unknown> | null
}

/** A connection that runs the user's own statements, one after the other: for `sql` tasks and hooks. */
export interface StatementSession {
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** `:name` binds are bound, never spliced. Stopped at the far side, too, when the run is. */
  run(statement: string, params: Binds): Promise<StatementResult>
  close(): Promise<void>
}

/** Opens a database for statements. One file a database, listed in `statements.ts`. */
export type OpenStatements = (
  connector: BoundConnector,
  io: { signal: AbortSignal; tempDir: string },
) => Promise<StatementSession>
