/**
 * What a rerun does again, and what it takes over.
 *
 * The tasks named and everything after them run again; without names, everything that the earlier job run took part with.
 * The others keep their outcome. An outcome can only be kept where there is one: what the earlier job run had not ended, or
 * stopped before it was done, runs again as well, and so does everything after it. What it was told to leave out stays left
 * out unless it is named. What comes again but can't begin, since the outcomes that are kept before it rule it out, would be
 * skipped: it is told apart.
 */
import type { NodeStatus } from '../../../contract/job-runs.ts'
import type { RunIf } from '../../../language/job/job.types.ts'
import { type StatusOrOpen, mayGo } from './job-runs.rules.ts'

/** A task or gate as the earlier job run has it. */
export interface EarlierNode {
  key: string
  depends_on: readonly string[]
  run_if: RunIf
  status: NodeStatus
  reason: string | null
}
export interface RerunPlan {
  /** All four in the order of the template. */
  runs: string[]
  skipped: string[]
  reused: string[]
  left_out: string[]
  /** Keys to start with, when they are not those of the earlier job run. */
  selection: string[] | null
}

const underWay: ReadonlySet<NodeStatus> = new Set(['pending', 'queued', 'running', 'paused'])
const hasOutcome = ({ status, reason }: EarlierNode) =>
  !underWay.has(status) && status !== 'cancelled' && reason !== 'stopped'

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
  const skipped = ruledOut(nodes, again, leftOut)
  const added = nodes.some((node) => node.reason === 'not_selected' && named.has(node.key))
  return {
    runs: keys((node) => again.has(node.key) && !leftOut(node) && !skipped.has(node.key)),
    skipped: keys((node) => skipped.has(node.key)),
    reused: keys((node) => !again.has(node.key) && !leftOut(node)),
    left_out: keys(leftOut),
    selection: added ? keys((node) => !leftOut(node)) : null,
  }
}

/** What comes again, but is skipped however the others end. */
function ruledOut(
  nodes: readonly EarlierNode[],
  again: ReadonlySet<string>,
  leftOut: (node: EarlierNode) => boolean,
): ReadonlySet<string> {
  const byKey = new Map(nodes.map((node) => [node.key, node]))
  const out = new Map<string, boolean>()
  const isOut = (node: EarlierNode): boolean => {
    const known = out.get(node.key)
    if (known !== undefined) return known
    const statuses = node.depends_on.flatMap((key): StatusOrOpen[] => {
      const above = byKey.get(key)
      if (!above || leftOut(above)) return []
      if (!again.has(key)) return [above.status]
      return [isOut(above) ? 'skipped' : 'open']
    })
    const verdict = !mayGo(node.run_if, statuses)
    out.set(node.key, verdict)
    return verdict
  }
  return new Set(nodes.filter((node) => again.has(node.key) && !leftOut(node) && isOut(node)).map(({ key }) => key))
}
