import { useQuery } from '@tanstack/react-query'
import { listJobTemplates } from '../../../contract/job-templates.ts'
import { type Job, listJobs } from '../../../contract/jobs.ts'
import type { ApiFailure } from '../../api/client.ts'
import { findByName } from '../../api/find-by-name.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { useAddressChoice } from '../../ui/use-address-part.ts'

/** Stands in the address for: no data. */
const none = 'none'
const most = 200

/** Whose data a dashboard is shown with: a job of its job template, by default the first one. */
export function usePreviewJob(jobTemplate: string | null) {
  const { can } = useSession()
  const [written, choose] = useAddressChoice('job')
  const template = useQuery<number | null, ApiFailure>({
    queryKey: [listJobTemplates.id, { named: jobTemplate }],
    queryFn: async ({ signal }) => (await findByName('job_template', jobTemplate ?? '', signal))?.id ?? null,
    enabled: jobTemplate !== null && can('previewDashboardWidget'),
  })
  const id = template.data ?? null
  const list = useOperation(
    listJobs,
    { query: { job_template_id: id ?? 0, limit: most, sort: 'name', order: 'asc' } },
    { enabled: id !== null },
  )
  const jobs: readonly Job[] = id === null ? [] : (list.data?.result ?? [])
  const chosen = jobs.find((job) => String(job.id) === written) ?? (written === none ? undefined : jobs[0])
  return {
    jobs,
    /** It is not known yet which jobs there are. */
    isLoading: template.isLoading || list.isLoading,
    /** Why it is not known. */
    failure: template.error ?? list.error,
    retry: () => void (template.error ? template : list).refetch(),
    job: chosen ?? null,
    choose: (jobId: number | null) => choose(jobId ?? none),
  }
}
export type PreviewJob = ReturnType<typeof usePreviewJob>
