import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { JobRun } from '../../../contract/job-runs.ts'
import { paths } from '../../paths.ts'
import { Duration } from '../../ui/Duration.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { Value } from '../../ui/Value.tsx'
import classes from './CompareJobRuns.module.css'
import { Difference } from './Difference.tsx'
import { JobRunBadge } from './JobRunBadge.tsx'
import { LogicalDate } from './LogicalDate.tsx'
import { TaskCounts } from './TaskCounts.tsx'
import { compareArguments } from './compare-job-runs.ts'

interface Fact {
  id: string
  name: string
  a: ReactNode
  b: ReactNode
  differs: boolean
  delta?: ReactNode
}

const since = (run: JobRun) => (run.status === 'running' ? run.started_at : null)

function useFacts(a: JobRun, b: JobRun): Fact[] {
  const { t } = useTranslation('jobRuns')
  const { t: word } = useTranslation('runs')
  const fact = (id: string, name: string, of: (run: JobRun) => ReactNode, value: (run: JobRun) => unknown): Fact => ({
    id,
    name,
    a: of(a),
    b: of(b),
    differs: value(a) !== value(b),
  })
  const longer = a.duration_ms === null || b.duration_ms === null ? null : b.duration_ms - a.duration_ms
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
    {
      ...fact(
        'duration',
        t('compare.duration'),
        (run) => <Duration ms={run.duration_ms} since={since(run)} />,
        () => null,
      ),
      delta: <Difference value={longer} kind="time" />,
    },
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
      (run) => word(`trigger.${run.trigger_type}`),
      (run) => run.trigger_type,
    ),
    fact(
      'created',
      t('compare.created'),
      (run) => <RelativeTime at={run.created_at} />,
      () => null,
    ),
  ]
}

/** A parameter that one side was not given stands as just that. */
function Given({ value }: { value: unknown }) {
  const { t } = useTranslation('jobRuns')
  return value === undefined ? <span className={classes.faint}>{t('compare.notGiven')}</span> : <Value value={value} />
}

function SideHead({ run }: { run: JobRun }) {
  const { t } = useTranslation('jobRuns')
  return (
    <th scope="col">
      <Link to={paths.jobRun(run.id)}>{t('page.link', { id: run.id })}</Link>
    </th>
  )
}

/** What both job runs are, and what they were given. */
export function ComparedFacts({ a, b }: { a: JobRun; b: JobRun }) {
  const { t } = useTranslation('jobRuns')
  const facts = useFacts(a, b)
  const given = compareArguments(a, b)
  return (
    <div className={classes.facts}>
      <table className={classes.table}>
        <colgroup>
          <col className={classes.names} />
          <col />
          <col />
          <col className={classes.deltas} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <span className={classes.hidden}>{t('compare.facts')}</span>
            </th>
            <SideHead run={a} />
            <SideHead run={b} />
            <th aria-hidden />
          </tr>
        </thead>
        <tbody>
          {facts.map((fact) => (
            <tr key={fact.id} data-differs={fact.differs || undefined}>
              <th scope="row">{fact.name}</th>
              <td>{fact.a}</td>
              <td>{fact.b}</td>
              <td className={classes.delta}>{fact.delta}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('compare.arguments')}</th>
            <SideHead run={a} />
            <SideHead run={b} />
          </tr>
        </thead>
        <tbody>
          {given.length === 0 ? (
            <tr>
              <td colSpan={3} className={classes.faint}>
                {t('compare.noArguments')}
              </td>
            </tr>
          ) : null}
          {given.map((row) => (
            <tr key={row.name} data-differs={row.differs || undefined}>
              <th scope="row">{row.name}</th>
              <td>
                <Given value={row.a} />
              </td>
              <td>
                <Given value={row.b} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
