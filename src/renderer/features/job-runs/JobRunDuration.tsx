import type { JobRun } from '../../../contract/job-runs.ts'
import { Duration } from '../../ui/Duration.tsx'
import { dash } from '../../ui/nothing.tsx'
import { isQueued, knownDuration } from './node-status.ts'

/** How long a job run was running, without pauses; counts on while one of its tasks has begun. */
export function JobRunDuration({ run }: { run: JobRun }) {
  if (isQueued(run)) return dash
  return <Duration ms={knownDuration(run)} since={run.running_since} before={run.ran_ms} />
}
