import { msg } from '../../../contract/messages.ts'
import { type JobGraph, buildGraph } from '../../../language/job/job-graph.ts'
import type { JobDocument, JobTask, TaskNode } from '../../../language/job/job.types.ts'
import { createRecent } from '../../platform/recent.ts'
import { notFound } from '../../platform/refusal.ts'

/** A task as the job holds it. */
interface PinnedTask {
  task_id: number
  task_name: string
  version: number
}
/** What the engine needs of a snapshot. */
export interface Held {
  id: number
  job_id: number
  template_version: number
  document: JobDocument
  tasks: Record<string, PinnedTask>
}

/** A snapshot, ready for being run. */
export interface JobRunPlan {
  document: JobDocument
  graph: JobGraph
  /** In the order of the template. */
  nodes: ReadonlyMap<string, JobTask>
  /** Each after everything that it depends on. */
  order: readonly JobTask[]
  dependents(key: string): readonly string[]
  node(key: string): JobTask
  task(key: string): TaskNode
  pinned(key: string): PinnedTask
  /** Tasks upstream that expressions of this one may ask for. */
  asksFor(key: string): readonly string[]
}

const kept = 200

/** Snapshots never change, so each is worked out once. */
export function createPlans(heldSnapshot: (id: number) => Held) {
  const recent = createRecent<JobRunPlan>(kept)
  return (snapshotId: number): JobRunPlan => recent.get(snapshotId, () => planOf(heldSnapshot(snapshotId)))
}

function planOf({ document, tasks }: Held): JobRunPlan {
  const nodes = new Map(Object.entries(document.tasks))
  const dependents = new Map<string, string[]>([...nodes.keys()].map((key) => [key, []]))
  for (const { key, depends_on } of nodes.values()) for (const other of depends_on) dependents.get(other)?.push(key)
  const node = (key: string): JobTask => nodes.get(key) ?? notFound(msg('job_no_task', { key }))
  const graph = buildGraph([...nodes.values()])
  const asked = new Map<string, readonly string[]>()
  return {
    document,
    graph,
    nodes,
    order: inOrder(nodes, dependents),
    dependents: (key) => dependents.get(key) ?? [],
    node,
    task(key) {
      const found = node(key)
      return found.kind === 'task' ? found : notFound(msg('is_a_gate', { key }))
    },
    pinned: (key) => (Object.hasOwn(tasks, key) ? tasks[key] : undefined) ?? notFound(msg('no_task_version', { key })),
    asksFor(key) {
      let names = asked.get(key)
      // Whoever asks for any of them has to write `tasks`.
      if (!names) asked.set(key, (names = JSON.stringify(node(key)).includes('tasks') ? graph.upstream(key) : []))
      return names
    },
  }
}

function inOrder(nodes: ReadonlyMap<string, JobTask>, dependents: ReadonlyMap<string, readonly string[]>): JobTask[] {
  const waitsFor = new Map([...nodes.values()].map(({ key, depends_on }) => [key, new Set(depends_on).size]))
  const order = [...nodes.values()].filter(({ key }) => waitsFor.get(key) === 0)
  // Grows while it is walked.
  for (const { key } of order) {
    for (const other of new Set(dependents.get(key))) {
      const left = (waitsFor.get(other) ?? 0) - 1
      waitsFor.set(other, left)
      const node = nodes.get(other)
      if (left === 0 && node) order.push(node)
    }
  }
  return order
}
