/** What the newest runs of a record say together. Pure. */
import type { RecentRun } from '../../../contract/recent-runs.ts'
import { type Status, isUnfinished } from '../../ui/status.ts'
import { isAtGate } from '../job-runs/node-status.ts'

/**
 * Share of the height, 0.08 to 1: by the logarithm, so that a slow run does not flatten all others. One that has not ended has
 * no duration yet, and is as high as the bars are.
 */
export function barHeights(runs: readonly Pick<RecentRun, 'status' | 'duration_ms'>[]): number[] {
  const sizes = runs.map((run) => Math.log10(1 + (run.duration_ms ?? 0)))
  const largest = Math.max(...sizes, 0)
  return sizes.map((size, at) => {
    if (isUnfinished(runs[at]!.status)) return 1
    return largest === 0 ? 0.08 : Math.max(0.08, size / largest)
  })
}

/** Of those that ended as they were meant to or not: a canceled one says nothing. `completed` is a success with a blemish. */
export function successOf(runs: readonly Pick<RecentRun, 'status'>[]): { succeeded: number; ended: number } {
  const succeeded = runs.filter(({ status }) => status === 'success' || status === 'completed').length
  return { succeeded, ended: succeeded + runs.filter(({ status }) => status === 'failed').length }
}

/** A job run that is paused by its gates waits for someone. */
export const lookOf = ({ status, pause_reason }: Pick<RecentRun, 'status' | 'pause_reason'>): Status =>
  isAtGate({ status, pause_reason }) ? 'approval' : status

/** Since when a run that has not ended is as it is: a pause is the last that happened to it. */
export const unfinishedSince = (run: {
  status: string
  created_at: string
  started_at: string | null
  updated_at: string
}): string => (run.status === 'paused' ? run.updated_at : (run.started_at ?? run.created_at))
