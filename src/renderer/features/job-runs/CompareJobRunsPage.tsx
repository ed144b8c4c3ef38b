import { useTranslation } from 'react-i18next'
import { type JobRun, type JobRunGraph, getJobRunGraph } from '../../../contract/job-runs.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { ComparePage } from '../../ui/compare/ComparePage.tsx'
import { OnlyDifferences } from '../../ui/compare/OnlyDifferences.tsx'
import classes from '../../ui/compare/compare.module.css'
import { useOnlyDifferences, useSides } from '../../ui/compare/use-sides.ts'
import { ComparedJobRuns } from './ComparedJobRuns.tsx'
import { ComparedTasks } from './ComparedTasks.tsx'

function Sides({ a, b }: { a: JobRunGraph; b: JobRunGraph }) {
  const { t } = useTranslation('jobRuns')
  const [only, setOnly] = useOnlyDifferences()
  return (
    <>
      {a.job_run.job_id === b.job_run.job_id ? null : <p className={classes.notice}>{t('compare.otherJob')}</p>}
      <ComparedJobRuns a={a.job_run} b={b.job_run} />
      <ComparedTasks a={a} b={b} only={only} onAll={() => setOnly(false)} right={<OnlyDifferences />} />
    </>
  )
}

const crumbOf = (run: JobRun | undefined) => (run ? [{ label: run.job_name, to: paths.job(run.job_id) }] : [])

/** Two job runs side by side: what was given, what ran, how long and how much; differences first. */
export function CompareJobRunsPage() {
  const { t } = useTranslation('jobRuns')
  const { a, b } = useSides()
  const left = useOperation(getJobRunGraph, { params: { id: a ?? 0 } }, { enabled: a !== undefined })
  const right = useOperation(getJobRunGraph, { params: { id: b ?? 0 } }, { enabled: b !== undefined })
  return (
    <ComparePage
      kind="jobRun"
      crumbs={[{ label: t('title'), to: paths.jobRuns() }, ...crumbOf(right.data?.job_run)]}
      left={left}
      right={right}
      missing={{
        title: t('compare.missing'),
        text: t('compare.missingText'),
      }}
      list={{ id: 'job-runs.list', label: t('compare.toList'), to: paths.jobRuns() }}
    >
      {(one, other) => <Sides a={one} b={other} />}
    </ComparePage>
  )
}
