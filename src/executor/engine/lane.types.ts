import type { Message } from '../../language/message.ts'
import type { ValueChange } from '../../contract/value-change.ts'
import type { BoundConnector, SourceState } from '../../contract/executor-protocol.ts'
import type { LogLevel } from '../../contract/runs.ts'
import type { RejectForm } from '../../contract/run-rejects.ts'
import type { ColumnDrift } from '../../contract/schema-drift.ts'
import type { CursorSpec, TaskSource } from '../../language/task/sources/source.types.ts'
import type { TaskStep } from '../../language/task/steps/step.types.ts'
import type { TaskTarget } from '../../language/task/targets/target.types.ts'
import type { DuckDbFile } from './attached-files.ts'
import type { ChangeTest } from './change-test.ts'
import type { DuckSession } from './duckdb.ts'
import type { SourceCheck } from './source-checks.ts'
import type { RowStream } from './stream.ts'

export interface RejectedRow {
  reason: Message
  row: Record<string, unknown>
  /** How the row can be read once more; absent: it is shown in a form from which it can't. */
  form?: RejectForm
}

/** What a source, a step or a target may use of the run around it. Stage 0 is the source, the last one the target. */
export interface StageContext {
  readonly stage: number
  /** The same in every attempt of a run, and in no other run: for keys by which another system can tell a repetition. */
  readonly runKey: string
  readonly session: DuckSession
  readonly signal: AbortSignal
  readonly tempDir: string
  /** One thread reads a CSV file from its beginning to its end; otherwise several do, and a failure may be `misread`. */
  readonly inOrder: boolean
  /** The connector bound to a slot; a failure says which slot lacks one. */
  connector(slot: string): BoundConnector
  log(level: LogLevel, message: string): void
  /** A warning that leaves the run a success: in its log, or in the stage of a preview. */
  note(message: Message): void
  /** Says how many rows went to the rejects, where nothing else shows them. */
  logRejects(message: string): void
  /** Sends rows to the run's rejects: a query of `reason` (messages as JSON) and the row's columns. Their number. */
  reject(query: string): Promise<number>
  /** The same for what is no row of a query. */
  rejectEntries(entries: readonly RejectedRow[]): Promise<void>
  /** Whether rejects are still kept, not only counted. */
  keepsRejects(): boolean
  /** Runs the stream into a table of the session, at most once a row, and settles its counts. */
  materialise(stream: RowStream): Promise<RowStream & { table: string }>
  /** Runs the stream's final query by `work`, which says how many rows it gave; settles the counts, or finds the stage that failed. */
  consume<T>(stream: RowStream, work: () => Promise<{ rows: number; value: T }>): Promise<T>
  /** Registers what must hold of the source's files once they were read to the end. Awaited after the last row, before the commit. */
  beforeCommit(check: SourceCheck): void
  /** One of the task's `inputs`, put down as a table of the session (once, when first asked for). */
  input(name: string): Promise<RowStream & { table: string }>
  /** Names of the task's `inputs`. */
  readonly inputs: readonly string[]
  /** Sources that read a whole table read the rows from here on only, by themselves; null: all. The value is bound. */
  readonly cursor: CursorFilter | null
  /** The column whose greatest value is kept, of a task with `state.cursor`, for its own source. */
  readonly tracked: Pick<CursorSpec, 'field' | 'type'> | null
  /** What an earlier run has taken; null: nothing, or `full_refresh`. */
  readonly state: SourceState | null
  /** To be kept once the target has committed. */
  saveState(state: SourceState): void
  /** Rows that have reached this stage so far. */
  reached(rows: number): void
  /** What a target finds to differ between the rows and its table. */
  drift(found: readonly ColumnDrift[]): void
  /** A target asks before it writes the first row where rows that are written stay; throws when the run is to stop. */
  mayWrite(): Promise<void>
  /** A target asks before it commits, with all rows written. Throws where rows are missing: then it commits nothing. */
  readyToCommit(counts: CommitCounts): Promise<void>
  /** Reports values that this stage changes: in the log, the steps of the run, and the preview. `lost` makes the run `completed`. */
  changed(changes: readonly ValueChange[], lost?: 'lost'): void
  /** Whether anyone hears of them: what has to be counted for it needn't be otherwise. */
  readonly tellsChanges: boolean
  /** Logs a warning that makes the run `completed` rather than `success`. A target, which no preview reaches, gives its words. */
  warn(message: string | Message): void
}

export interface CommitCounts {
  /** Rows of the stream that were handed to the target. */
  sent: number
  /** Rows that the target itself says it holds of them; null: it does not say. */
  taken: number | null
}

/** `field >= value` */
export interface CursorFilter {
  field: string
  type: CursorSpec['type']
  /** Text where a number could not hold it; moments as ISO 8601 in UTC. */
  value: string | number
}

export interface OpenOptions {
  /** Previews want no more rows than this. */
  limit: number | null
}

export interface SourceRunner<K extends TaskSource['kind']> {
  readonly kind: K
  /** Folders that the session must reach, resolved. */
  directories(source: Extract<TaskSource, { kind: K }>, connector: (slot: string) => BoundConnector): Promise<string[]>
  /** DuckDB files that the session must be able to attach. */
  files?(
    source: Extract<TaskSource, { kind: K }>,
    connector: (slot: string) => BoundConnector,
  ): Promise<readonly DuckDbFile[]>
  open(source: Extract<TaskSource, { kind: K }>, context: StageContext, options: OpenOptions): Promise<RowStream>
}

export interface StepRunner<K extends TaskStep['kind']> {
  readonly kind: K
  apply(step: Extract<TaskStep, { kind: K }>, stream: RowStream, context: StageContext): Promise<RowStream>
}

export interface TargetResult {
  /** Rows that the target has taken. */
  rows: number
  /** Rows that changed something there. */
  changed: number
  /** Those of them that were new; of an upsert only. */
  inserted?: number
  bytes: number | null
  /** For the log: `upserted 1,461 rows: 12 inserted, 3 updated, 1,446 unchanged`. */
  summary: string
}

export interface TargetRunner<K extends TaskTarget['kind']> {
  readonly kind: K
  directories(target: Extract<TaskTarget, { kind: K }>, connector: (slot: string) => BoundConnector): Promise<string[]>
  files?(
    target: Extract<TaskTarget, { kind: K }>,
    connector: (slot: string) => BoundConnector,
  ): Promise<readonly DuckDbFile[]>
  /** Looks at the rows before anything is written, and rejects what the target can never take. */
  prepare?(target: Extract<TaskTarget, { kind: K }>, stream: RowStream, context: StageContext): Promise<RowStream>
  /** Tests for values that will arrive differently, for the preview: reads only. */
  changes?(
    target: Extract<TaskTarget, { kind: K }>,
    stream: RowStream,
    context: StageContext,
  ): Promise<readonly ChangeTest[]>
  /** Writes all or nothing. */
  write(target: Extract<TaskTarget, { kind: K }>, stream: RowStream, context: StageContext): Promise<TargetResult>
}
