import { useTranslation } from 'react-i18next'
import { type JobRun, listAllJobRuns } from '../../../contract/job-runs.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CompareMenu } from '../../ui/compare/CompareMenu.tsx'

/** Chooses a job run to compare this one with. */
export function JobRunCompareMenu({ run }: { run: JobRun }) {
  const { t } = useTranslation('jobRuns')
  const before = useOperation(listAllJobRuns, { query: { job_id: [run.job_id], to: run.created_at, limit: 2 } })
  const previous = before.data && (before.data.result.find((one) => one.id < run.id)?.id ?? null)
  const original = run.rerun_of
  return (
    <CompareMenu
      command="job-run.compare"
      previous={{ title: t('actions.comparePrevious'), id: previous }}
      original={original === null ? null : { title: t('actions.compareOriginal'), id: original }}
      list={{
        title: t('actions.compareAny'),
        text: t('actions.compareAnyText'),
        to: paths.jobRuns({ job_id: run.job_id }),
      }}
      textOf={(id) => t('page.link', { id })}
      to={(id) => paths.jobRunCompare(id, run.id)}
    />
  )
}
