import type { Column } from '../../contract/common.ts'
import type { ColumnDrift } from '../../contract/schema-drift.ts'
import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { SqlSource } from '../../language/task/sources/source.types.ts'
import type { TableTarget } from '../../language/task/targets/target.types.ts'
import { EngineError, verbatim } from '../engine/errors.ts'
import type { TargetResult } from '../engine/lane.types.ts'

/** A copy between tables that no value is looked at for: pushdown and bytes. */
export interface DirectCopy {
  source: SqlSource
  target: TableTarget
  from: BoundConnector
  to: BoundConnector
  signal: AbortSignal
  log(message: string): void
  drift(found: readonly ColumnDrift[]): void
  warn(message: string): void
  /** All `sent` rows are written; throws where they may not be committed. */
  readyToCommit(sent: number): Promise<void>
  /** What the task's `select`, `rename` and `drop` make of the source's columns; throws what those steps throw. */
  through(columns: readonly Column[]): DirectColumn[]
  /** The source is understood: what goes wrong from here on is the target's. */
  opened(): void
}

/** A column of the source, and its name at the target. */
export interface DirectColumn {
  from: string
  /** Position among the source's columns. */
  at: number
  to: string
}

export type RunDirect = (copy: DirectCopy) => Promise<TargetResult>

/** The lane would change what some value means, or cannot tell; nothing was written. */
export class LaneUnfit extends EngineError {
  constructor(why: string) {
    super('SCHEMA_MISMATCH', verbatim(why)) // of a log line, never of a run's error
    this.name = 'LaneUnfit'
  }
}
