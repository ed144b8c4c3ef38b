import type { Column } from '../../contract/common.ts'
import type { PipelineTask } from '../../language/task/kinds/task-document.types.ts'
import type { SqlSource } from '../../language/task/sources/source.types.ts'
import type { TaskStep } from '../../language/task/steps/step.types.ts'
import type { TableTarget } from '../../language/task/targets/target.types.ts'
import { createCommitPermit, isRepeatable } from '../engine/commit-permit.ts'
import { connectorFinder } from '../engine/connector-finder.ts'
import { EngineError, asEngineError } from '../engine/errors.ts'
import { findColumn, refuseDuplicates } from '../engine/sql-text.ts'
import type { LaneInput, LaneResult } from './columnar.ts'
import { copyBytes } from '../connectors/postgres/bytes-lane.ts'
import { LaneUnfit, type DirectColumn, type RunDirect } from './direct.types.ts'
import { pushDownPostgres } from '../connectors/postgres/pushdown-lane.ts'
import { pushDownSqlite } from '../connectors/sqlite/pushdown-lane.ts'
import { runMessage } from '../../contract/run-messages.ts'

const progressEveryMs = 500

/** The pushdown and the bytes lane; null: they do not suit after all, and nothing was written. */
export async function runDirect(
  lane: 'pushdown' | 'bytes',
  { task, connectors, io, report, warn }: LaneInput,
): Promise<LaneResult | null> {
  const [source, target] = [task.source as SqlSource, task.target as TableTarget] // by `chooseLane`
  const bound = connectorFinder(connectors)
  const [from, to] = [bound(source.connector), bound(target.connector)]
  const run = runnerOf(lane, from.type)
  const last = task.steps.length + 1
  const permit = createCommitPermit(io, isRepeatable(target))
  let confirmed = false
  const notes: string[] = []
  const warned: string[] = []
  let stage = 0
  let sent = 0
  report.begin(0)
  const timer = setInterval(() => io.progress(report.steps.map((step) => ({ ...step }))), progressEveryMs)
  try {
    const result = await run({
      source,
      target,
      from,
      to,
      signal: io.signal,
      log: (message) => void notes.push(message),
      drift: (found) => report.drift(last, found),
      warn: (message) => void warned.push(message),
      async readyToCommit(rows) {
        await permit.ask()
        confirmed = true
        sent = rows
      },
      through(columns) {
        const kept = throughSteps(columns, task.steps, (at) => (stage = at))
        // Such steps compute nothing: until the target is opened, what fails is the source's own query.
        stage = 0
        return kept
      },
      opened: () => (stage = last),
    })
    for (const message of notes) io.log('info', message, 'target')
    for (const message of warned) warn(message, last)
    if (warned.length > 0) report.warned(last)
    settle({ task, report }, sent, result.rows)
    report.wrote(last, result)
    io.log('info', result.summary, 'target')
    return { target: result, rows_in: sent, rejected: 0, state: null }
  } catch (thrown) {
    if (thrown instanceof LaneUnfit) {
      io.log('info', `Not by the ${lane} lane: ${thrown.message}`)
      return null
    }
    const error = confirmed ? permit.explain(asEngineError(thrown)) : asEngineError(thrown)
    error.stage ??= stage
    throw error
  } finally {
    clearInterval(timer)
  }
}

function runnerOf(lane: 'pushdown' | 'bytes', type: string): RunDirect {
  if (lane === 'bytes') return copyBytes
  return type === 'sqlite' ? pushDownSqlite : pushDownPostgres
}

/** Every stage passes on every row, but for the target, whose table may leave out some. */
function settle({ task, report }: Pick<LaneInput, 'task' | 'report'>, sent: number, taken: number): void {
  const last = task.steps.length + 1
  for (let stage = 0; stage <= last; stage++) {
    report.begin(stage)
    report.count(stage, stage === last ? taken : sent)
  }
  report.finish(last)
}

/** The same as the steps do in the columnar lane, with names alone. */
export function throughSteps(
  columns: readonly Column[],
  steps: PipelineTask['steps'],
  reached: (stage: number) => void = () => undefined,
): DirectColumn[] {
  // The position travels where the steps keep a column's type.
  let kept: Column[] = columns.map((column, at) => ({ name: column.name, type: String(at) }))
  steps.forEach((step, index) => {
    reached(index + 1)
    kept = afterStep(kept, step)
  })
  return kept.map((column) => {
    const at = Number(column.type)
    return { from: columns[at]?.name ?? '', at, to: column.name }
  })
}

function afterStep(columns: Column[], step: TaskStep): Column[] {
  if (step.kind === 'drop') {
    const dropped = new Set(step.columns.map((wanted) => findColumn(columns, wanted)))
    const left = columns.filter((column) => !dropped.has(column))
    if (left.length > 0) return left
    throw new EngineError('COLUMN_NOT_FOUND', runMessage('no_column_left'), { hint: runMessage('no_column_left_fix') })
  }
  const after = step.kind === 'select' ? selected(columns, step.columns) : renamed(columns, step)
  refuseDuplicates(after.map((column) => column.name))
  return after
}

function selected(columns: Column[], wanted: string[]): Column[] {
  return wanted.map((column) => findColumn(columns, column))
}

function renamed(columns: Column[], step: TaskStep): Column[] {
  const given = step.kind === 'rename' ? Object.entries(step.columns) : []
  const names = new Map(given.map(([from, to]) => [findColumn(columns, from).name, to] as const))
  return columns.map((column) => ({ ...column, name: names.get(column.name) ?? column.name }))
}
