import { listJobTemplates } from '../../../contract/job-templates.ts'
import { listJobs } from '../../../contract/jobs.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'

/** What this user has to create before anything can run; null: nothing, or nothing that this user may create. */
export function useFirstNeed(): 'template' | 'job' | null {
  const { can } = useSession()
  const jobs = useOperation(listJobs, { query: { limit: 1 } })
  const templates = useOperation(listJobTemplates, { query: { limit: 1 } })
  if (jobs.data?.total !== 0 || !templates.data) return null
  if (templates.data.total === 0) return can('createJobTemplate') ? 'template' : null
  return can('createJob') ? 'job' : null
}
