import type { JobRunNode } from '../../../contract/job-runs.ts'
import { differingFirst, minus } from '../../ui/compare/compare-values.ts'
import { isReused, workDuration } from './node-status.ts'

export interface TaskComparison {
  key: string
  a: JobRunNode | null
  b: JobRunNode | null
  /** Milliseconds that b took more than a; null where one of them has no duration, as a reused task. */
  duration: number | null
  rows: number | null
  rejected: number | null
  /** What differs, gravest first; durations are never equal and are no difference. */
  differs: ('presence' | 'status' | 'reused' | 'version' | 'override' | 'rows' | 'rejected')[]
}

function differences(a: JobRunNode | null, b: JobRunNode | null): TaskComparison['differs'] {
  if (!a || !b) return ['presence']
  const pairs = [
    ['status', a.status !== b.status],
    ['reused', isReused(a) !== isReused(b)],
    ['version', a.task_id !== b.task_id || a.task_version !== b.task_version],
    ['override', a.overridden !== b.overridden],
    ['rows', a.item_count !== b.item_count],
    ['rejected', (a.reject_count ?? 0) !== (b.reject_count ?? 0)],
  ] as const
  return pairs.filter(([, differ]) => differ).map(([name]) => name)
}

/** All that differs is that one of the job runs took the outcome over from an earlier one. */
export const onlyReused = ({ differs }: Pick<TaskComparison, 'differs'>) =>
  differs.length > 0 && differs.every((part) => part === 'reused')

const compareTask = (key: string, a: JobRunNode | null, b: JobRunNode | null): TaskComparison => ({
  key,
  a,
  b,
  duration: minus(a && workDuration(a), b && workDuration(b)),
  rows: minus(a?.item_count, b?.item_count),
  rejected: minus(a?.reject_count, b?.reject_count),
  differs: differences(a, b),
})

/** Tasks of both job runs: those that differ first, above them those that were not only reused, otherwise in the order of the newer template. */
export function compareTasks(a: readonly JobRunNode[], b: readonly JobRunNode[]): TaskComparison[] {
  const inA = new Map(a.map((node) => [node.key, node]))
  const inB = new Map(b.map((node) => [node.key, node]))
  const tasks = [
    ...b.map((node) => compareTask(node.key, inA.get(node.key) ?? null, node)),
    ...a.filter((node) => !inB.has(node.key)).map((node) => compareTask(node.key, node, null)),
  ]
  const differing = differingFirst(tasks, (task) => task.differs.length > 0)
  return differingFirst(differing, (task) => task.differs.length > 0 && !onlyReused(task))
}
