import type { JobRun } from '../../../contract/job-runs.ts'
import { Duration } from '../../ui/Duration.tsx'
import { knownDuration } from './node-status.ts'

/** How long a job run was running, without pauses; counts on while it runs. */
export function JobRunDuration({ run }: { run: JobRun }) {
  return <Duration ms={knownDuration(run)} since={run.running_since} before={run.ran_ms} />
}
