/** What the executor and its workers say to each other, and the seam between a worker and the engine that it hosts. */
import type { BodyOf } from '../contract/operation.ts'
import type { CallPlan, CallError, postCallResult } from '../contract/executor-calls.ts'
import type { ProtectedPlace } from '../contract/executor-lifecycle.ts'
import type { ErrorInfo, LogEntry, RejectEntry, RunPlan, SourceState } from '../contract/executor-protocol.ts'
import type { ChunkHead, ResultPlan } from '../contract/executor-results.ts'
import type { LogLevel, RunStep } from '../contract/runs.ts'

/** What a run may use of the process around it. */
export interface RunIo {
  /** Never blocks and never loses a line. Code that logs without end awaits `logRoom` between its lines. */
  log(level: LogLevel, message: string, step?: string | null): void
  /** Resolves at once, or when the lines so far have been taken by the control plane to within the log window. */
  logRoom(): Promise<void>
  /** The whole list each time; sent at most a few times a second. */
  progress(steps: RunStep[]): void
  /**
   * Asked for right before what cannot be taken back; what it allows may be done, and done once. `repeatable`: doing it again gives the
   * same result. `state`: what is saved if it was done and nobody heard of it. Rejects when the work is to stop. Absent: there is nobody who could hand the run to somebody else meanwhile.
   */
  permit?(repeatable: boolean, state: SourceState | null): Promise<void>
  /** What was written is committed: told at once, ahead of what waits. */
  committed?(done: Committed): void
  /** Resolves when there is room for more. The engine counts rejects itself, in the outcome. */
  reject(rejects: RejectEntry[]): Promise<void>
  /** So many rejected rows of a run are kept: further ones are counted, and not handed on. Without it all are kept. */
  keptRejects?: number
  /** Cancelled, timed out or shutting down. The process is killed 2 s later. */
  signal: AbortSignal
  /** Exists; belongs to this run alone and is emptied afterwards, also after a kill. */
  tempDir: string
}

/** What a run has done for good, whatever becomes of it afterwards. */
export interface Committed {
  item_count: number | null
  state?: SourceState
}

export interface RunMetrics {
  rows_in: number
  rows_out: number
  rejected: number
  bytes?: number
  lane: string
  [name: string]: unknown
}

export interface RunOutcome {
  status: 'success' | 'completed' | 'failed'
  item_count: number | null
  reject_count: number
  error?: ErrorInfo
  steps: RunStep[]
  outputs?: Record<string, unknown>
  /** Where the source has got to; only once the target has committed. */
  state?: SourceState
  metrics: RunMetrics
}

export interface CallIo {
  signal: AbortSignal
  tempDir: string
}
export type CallWork = CallPlan['work']
export type CallResult = NonNullable<BodyOf<typeof postCallResult>['result']>
export type { CallError }

export interface ResultIo extends CallIo {
  /** Hands on the next chunk. Resolves when there is room for another one; rejects when the work is to stop. */
  send(chunk: Omit<ChunkHead, 'seq'>, bytes: Uint8Array): Promise<void>
}

/** What a worker hosts. */
export interface Engine {
  /** Never throws for mistakes of the user: those are outcomes with status `failed`. */
  runTask(plan: RunPlan, io: RunIo): Promise<RunOutcome>
  /** Throws an error with `code`, `message` and `details` as in CallError for failures that the caller is to read. */
  runCall(work: CallWork, io: CallIo): Promise<CallResult>
  /** Rows of a query, chunk by chunk, to the last one, which says how many they are. Throws as `runCall` does. */
  openResult(plan: ResultPlan, io: ResultIo): Promise<void>
  /** Before each piece of work: what no connector may open. */
  protect?(places: readonly ProtectedPlace[]): void
  /** Called while the worker is idle, before and between runs: gets ready what the next one will need. */
  warmUp?(io: { tempDir: string }): Promise<void>
}

/** With it a worker delivers the rows of one result, and can do nothing else. */
export interface ResultPass {
  url: string
  key: string
  /** They name the executor. */
  headers: Record<string, string>
}

export type AbortReason = 'cancelled' | 'timeout' | 'shutdown'

export type ToWorker =
  /** The first message. `tempDir` exists and is this worker's own; `lease`: where its executor writes how long the lease goes. */
  | { type: 'init'; tempDir: string; lease: string; title: string }
  /**
   * `leaseMs`: when the lease isn't renewed for so long, the worker ends itself, for then the run may be another executor's. Null: it waits
   * for as long as it takes, as the machine is about to sleep.
   */
  | { type: 'run'; plan: RunPlan; leaseMs: number | null; places: ProtectedPlace[] }
  | { type: 'call'; plan: CallPlan; leaseMs: number | null; places: ProtectedPlace[] }
  | { type: 'result'; plan: ResultPlan; leaseMs: number | null; places: ProtectedPlace[]; pass: ResultPass }
  /** So many chunks of a result have been read. */
  | { type: 'chunks-read'; read: number }
  | { type: 'alive'; leaseMs: number | null }
  | { type: 'abort'; reason: AbortReason }
  /** So many bytes of log have been taken by the control plane. */
  | { type: 'logs-taken'; run_id: number; bytes: number }
  | { type: 'rejects-taken'; run_id: number }
  /** The control plane knows that the run may commit. */
  | { type: 'permitted'; run_id: number }

export type FromWorker =
  | { type: 'ready' }
  /** An exception that nobody caught; the process ends right afterwards. */
  | { type: 'crashing'; message: string }
  /** `bytes` is what `logs-taken` gives back. */
  | { type: 'logs'; lines: LogEntry[]; bytes: number }
  /** Waits for `permitted`. */
  | { type: 'committing'; repeatable: boolean; state: SourceState | null }
  | { type: 'committed'; done: Committed }
  | { type: 'progress'; steps: RunStep[] }
  | { type: 'rejects'; rejects: RejectEntry[] }
  /** The last lines come along. `rss` in bytes, after the run. */
  | { type: 'run-done'; outcome: RunOutcome; lines: LogEntry[]; rss: number }
  | { type: 'call-done'; result?: CallResult; error?: CallError; rss: number }
  /** This chunk is on its way to the control plane. */
  | { type: 'chunk-sent'; seq: number }
  /** The control plane takes no more chunks. */
  | { type: 'chunks-refused'; cause: string }
  /** A result heard that it is to stop, and sees to what the far side does for it. */
  | { type: 'result-stopping' }
  | { type: 'result-done'; rss: number }
