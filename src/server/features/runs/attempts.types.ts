import type { SourceState } from '../../../contract/executor-protocol.ts'
import type { RunRow } from './runs.table.ts'

export interface AttemptKey {
  run_id: number
  attempt: number
}

/** Who is told what, after the commit. */
export interface AttemptListeners {
  /** There is work, or there will be once the time given has come. */
  ready(at: string): void
  /** The attempt is over, whatever the reason. */
  ended(key: AttemptKey): void
  /** Somebody wants a running run to stop. */
  cancelRequested(key: AttemptKey): void
  /** An executor has spoken for the attempt. */
  heard(key: AttemptKey): void
}

/** Who goes on with a run's doings in the very transaction: what follows from them is on disk together with them. */
export interface RunFollower {
  /** An executor has it. */
  started(run: RunRow): void
  /** It is over: nothing more will become of it. */
  ended(run: RunRow): void
}

export interface HeldAttempt extends AttemptKey {
  executor_id: number
  timeout_ms: number | null
  cancel_requested: boolean
}

/** What a report of an executor says about the end of its attempt. */
export interface ReportedEnd {
  started_at: string
  completed_at: string
  duration_ms: number
  item_count: number | null
  reject_count: number
  outputs?: Record<string, unknown>
  metrics?: Record<string, unknown>
  /** Where the source has got to: the target has committed. */
  state?: SourceState
}
