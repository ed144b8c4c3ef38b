import type { BoundConnector } from '../../contract/executor-protocol.ts'
import { labelOf } from '../../contract/planned-steps.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { ValueChange } from '../../contract/value-change.ts'
import type { TaskPreview } from '../../contract/task-preview.ts'
import type { CursorValue } from '../../language/task/cursor-value.ts'
import type { Stage } from '../../language/task/stage.types.ts'
import { stagesOf } from '../../language/task/stages.ts'
import type { PipelineTask, TaskDocument } from '../../language/task/kinds/task-document.types.ts'
import type { TaskSource } from '../../language/task/sources/source.types.ts'
import { connectorFinder } from './connector-finder.ts'
import { openSource, sourceDirectories, sourceFiles } from '../sources/registry.ts'
import { applyStep } from '../steps/registry.ts'
import { lookAtTarget, lookFiles } from '../targets/look.ts'
import { withTextColumns } from '../targets/text-columns.ts'
import { targetChanges } from '../targets/registry.ts'
import type { CallIo } from '../worker-protocol.ts'
import type { DuckDbFile } from './attached-files.ts'
import { findChanges } from './changes.ts'
import { readCastFailure } from './cast-faults.ts'
import { plainColumn } from './column-origin.ts'
import { openSession, type DuckSession } from './duckdb.ts'
import { detachedContext } from './detached-context.ts'
import { plainMessage, reasonParams } from '../../language/message.ts'
import { asEngineError, verbatim } from './errors.ts'
import { rejectReason } from './rejects.ts'
import { messageIn } from './sql-reasons.ts'
import { createInputs, type Inputs } from './inputs.ts'
import type { StageContext } from './lane.types.ts'
import type { SourceCheck } from './source-checks.ts'
import { rememberSource, type SourceMemory } from './source-state.ts'
import { name } from './sql-text.ts'
import { blame, stillUntyped, typed, type RowStream } from './stream.ts'

type PreviewStage = TaskPreview['stages'][number]

/** Rejects shown of one stage. */
const shownRejects = 20

/** Warnings shown of one stage. */
const shownNotes = 20

/** Rows read of each of the task's inputs. */
const inputRows = 10_000

export interface PreviewInput {
  task: TaskDocument
  /** Where the first run would start reading, with `state.cursor`. */
  cursor: CursorValue | null
  connectors: Record<string, BoundConnector>
  /** The last step wanted, counted from 1; 0 is the source alone, null all of them. */
  step: number | null
  limit: number
  io: CallIo
}

/** What a task would do, without doing it. Reads only. */
export function previewTask(input: PreviewInput): Promise<TaskPreview> {
  const { task } = input
  return task.kind === 'pipeline' ? previewPipeline({ ...input, task }) : previewOther({ ...input, task })
}

/**
 * A sample of the source, and what each step makes of it, put down stage by stage. The target is only looked at. What goes wrong in a
 * stage stands in that stage, and the later ones are left out.
 */
async function previewPipeline(input: PreviewInput & { task: PipelineTask }): Promise<TaskPreview> {
  const { task, connectors, step, limit, io, cursor } = input
  const began = performance.now()
  const stages: PreviewStage[] = []
  const explains: Explain[] = []
  const bound = connectorFinder(connectors)
  // A preview does without it.
  const targetConnector = connectors[task.target.connector]
  const memory = rememberSource(task, null, cursor)
  let session: DuckSession | null = null
  let sampled = 0
  const wanted = task.steps.slice(0, step ?? undefined)
  const planned = stagesOf(task).slice(0, wanted.length + 1)
  let rejecting: StageContext | null = null
  const inputs = createInputs(task, {
    limit: inputRows,
    reject: async (_key, entries) => rejecting?.rejectEntries(entries),
    rejectQuery: async (_key, query) => (rejecting ? rejecting.reject(query) : 0),
  })
  try {
    let stream: RowStream | null = null
    for (const [index, plannedStage] of planned.entries()) {
      const current = wanted[index - 1]
      const stage = emptyStage(index, plannedStage)
      stages.push(stage)
      const next = await filled(stage, async () => {
        session ??= await openSession({
          tempDir: io.tempDir,
          ...(await reachOf(task, bound, targetConnector)),
          // Each stage is put down before the next: no filter moves from one into another.
          moveFilters: true,
          signal: io.signal,
        })
        const context = previewContext({ index, session, io, bound, stage, memory, inputs, explains })
        rejecting = context
        const given: RowStream =
          current && stream
            ? await applyStep(current, stream, context)
            : await memory.track(
                await openSource(await sourceOf(task, targetConnector, context), context, { limit }),
                context,
              )
        return show(given, context, stage, limit, explains)
      })
      if (next === null) break
      stream = next
      if (index === 0) sampled = stage.row_count
    }
    const ended =
      stream !== null && step === null && stages.every((stage) => stage.error === undefined) && rejecting !== null
    const reached = rejecting as StageContext | null // assigned in a callback
    const changed = ended && stream && reached ? await changesAtTarget(task, stream, reached) : []
    const looked =
      ended && stream && reached ? await lookAtTarget(task.target, targetConnector, typed(stream), reached) : null
    const changes = [...changed, ...(looked?.changes ?? [])]
    return {
      stages,
      sampled_rows: sampled,
      ...(changes.length === 0 ? {} : { target_changes: changes }),
      duration_ms: round(performance.now() - began),
      ...(looked?.target && { target: looked.target }),
    }
  } finally {
    await (session as DuckSession | null)?.close(stages.every((stage) => stage.error === undefined)) // assigned in a callback
  }
}

/** As the run will read it, where the target can be looked at. */
async function sourceOf(
  task: PipelineTask,
  target: BoundConnector | undefined,
  context: StageContext,
): Promise<TaskSource> {
  try {
    return (await withTextColumns(task, target, context)).source
  } catch (thrown) {
    if (asEngineError(thrown).code === 'CANCELLED') throw thrown
    // What is wrong with the target is told by the look at it.
    return task.source
  }
}

/** Of the rows of the sample. */
async function changesAtTarget(task: PipelineTask, stream: RowStream, context: StageContext): Promise<ValueChange[]> {
  const rows = typed(stream)
  try {
    return await findChanges(await targetChanges(task.target, rows, context), rows, context)
  } catch (thrown) {
    const error = asEngineError(thrown)
    if (error.code === 'CANCELLED') throw error
    // What is wrong with the target, the run says.
    return []
  }
}

async function reachOf(
  task: PipelineTask,
  bound: (slot: string) => BoundConnector,
  target: BoundConnector | undefined,
): Promise<{ directories: string[]; attach: DuckDbFile[] }> {
  const directories: string[] = []
  const attach: DuckDbFile[] = []
  for (const source of [task.source, ...Object.values(task.inputs)]) {
    directories.push(...(await sourceDirectories(source, bound)))
    attach.push(...(await sourceFiles(source, bound)))
  }
  attach.push(...(await lookFiles(task.target, target)))
  return { directories, attach }
}

/** What other kinds do cannot be done on trial; only a table made from a query shows what would be in it. */
async function previewOther(
  input: PreviewInput & { task: Exclude<TaskDocument, { kind: 'pipeline' }> },
): Promise<TaskPreview> {
  const { task, connectors, limit, io } = input
  const began = performance.now()
  const [only] = stagesOf(task)
  if (!only) throw new Error('A task has a stage')
  const stage = emptyStage(0, only)
  if (task.kind === 'sql' && task.sql.work.kind === 'create_as') {
    const { connector, work, params } = task.sql
    const source: TaskSource = { kind: 'sql', connector, read: { kind: 'query', query: work.query, params } }
    const bound = connectorFinder(connectors)
    let session: DuckSession | null = null
    try {
      await filled(stage, async () => {
        const attach = await sourceFiles(source, bound)
        session = await openSession({
          tempDir: io.tempDir,
          directories: [],
          attach,
          signal: io.signal,
          moveFilters: true,
        })
        const context = detachedContext(session, bound, io)
        return show(await openSource(source, context, { limit }), context, stage, limit)
      })
    } finally {
      await (session as DuckSession | null)?.close(stage.error === undefined) // assigned in a callback
    }
  } else {
    const [reason, fix] = [runMessage('kind_not_previewed', { kind: task.kind }), runMessage('kind_not_previewed_fix')]
    stage.error = {
      code: 'NOT_PREVIEWED',
      params: reasonParams(reason, fix),
      message: reason.message,
      hint: fix.message,
    }
  }
  return { stages: [stage], sampled_rows: stage.row_count, duration_ms: round(performance.now() - began) }
}

/** Does a stage's work; a failure is written into the stage, and gives null. */
async function filled<T>(stage: PreviewStage, work: () => Promise<T>): Promise<T | null> {
  const began = performance.now()
  try {
    return await work()
  } catch (thrown) {
    const error = readCastFailure(asEngineError(thrown))
    if (error.code === 'CANCELLED') throw error
    stage.error = {
      code: error.code,
      params: reasonParams(error.reason, error.fix),
      message: error.message,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    }
    return null
  } finally {
    stage.duration_ms = round(performance.now() - began)
  }
}

/** Puts the stage's rows down for the next one, and shows the first of them. */
async function show(
  stream: RowStream,
  context: StageContext,
  stage: PreviewStage,
  limit: number,
  explains: readonly Explain[] = [],
): Promise<RowStream> {
  const staged = await context.materialise(stream).catch(async (thrown: unknown) => {
    let error = readCastFailure(await blame(context.session, stream, asEngineError(thrown)))
    for (const explain of explains) if (error.vague || error.csvRow) error = await explain(error)
    throw error
  })
  stage.columns = typed(stream).columns.map(plainColumn)
  stage.row_count = staged.rows ?? 0
  stage.rows = await context.session.shownRows(`SELECT * FROM ${name(staged.table)} LIMIT ${limit}`)
  stage.truncated = stage.row_count > stage.rows.length
  const { places } = stream
  return { ...stillUntyped(staged), ...(places ? { places } : {}) }
}

function emptyStage(index: number, stage: Stage): PreviewStage {
  return {
    index,
    key: stage.key,
    ...labelOf(stage),
    columns: [],
    rows: [],
    row_count: 0,
    truncated: false,
    rejected: 0,
    rejects: [],
    duration_ms: 0,
  }
}

/** Finds the place of what a source could not read. */
type Explain = NonNullable<SourceCheck['explain']>

interface ContextParts {
  index: number
  session: DuckSession
  io: CallIo
  bound: (slot: string) => BoundConnector
  stage: PreviewStage
  memory: SourceMemory
  inputs: Inputs
  explains: Explain[]
}

function previewContext({ index, session, io, bound, stage, memory, inputs, explains }: ContextParts): StageContext {
  const context: StageContext = {
    // A preview has no log: its warnings show in the stages.
    ...detachedContext(session, bound, io),
    cursor: index === 0 ? memory.filter : null,
    tracked: index === 0 ? memory.spec : null,
    inputs: inputs.names,
    input: (asked) => inputs.get(asked, context),
    stage: index,
    beforeCommit(check) {
      check.end?.()
      if (check.explain) explains.push(check.explain)
    },
    tellsChanges: true,
    changed(changes) {
      if (changes.length > 0) stage.changes = [...(stage.changes ?? []), ...changes]
    },
    note(message) {
      if ((stage.notes ?? []).length < shownNotes) stage.notes = [...(stage.notes ?? []), plainMessage(message)]
    },
    warn: (message) => context.note(typeof message === 'string' ? verbatim(message) : message),
    async reject(query) {
      const table = session.newName('rejects')
      const count = await session.createTable(table, query)
      const columns = (await session.describe(`SELECT * FROM ${name(table)}`)).map((column) => column.name)
      for (const [reason, ...row] of await session.shownRows(`SELECT * FROM ${name(table)} LIMIT ${shownRejects}`)) {
        stage.rejects.push({
          ...rejectReason(messageIn(reason)),
          row: Object.fromEntries(row.map((value, at) => [columns[at + 1], value])),
        })
      }
      stage.rejected += count
      return count
    },
    keepsRejects: () => stage.rejects.length < shownRejects,
    async rejectEntries(entries) {
      stage.rejected += entries.length
      for (const { reason, row } of entries.slice(0, Math.max(0, shownRejects - stage.rejects.length)))
        stage.rejects.push({ ...rejectReason(reason), row })
    },
  }
  return context
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}
