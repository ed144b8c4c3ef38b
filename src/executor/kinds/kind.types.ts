import type { BoundConnector, RunPlan, SourceState } from '../../contract/executor-protocol.ts'
import type { LogLevel, RunStep } from '../../contract/runs.ts'
import type { CursorValue } from '../../language/task/cursor-value.ts'
import type { ExpressionScope } from '../../language/task/task-scope.ts'
import type { TaskDocument } from '../../language/task/kinds/task-document.types.ts'
import type { StepReport } from '../engine/step-report.ts'
import type { RunIo, RunMetrics } from '../worker-protocol.ts'

/** What a kind of task may use of the run around it. */
export interface KindContext {
  readonly plan: RunPlan
  /** For what is evaluated only now, as `success` of an HTTP call. Everything else of the task is resolved. */
  readonly scope: ExpressionScope
  /** Where the source starts reading, of pipelines with `state.cursor`. */
  readonly cursor: CursorValue | null
  readonly io: RunIo
  readonly signal: AbortSignal
  readonly tempDir: string
  /** The run's steps. A kind that is no pipeline has one, begun and finished for it. */
  readonly report: StepReport
  /** The connector bound to a slot; a failure says which slot lacks one. */
  connector(slot: string): BoundConnector
  /** With the key of a step of the report, by default the first. */
  log(level: LogLevel, message: string, stage?: number): void
  /** Logs a warning that makes the run `completed` rather than `success`. */
  warn(message: string, stage?: number): void
}

/** What came of the work. */
export interface KindResult {
  /** Rows that changed something; null where there is nothing to count. */
  item_count: number | null
  reject_count?: number
  /** Where they are not those of the report. */
  steps?: RunStep[]
  /** What outputs and `hooks.after` may refer to, besides `run`. */
  scope?: { response?: unknown; result?: unknown }
  metrics: RunMetrics
  /** To be kept for the next run. */
  state?: SourceState
}

/** How a kind of task is run. One per file, listed in the registry. Throws `EngineError`. */
export interface KindRunner<K extends TaskDocument['kind']> {
  readonly kind: K
  run(task: Extract<TaskDocument, { kind: K }>, context: KindContext): Promise<KindResult>
}
