import type { JobRunNode } from '../../../contract/job-runs.ts'
import { isReused } from './node-status.ts'

type Candidate = Pick<JobRunNode, 'key' | 'status' | 'completed_at' | 'started_at' | 'reason'>

const earliest = (nodes: readonly Candidate[], time: (node: Candidate) => string | null) =>
  nodes.reduce<Candidate | undefined>(
    (first, node) => (first === undefined || (time(node) ?? '~') < (time(first) ?? '~') ? node : first),
    undefined,
  )

/**
 * The task a job run opens at: the one that failed first, else a gate that waits for somebody, else the one that has run longest,
 * else the first that ran, else the first of all.
 */
export function landingOf(nodes: readonly Candidate[]): string | null {
  const of = (status: JobRunNode['status']) => nodes.filter((node) => node.status === status)
  const chosen =
    earliest(of('failed'), (node) => node.completed_at) ??
    of('paused')[0] ??
    earliest(of('running'), (node) => node.started_at) ??
    nodes.find((node) => node.started_at !== null && !isReused(node)) ??
    nodes[0]
  return chosen?.key ?? null
}

/** The first gate that waits for somebody. */
export const waitingGate = (nodes: readonly Pick<JobRunNode, 'key' | 'kind' | 'status'>[]): string | null =>
  nodes.find(({ kind, status }) => kind === 'gate' && status === 'paused')?.key ?? null
