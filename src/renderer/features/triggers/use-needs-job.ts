import { listJobs } from '../../../contract/jobs.ts'
import { useOperation } from '../../api/queries.ts'

/** There is no job that a trigger could start. */
export const useNeedsJob = (): boolean => useOperation(listJobs, { query: { limit: 1 } }).data?.total === 0
