import { getJobHistory } from '../../../contract/job-runs.ts'
import { useOperation } from '../../api/queries.ts'

/** Columns of the grid: newer job runs push older ones out at the left. */
const shown = 30
/** While tasks end: the answer of a big job has megabytes, too many for every event. */
const renewedMs = 2000

/** The newest job runs of a job, with the states of their tasks. */
export const useJobHistory = (jobId: number) =>
  useOperation(
    getJobHistory,
    { params: { id: jobId }, query: { limit: shown } },
    {
      keepPrevious: true,
      renewMs: (data) => (data?.job_runs.some(({ job_run: run }) => run.status === 'running') ? renewedMs : false),
    },
  )
