import type { JobRun, JobRunNode } from '../../../contract/job-runs.ts'
import { jsonObject } from '../runs/run-facts.ts'

export interface TaskComparison {
  key: string
  a: JobRunNode | null
  b: JobRunNode | null
  /** Milliseconds that b took more than a; null where one of them has no duration. */
  duration: number | null
  rows: number | null
  rejected: number | null
  /** What differs, gravest first; durations are never equal and are no difference. */
  differs: ('presence' | 'status' | 'version' | 'override' | 'rows' | 'rejected')[]
}

export interface ValueComparison {
  name: string
  a: unknown
  b: unknown
  differs: boolean
}

const minus = (a: number | null | undefined, b: number | null | undefined) =>
  a === null || a === undefined || b === null || b === undefined ? null : b - a

function differences(a: JobRunNode | null, b: JobRunNode | null): TaskComparison['differs'] {
  if (!a || !b) return ['presence']
  const pairs = [
    ['status', a.status !== b.status],
    ['version', a.task_id !== b.task_id || a.task_version !== b.task_version],
    ['override', a.overridden !== b.overridden],
    ['rows', a.item_count !== b.item_count],
    ['rejected', (a.reject_count ?? 0) !== (b.reject_count ?? 0)],
  ] as const
  return pairs.filter(([, differ]) => differ).map(([name]) => name)
}

const compareTask = (key: string, a: JobRunNode | null, b: JobRunNode | null): TaskComparison => ({
  key,
  a,
  b,
  duration: minus(a?.duration_ms, b?.duration_ms),
  rows: minus(a?.item_count, b?.item_count),
  rejected: minus(a?.reject_count, b?.reject_count),
  differs: differences(a, b),
})

/** Tasks of both job runs: those that differ first, otherwise in the order of the newer template. */
export function compareTasks(a: readonly JobRunNode[], b: readonly JobRunNode[]): TaskComparison[] {
  const inA = new Map(a.map((node) => [node.key, node]))
  const inB = new Map(b.map((node) => [node.key, node]))
  const tasks = [
    ...b.map((node) => compareTask(node.key, inA.get(node.key) ?? null, node)),
    ...a.filter((node) => !inB.has(node.key)).map((node) => compareTask(node.key, node, null)),
  ]
  return [...tasks.filter((task) => task.differs.length > 0), ...tasks.filter((task) => task.differs.length === 0)]
}

/** The order of keys does not make two values differ. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([x], [y]) => (x < y ? -1 : 1)))
        : part,
    ) ?? ''
  )
}

/** Parameters given at the start of either, those that differ first. */
export function compareArguments(a: Pick<JobRun, 'arguments'>, b: Pick<JobRun, 'arguments'>): ValueComparison[] {
  const inA = jsonObject(a.arguments) ?? {}
  const inB = jsonObject(b.arguments) ?? {}
  const names = [...new Set([...Object.keys(inA), ...Object.keys(inB)])].toSorted()
  const rows = names.map((name) => {
    const [x, y] = [inA[name], inB[name]]
    return { name, a: x, b: y, differs: canonical(x) !== canonical(y) }
  })
  return [...rows.filter((row) => row.differs), ...rows.filter((row) => !row.differs)]
}
