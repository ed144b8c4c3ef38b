import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { TaskPreview } from '../../contract/tasks.ts'
import type { PipelineTask } from '../../language/task/task.types.ts'
import { connectorFinder } from './connector-finder.ts'
import { openSource, sourceDirectories } from '../sources/registry.ts'
import { applyStep } from '../steps/registry.ts'
import type { CallIo } from '../worker-protocol.ts'
import { readCastFailure } from './casts.ts'
import { openSession, type DuckSession } from './duckdb.ts'
import { detachedContext } from './detached-context.ts'
import { asEngineError } from './errors.ts'
import type { StageContext } from './lane.types.ts'
import { sourceLabel, stepLabel } from './step-report.ts'
import { name } from './sql-text.ts'
import type { RowStream } from './stream.ts'

type PreviewStage = TaskPreview['stages'][number]

/** Rejects shown of one stage. */
const shownRejects = 20

export interface PreviewInput {
  task: PipelineTask
  connectors: Record<string, BoundConnector>
  /** The last step wanted, counted from 1; 0 is the source alone, null all of them. */
  step: number | null
  limit: number
  io: CallIo
}

/**
 * A sample of the source, and what each step makes of it, put down stage by stage. Reads only: the target is never opened. What goes
 * wrong in a stage stands in that stage, and the later ones are left out.
 */
export async function previewTask({ task, connectors, step, limit, io }: PreviewInput): Promise<TaskPreview> {
  const began = performance.now()
  const stages: PreviewStage[] = []
  const bound = connectorFinder(connectors)
  let session: DuckSession | null = null
  let sampled = 0
  const wanted = task.steps.slice(0, step ?? undefined)
  try {
    let stream: RowStream | null = null
    for (const index of [0, ...wanted.map((_, at) => at + 1)]) {
      const stageBegan = performance.now()
      const current = wanted[index - 1]
      const stage = emptyStage(
        index,
        current?.kind ?? 'source',
        current ? stepLabel(current) : sourceLabel(task.source),
      )
      stages.push(stage)
      try {
        session ??= await openSession({
          tempDir: io.tempDir,
          directories: await sourceDirectories(task.source, bound),
          signal: io.signal,
        })
        const context = previewContext(index, session, io, bound, stage)
        const next: RowStream =
          current && stream
            ? await applyStep(current, stream, context)
            : await openSource(task.source, context, { limit })
        stream = await show(next, context, stage, limit)
        if (index === 0) sampled = stage.row_count
      } catch (thrown) {
        const error = readCastFailure(asEngineError(thrown))
        if (error.code === 'CANCELLED') throw error
        stage.error = {
          code: error.code,
          message: error.message,
          ...(error.hint === undefined ? {} : { hint: error.hint }),
        }
        break
      } finally {
        stage.duration_ms = round(performance.now() - stageBegan)
      }
    }
    return { stages, sampled_rows: sampled, duration_ms: round(performance.now() - began) }
  } finally {
    await session?.close(stages.every((stage) => stage.error === undefined))
  }
}

/** Puts the stage's rows down for the next one, and shows the first of them. */
async function show(stream: RowStream, context: StageContext, stage: PreviewStage, limit: number): Promise<RowStream> {
  const staged = await context.materialise(stream)
  stage.columns = stream.columns.map((column) => ({ ...column }))
  stage.row_count = staged.rows ?? 0
  stage.rows = await context.session.rows(`SELECT * FROM ${name(staged.table)} LIMIT ${limit}`)
  stage.truncated = stage.row_count > stage.rows.length
  return staged
}

function emptyStage(index: number, key: string, label: string): PreviewStage {
  return {
    index,
    key,
    label: label.slice(0, 200),
    columns: [],
    rows: [],
    row_count: 0,
    truncated: false,
    rejected: 0,
    rejects: [],
    duration_ms: 0,
  }
}

function previewContext(
  index: number,
  session: DuckSession,
  io: CallIo,
  bound: (slot: string) => BoundConnector,
  stage: PreviewStage,
): StageContext {
  return {
    // A preview has no log: what matters of it shows in the stages.
    ...detachedContext(session, bound, io),
    stage: index,
    warn(message) {
      if (stage.rejects.length < shownRejects) stage.rejects.push({ reason: message, row: {} })
    },
    async reject(query) {
      const table = session.newName('rejects')
      const count = await session.createTable(table, query)
      const columns = (await session.describe(`SELECT * FROM ${name(table)}`)).map((column) => column.name)
      for (const [reason, ...row] of await session.rows(`SELECT * FROM ${name(table)} LIMIT ${shownRejects}`)) {
        stage.rejects.push({
          reason: String(reason),
          row: Object.fromEntries(row.map((value, at) => [columns[at + 1], value])),
        })
      }
      stage.rejected += count
      return count
    },
    async rejectEntries(entries) {
      stage.rejected += entries.length
      stage.rejects.push(...entries.slice(0, shownRejects - stage.rejects.length))
    },
  }
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}
