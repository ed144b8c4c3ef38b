import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { JobRun } from '../../../contract/job-runs.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { AbsoluteTime } from '../../ui/AbsoluteTime.tsx'
import { ComparedFacts, ComparedValues, type Fact, SideHead, factsOf } from '../../ui/compare/ComparedTables.tsx'
import { Difference, isNoise } from '../../ui/compare/Difference.tsx'
import { compareValues, minus } from '../../ui/compare/compare-values.ts'
import classes from '../../ui/compare/compare.module.css'
import { jsonObject } from '../runs/run-facts.ts'
import { JobRunBadge } from './JobRunBadge.tsx'
import { JobRunDuration } from './JobRunDuration.tsx'
import { LogicalDate } from './LogicalDate.tsx'
import { TaskCounts } from './TaskCounts.tsx'
import { startedByText } from './started-by.ts'

function useFacts(a: JobRun, b: JobRun): Fact[] {
  const { t } = useTranslation('jobRuns')
  const { t: word } = useTranslation('runs')
  const { me } = useSession()
  const fact = factsOf(a, b)
  return [
    ...(a.job_id === b.job_id
      ? []
      : [
          fact(
            'job',
            t('compare.job'),
            (run) => <Link to={paths.job(run.job_id)}>{run.job_name}</Link>,
            (run) => run.job_id,
          ),
        ]),
    fact(
      'status',
      t('compare.status'),
      (run) => <JobRunBadge run={run} />,
      (run) => run.status,
    ),
    fact(
      'tasks',
      t('page.tasks'),
      (run) => <TaskCounts counts={run.task_counts} />,
      (run) => JSON.stringify(run.task_counts),
    ),
    fact(
      'duration',
      t('compare.duration'),
      (run) => <JobRunDuration run={run} />,
      (run) => (isNoise((b.duration_ms ?? 0) - (a.duration_ms ?? 0)) ? null : run.duration_ms),
      <Difference value={minus(a.duration_ms, b.duration_ms)} kind="time" />,
    ),
    fact(
      'template',
      t('compare.template'),
      (run) => t('page.versionText', { version: run.template_version }),
      (run) => run.template_version,
    ),
    fact(
      'logicalDate',
      t('compare.logicalDate'),
      (run) => <LogicalDate at={run.logical_date} timezone={run.timezone} />,
      (run) => run.logical_date,
    ),
    fact(
      'trigger',
      t('compare.trigger'),
      (run) => startedByText(t, word(`trigger.${run.trigger_type}`), run, me.user.id),
      (run) => `${run.trigger_type} ${run.created_by}`,
    ),
    fact(
      'created',
      t('compare.created'),
      (run) => <AbsoluteTime at={run.created_at} seconds="full" />,
      () => null,
    ),
  ]
}

const parametersOf = (run: JobRun) => ({
  given: jsonObject(run.arguments) ?? {},
  defaults: jsonObject(run.parameters) ?? {},
})

/** What both job runs are, and what they were given. */
export function ComparedJobRuns({ a, b }: { a: JobRun; b: JobRun }) {
  const { t } = useTranslation('jobRuns')
  const { t: word } = useTranslation()
  const headOf = ({ id }: JobRun, other: JobRun) => (
    <SideHead id={id} other={other.id} text={t('page.link', { id })} to={paths.jobRun(id)} />
  )
  const heads = { a: headOf(a, b), b: headOf(b, a) }
  const brief = { a: t('page.link', { id: a.id }), b: t('page.link', { id: b.id }) }
  return (
    <div className={classes.facts}>
      <ComparedFacts label={t('compare.facts')} heads={heads} facts={useFacts(a, b)} />
      <ComparedValues
        label={word('compare.parameters')}
        heads={brief}
        rows={compareValues(parametersOf(a), parametersOf(b))}
        none={word('compare.noParameters')}
      />
    </div>
  )
}
