import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { PipelineTask } from '../../language/task/kinds/task-document.types.ts'
import type { TaskSource } from '../../language/task/sources/source.types.ts'
import type { TaskStep } from '../../language/task/steps/step.types.ts'
import type { TaskTarget } from '../../language/task/targets/target.types.ts'

/** How rows travel; the cheapest first. */
export type Lane = 'pushdown' | 'bytes' | 'columnar' | 'arrays' | 'objects'

export interface LaneChoice {
  lane: Lane
  /** For the log. */
  why: string
}

type FindConnector = (slot: string) => Pick<BoundConnector, 'id' | 'type'> | undefined

/** Databases that can move rows inside themselves. */
const pushing: ReadonlySet<string> = new Set(['sqlite', 'postgres'])
/** Databases whose rows arrive as arrays, one by one. */
const rowByRow: ReadonlySet<string> = new Set(['sqlite', 'mysql'])

/**
 * Decides by the task alone, before anything is opened. Pushdown and bytes are what is tried first: the tables themselves may show that
 * a value would change on the way, and the columnar lane is taken after all. Pure.
 */
export function chooseLane(
  task: PipelineTask,
  connector: FindConnector,
  /** false: rows must be looked at. */
  mayBeDirect = true,
): LaneChoice {
  const direct = mayBeDirect ? directLane(task, connector) : null
  if (direct !== null) return direct
  const objects = objectsOf(task)
  if (objects !== null) return { lane: 'objects', why: `${objects} processes one record at a time` }
  const { source } = task
  if (source.kind === 'sql' && rowByRow.has(connector(source.connector)?.type ?? ''))
    return { lane: 'arrays', why: 'the source returns one row at a time' }
  return { lane: 'columnar', why: describe(task.steps) }
}

function directLane(task: PipelineTask, connector: FindConnector): LaneChoice | null {
  const { source, target, steps } = task
  if (source.kind !== 'sql' || target.kind !== 'table' || !steps.every(onlyNames)) return null
  if (task.state.cursor !== null || Object.keys(task.inputs).length > 0) return null
  if (source.read.kind === 'table' && source.read.partition !== null) return null
  const [from, to] = [connector(source.connector), connector(target.connector)]
  // A slot without a connector is told where it is opened.
  if (!from || !to) return null
  if (from.id === to.id && from.type === to.type && pushing.has(from.type))
    return { lane: 'pushdown', why: 'source and target are the same database' }
  if (from.type === 'postgres' && to.type === 'postgres')
    return { lane: 'bytes', why: 'PostgreSQL to PostgreSQL by binary COPY' }
  return null
}

/** Steps that look at no value. */
function onlyNames(step: TaskStep): boolean {
  return step.kind === 'select' || step.kind === 'rename' || step.kind === 'drop'
}

const objectSources: ReadonlySet<TaskSource['kind']> = new Set(['http', 'odata', 'mongo'])
const objectTargets: ReadonlySet<TaskTarget['kind']> = new Set(['collection', 'http'])

function objectsOf({ source, steps, target }: PipelineTask): string | null {
  if (objectSources.has(source.kind)) return `a source of kind \`${source.kind}\``
  if (steps.some((step) => step.kind === 'map')) return 'a `map` step'
  return objectTargets.has(target.kind) ? `a target of kind \`${target.kind}\`` : null
}

function describe(steps: readonly TaskStep[]): string {
  const waits = steps.filter(
    (step) => step.kind === 'expect' || (step.kind === 'cast' && step.on_error === 'quarantine'),
  )
  return waits.length === 0
    ? 'steps combined into one query'
    : `steps combined into queries, split at ${waits.map((step) => `\`${step.kind}\``).join(', ')}`
}
