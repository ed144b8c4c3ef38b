import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { listJobTemplates } from '../../../contract/job-templates.ts'
import { listJobs } from '../../../contract/jobs.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'

/** The way to a first job run: from a job, or, before there is any template for one, to a new template. */
export function ToFirstJobRun() {
  const { t } = useTranslation('jobRuns')
  const { t: tJobs } = useTranslation('jobs')
  const { can } = useSession()
  const jobs = useOperation(listJobs, { query: { limit: 1 } })
  const templates = useOperation(listJobTemplates, { query: { limit: 1 } })
  if (jobs.isPending || templates.isPending) return null
  const first = jobs.data?.total === 0 && templates.data?.total === 0 && can('createJobTemplate')
  return first ? (
    <CommandButton
      id="job-runs.first-template"
      label={tJobs('list.emptyAction')}
      icon={IconPlus}
      to={paths.jobTemplateNew()}
    />
  ) : (
    <CommandButton id="job-runs.to-jobs" label={t('list.emptyAction')} to={paths.jobs()} />
  )
}
