/**
 * What a rerun does again, and what it takes over.
 *
 * The tasks named and everything after them run again; without names, everything that the earlier job run took part with.
 * The others keep their outcome. An outcome can only be kept where there is one: what the earlier job run had not ended, or
 * stopped before it was done, runs again as well, and so does everything after it. What it was told to leave out stays left
 * out unless it is named.
 */
import type { NodeStatus } from '../../../contract/job-runs.ts'

/** A task or gate as the earlier job run has it. */
export interface EarlierNode {
  key: string
  depends_on: readonly string[]
  status: NodeStatus
  reason: string | null
}
export interface RerunPlan {
  /** All three in the order of the template. */
  runs: string[]
  reused: string[]
  left_out: string[]
  /** Keys to start with, when they are not those of the earlier job run. */
  selection: string[] | null
}

const underWay: ReadonlySet<NodeStatus> = new Set(['pending', 'queued', 'running', 'paused'])
const hasOutcome = ({ status, reason }: EarlierNode) => !underWay.has(status) && reason !== 'stopped'

/** `from` names only nodes that there are. */
export function planRerun(nodes: readonly EarlierNode[], from: readonly string[] | undefined): RerunPlan {
  const named = new Set(from)
  const leftOut = (node: EarlierNode) => node.reason === 'not_selected' && !named.has(node.key)
  const again = new Set<string>()
  const dependents = new Map<string, string[]>()
  for (const { key, depends_on } of nodes) {
    for (const above of depends_on) dependents.set(above, [...(dependents.get(above) ?? []), key])
  }
  const waiting = nodes
    .filter((node) => named.has(node.key) || !hasOutcome(node) || (!from && !leftOut(node)))
    .map(({ key }) => key)
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (again.has(key)) continue
    again.add(key)
    waiting.push(...(dependents.get(key) ?? []))
  }
  const keys = (wanted: (node: EarlierNode) => boolean) => nodes.filter(wanted).map(({ key }) => key)
  const added = nodes.some((node) => node.reason === 'not_selected' && named.has(node.key))
  return {
    runs: keys((node) => again.has(node.key) && !leftOut(node)),
    reused: keys((node) => !again.has(node.key) && !leftOut(node)),
    left_out: keys(leftOut),
    selection: added ? keys((node) => !leftOut(node)) : null,
  }
}
