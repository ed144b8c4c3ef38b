import { useMemo } from 'react'
import type { JobRun, JobRunNode } from '../../../contract/job-runs.ts'
import { useFastNow, useNow } from '../../ui/ticker.ts'
import { type Axis, axisOf } from './gantt.ts'
import { isJobRunOver } from './node-status.ts'

/** A short job run's bars grow visibly between two seconds; a long one's do not. */
const fastBelowMs = 120_000

/** The axis of the chart; it grows while the job run goes on. `now` is null once it has ended. */
export function useGanttClock(run: JobRun, nodes: readonly JobRunNode[]): { axis: Axis; now: number | null } {
  const going = !isJobRunOver(run.status)
  const began = Date.parse(run.started_at ?? run.created_at)
  const slow = useNow()
  const isFast = going && run.status === 'running' && slow - began < fastBelowMs
  const fast = useFastNow(isFast)
  const now = going ? (isFast ? Math.max(fast, slow) : slow) : null
  const axis = useMemo(() => axisOf(run, nodes, now ?? 0), [run, nodes, now])
  return { axis, now }
}
