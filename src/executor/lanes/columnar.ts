import type { BoundConnector, RejectedInput, SourceState } from '../../contract/executor-protocol.ts'
import type { CursorValue } from '../../language/task/cursor-value.ts'
import type { PipelineTask } from '../../language/task/kinds/task-document.types.ts'
import type { DuckDbFile } from '../engine/attached-files.ts'
import { changeWords } from '../../contract/value-change.ts'
import { readCastFailure } from '../engine/cast-faults.ts'
import { openSession, type DuckSession } from '../engine/duckdb.ts'
import type { SessionOptions } from '../engine/duckdb-instance.ts'
import { createCommitPermit, isRepeatable } from '../engine/commit-permit.ts'
import { connectorFinder } from '../engine/connector-finder.ts'
import { asEngineError } from '../engine/errors.ts'
import { createInputs, type Inputs } from '../engine/inputs.ts'
import type { CommitCounts, RejectedRow, StageContext, TargetResult } from '../engine/lane.types.ts'
import { createRejectLog, type RejectLog } from '../engine/rejects.ts'
import { requireAccounts, rowsUnaccounted } from '../engine/row-accounts.ts'
import { createSourceChecks, type SourceChecks } from '../engine/source-checks.ts'
import { rememberSource, type SourceMemory } from '../engine/source-state.ts'
import type { StepReport } from '../engine/step-report.ts'
import { blame, settle, stillUntyped, tableStream, typed, type RowStream } from '../engine/stream.ts'
import { listsTables } from '../engine/user-sql.ts'
import { openSource, sourceDirectories, sourceFiles } from '../sources/registry.ts'
import { asBefore, openRejected, rerunOf } from '../sources/rejected.ts'
import { applyStep } from '../steps/registry.ts'
import { prepareTarget, targetDirectories, targetFiles, writeTarget } from '../targets/registry.ts'
import { withTextColumns } from '../targets/text-columns.ts'
import type { RunIo } from '../worker-protocol.ts'
import { endWithTargetKept, endWithoutRecords, keepsWithoutFiles } from './no-records.ts'
import { runMessage } from '../../contract/run-messages.ts'

export interface LaneResult {
  target: TargetResult
  rows_in: number
  rejected: number
  /** To be kept for the next run; null: nothing. */
  state: SourceState | null
}

export interface LaneInput {
  task: PipelineTask
  connectors: Record<string, BoundConnector>
  io: Pick<RunIo, 'log' | 'reject' | 'progress' | 'permit' | 'signal' | 'tempDir' | 'keptRejects'>
  report: StepReport
  /** See `StageContext`. */
  runKey: string
  /** Rows that another run has rejected: read instead of the source. */
  rejected: RejectedInput | null
  /** What an earlier run has left; null: nothing, or `full_refresh`. */
  state: SourceState | null
  /** Where reading starts, with `state.cursor`. */
  cursor: CursorValue | null
  /** See `StageContext`; of targets that keep what they were sent it is always so. */
  inOrder?: boolean
  /** Something went wrong that does not fail the run. */
  warn(message: string, stage: number): void
}

/** How often a long query’s progress is looked at. */
const progressEveryMs = 500
const logEveryMs = 10_000

/**
 * The columnar lane: files, databases and SQL steps meet inside DuckDB. Steps that see one row at a time are fused into one query from
 * the source right into the target; only steps that must see all rows put them down.
 */
export async function runColumnar({
  task: written,
  rejected,
  connectors,
  io,
  report,
  runKey,
  state,
  cursor,
  inOrder = false,
  warn,
}: LaneInput): Promise<LaneResult> {
  const task = rejected ? rerunOf(written) : written
  /** The stage whose rows are read. */
  const first = rejected ? Math.max(0, rejected.stage - 1) : 0
  const bound = connectorFinder(connectors)
  const lastStage = task.steps.length + 1
  let stage = 0
  let session: DuckSession | null = null
  let sound = false
  let timer: NodeJS.Timeout | undefined
  const checks = createSourceChecks()
  const memory = rememberSource(task, state, cursor)
  const permit = createCommitPermit(io, isRepeatable(task.target), memory.result)
  let confirmed = false
  try {
    if (rejected && rejected.stage > 0) report.skip(first)
    else report.begin(0)
    const directories: string[] = []
    const attach: DuckDbFile[] = []
    for (const source of [...(rejected ? [] : [task.source]), ...Object.values(task.inputs)]) {
      directories.push(...(await sourceDirectories(source, bound)))
      attach.push(...(await sourceFiles(source, bound)))
    }
    stage = lastStage
    directories.push(...(await targetDirectories(task.target, bound)))
    attach.push(...(await targetFiles(task.target, bound)))
    stage = 0
    session = await openFor(task, { tempDir: io.tempDir, directories, attach, signal: io.signal }, io)
    const open = session
    timer = setInterval(progressReporter(open, report, io), progressEveryMs)
    const rejects = createRejectLog(open, io, report, task)
    const inputs = createInputs(task, { limit: null, reject: rejects.entries, rejectQuery: rejects.query })
    const unsure = new Set<number>()
    const readyToCommit = async ({ sent, taken }: CommitCounts): Promise<void> => {
      await checks.hold()
      if (taken !== null && taken !== sent) throw rowsUnaccounted(runMessage('target_has_fewer', { taken, sent }))
      requireAccounts({ steps: task.steps, target: task.target, stages: report.steps, unsure, sent })
      await permit.ask()
      confirmed = true
    }
    const contextOf = (at: number): StageContext =>
      stageContext({
        stage: at,
        runKey,
        session: open,
        io,
        report,
        inOrder: inOrder || task.target.kind === 'http' || task.target.kind === 'collection',
        bound,
        rejects,
        warn,
        memory,
        inputs,
        checks,
        unsure,
        mayWrite: permit.ask,
        readyToCommit,
      })

    stage = lastStage
    let stream: RowStream
    if (rejected) {
      stage = first
      stream = asBefore(await openRejected(task.source, rejected, contextOf(first)), rejected, first)
    } else {
      const texts = await withTextColumns(task, connectors[task.target.connector], contextOf(lastStage))
      stage = 0
      stream = await openSource(texts.source, contextOf(0), { limit: null })
      texts.tell(stream, contextOf(0))
    }
    if (stream.columns.length === 0) {
      const target = endWithoutRecords(task, report)
      io.log('info', target.summary, 'target')
      sound = true
      return { target, rows_in: 0, rejected: rejects.total(), state: memory.result() }
    }
    const keeps = stream.nothingNew === true && keepsWithoutFiles(task)
    stream = await memory.track(stream, contextOf(0))
    stream = stillUntyped(stream)
    report.columns(first, typed(stream).columns)
    if (stream.rows !== null) settled(report, first, stream.rows)
    for (const step of task.steps.slice(first)) {
      stage++
      report.begin(stage)
      stream = stillUntyped(await applyStep(step, stream, contextOf(stage)))
      if (rejected) stream = asBefore(stream, rejected, stage)
      report.columns(stage, typed(stream).columns)
      if (stream.rows !== null) settled(report, stage, stream.rows)
    }
    stage = lastStage
    if (keeps) {
      const rows = await contextOf(stage).materialise(typed(stream))
      if (rows.rows === 0) {
        const target = endWithTargetKept(task, report)
        io.log('info', target.summary, 'target')
        sound = true
        return { target, rows_in: 0, rejected: rejects.total(), state: memory.result() }
      }
      stream = rows
    }
    report.begin(stage)
    stream = await prepareTarget(task.target, typed(stream), contextOf(stage))
    report.columns(stage, stream.columns)
    // How much was rejected of how many is settled before anything is written: rows that are still uncounted are put down first.
    if (rejects.total() > 0 && report.steps[0]?.rows_in === null) stream = await contextOf(stage).materialise(stream)
    rejects.check(report.steps[0]?.rows_in ?? null)
    const target = await writeTarget(task.target, stream, contextOf(stage))
    if (!confirmed) throw new Error(`A target of kind ${task.target.kind} has committed without asking`)
    report.count(stage, target.rows)
    report.wrote(stage, target)
    report.finish(stage)
    io.log('info', target.summary, 'target')
    sound = true
    return {
      target,
      rows_in: rejected?.rows.length ?? report.steps[0]?.rows_in ?? target.rows,
      rejected: rejects.total(),
      state: memory.result(),
    }
  } catch (thrown) {
    const known = await checks.explain(readCastFailure(asEngineError(thrown)))
    const error = confirmed ? permit.explain(known) : known
    error.stage ??= stage
    throw error
  } finally {
    clearInterval(timer)
    checks.end()
    await session?.close(sound)
  }
}

/** Steps keep their order, and so their counts, unless a query lists tables side by side: that would be a product of all rows. */
async function openFor(task: PipelineTask, options: SessionOptions, io: LaneInput['io']): Promise<DuckSession> {
  const session = await openSession(options)
  for (const query of queriesOf(task, (options.attach ?? []).length > 0)) {
    if (!query.includes(',') || !(await listsTables(session, query))) continue
    await session.close(true)
    io.log('debug', 'The optimiser may move filters: a query lists tables side by side')
    return openSession({ ...options, moveFilters: true })
  }
  return session
}

/** Those that run inside the session. */
function queriesOf(task: PipelineTask, attaches: boolean): string[] {
  const sources = attaches ? [task.source, ...Object.values(task.inputs)] : []
  return [
    ...task.steps.flatMap((step) => (step.kind === 'sql' ? [step.query] : [])),
    ...sources.flatMap((source) => (source.kind === 'sql' && source.read.kind === 'query' ? [source.read.query] : [])),
  ]
}

function settled(report: StepReport, stage: number, rows: number): void {
  report.count(stage, rows)
  report.finish(stage)
}

interface ContextParts {
  stage: number
  runKey: string
  session: DuckSession
  io: Pick<RunIo, 'log' | 'signal' | 'tempDir'>
  report: StepReport
  inOrder: boolean
  bound: (slot: string) => BoundConnector
  rejects: RejectLog
  warn: LaneInput['warn']
  memory: SourceMemory
  inputs: Inputs
  checks: SourceChecks
  /** Stages whose counts may be those of other rows than were sent; see `Settled`. */
  unsure: Set<number>
  mayWrite: StageContext['mayWrite']
  readyToCommit: StageContext['readyToCommit']
}

function stageContext(parts: ContextParts): StageContext {
  const { stage, runKey, session, io, report, inOrder, bound, rejects, warn, memory, inputs, checks, unsure } = parts
  const key = report.steps[stage]?.key ?? null
  const consume: StageContext['consume'] = async (stream, work) => {
    try {
      const { rows, value } = await work()
      const { counts, recounted } = await settle(session, stream, rows)
      for (const [counted, found] of counts) report.count(counted, found)
      for (const stage of recounted) unsure.add(stage)
      // The source was read to its end, and nothing of it is committed yet.
      await checks.hold()
      return value
    } catch (thrown) {
      throw await blame(session, stream, asEngineError(thrown))
    }
  }
  const context: StageContext = {
    stage,
    runKey,
    session,
    signal: io.signal,
    tempDir: io.tempDir,
    inOrder,
    connector: bound,
    consume,
    state: memory.saved,
    cursor: stage === 0 ? memory.filter : null,
    tracked: stage === 0 ? memory.spec : null,
    saveState: memory.save,
    beforeCommit: checks.add,
    inputs: inputs.names,
    input: (asked) => inputs.get(asked, context),
    log: (level, message) => io.log(level, message, key),
    note: ({ message }) => io.log('warn', message, key),
    reached: (rows) => report.count(stage, rows),
    drift: (found) => report.drift(stage, found),
    logRejects: (message) => io.log('warn', message, key),
    mayWrite: parts.mayWrite,
    readyToCommit: parts.readyToCommit,
    tellsChanges: true,
    changed(changes, lost) {
      if (changes.length === 0) return
      report.changed(stage, changes)
      for (const change of changes)
        if (lost) context.warn(changeWords(change))
        else io.log('warn', changeWords(change), key)
    },
    warn(message) {
      report.warned(stage)
      warn(typeof message === 'string' ? message : message.message, stage)
    },
    reject: (query) => rejects.query(stage, query),
    keepsRejects: () => rejects.hasRoom(),
    async rejectEntries(entries: readonly RejectedRow[]) {
      await rejects.entries(stage, entries)
      // Rows that the far side refuses one by one: no more of them are sent than may be rejected.
      if (stage === report.steps.length - 1) rejects.check(report.steps[0]?.rows_in ?? null, true)
    },
    materialise: async (stream) => {
      const table = session.newName('stage')
      const rows = await consume(stream, async () => {
        const count = await session.createTable(table, stream.sql)
        return { rows: count, value: count }
      })
      report.finish(stage - 1)
      return tableStream(table, stream.columns, rows)
    },
  }
  return context
}

/** Sends the steps on, and tells the log now and then how far a long query is. */
function progressReporter(session: DuckSession, report: StepReport, io: Pick<RunIo, 'progress' | 'log'>): () => void {
  let loggedAt = performance.now()
  return () => {
    io.progress(report.steps.map((step) => ({ ...step })))
    const percentage = session.progress()
    if (percentage === null || percentage <= 0 || performance.now() - loggedAt < logEveryMs) return
    loggedAt = performance.now()
    io.log('info', `${Math.floor(percentage)} % of the query under way`)
  }
}
