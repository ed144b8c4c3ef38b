import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Run } from '../../../contract/runs.ts'
import { paths } from '../../paths.ts'
import { Duration } from '../../ui/Duration.tsx'
import { AbsoluteTime } from '../../ui/AbsoluteTime.tsx'
import classes from './RunPage.module.css'
import { jsonObject, rowsIn } from './run-facts.ts'
import { useStartedBy } from './use-started-by.ts'
import { countText, numberText } from '../../ui/format.ts'
import { orDash } from '../../ui/nothing.tsx'

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Its task in its job run, and its item there. */
const placeIn = ({ task_key: task, item_index: item }: Run) => ({
  ...(task === null ? {} : { task }),
  ...(item === null ? {} : { item: String(item) }),
})

/** The line of figures under the title of a run. */
export function RunFacts({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const startedBy = useStartedBy()
  const read = rowsIn(run)
  const given = Object.entries(jsonObject(run.arguments) ?? {})
  return (
    <dl className={classes.bar} aria-label={t('page.facts')}>
      {run.job_run_id === null ? null : (
        <Fact name={t('page.jobRun')}>
          <Link to={paths.jobRun(run.job_run_id, placeIn(run))}>
            {t('page.retriedFromLink', { id: run.job_run_id })}
            {run.task_key === null ? null : ` › ${run.task_key}`}
            {run.item_index === null ? null : `[${run.item_index}]`}
          </Link>
        </Fact>
      )}
      {run.item_index === null || given.length === 0 ? null : (
        <Fact name={t('details.arguments')}>
          <code>{given.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ')}</code>
        </Fact>
      )}
      <Fact name={t('page.duration')}>
        <Duration ms={run.duration_ms} since={run.status === 'running' ? run.started_at : null} />
      </Fact>
      {read === null ? null : <Fact name={t('page.rowsIn')}>{numberText(read)}</Fact>}
      <Fact name={t('page.rowsOut')}>{orDash(countText(run.item_count))}</Fact>
      <Fact name={t('page.rejected')}>
        <span className={run.reject_count ? classes.amber : undefined}>{orDash(countText(run.reject_count))}</span>
      </Fact>
      {run.full_refresh ? (
        <Fact name={t('page.state')}>
          <span title={t('page.fullRefreshHint')}>{t('page.fullRefresh')}</span>
        </Fact>
      ) : null}
      {run.max_attempts > 1 || run.attempt > 1 ? (
        <Fact name={t('page.attempt')}>{t('attempt', { attempt: run.attempt, max: run.max_attempts })}</Fact>
      ) : null}
      <Fact name={t('page.version')}>
        <Link to={paths.taskVersions(run.task_id, { to: run.task_version })}>
          {t('page.versionLink', { version: run.task_version })}
        </Link>
      </Fact>
      <Fact name={t('page.executor')}>{orDash(run.executor_name)}</Fact>
      <Fact name={t('page.trigger')}>{startedBy(run)}</Fact>
      <Fact name={run.started_at ? t('page.started') : t('page.created')}>
        <AbsoluteTime at={run.started_at ?? run.created_at} />
      </Fact>
      {run.retried_from ? (
        <Fact name={t('page.retriedFrom')}>
          <Link to={paths.run(run.retried_from)}>{t('page.retriedFromLink', { id: run.retried_from })}</Link>
        </Fact>
      ) : null}
      {run.rejects_of ? (
        <Fact name={t('page.rejectsOf')}>
          <Link to={paths.run(run.rejects_of, { tab: 'rejects' })}>
            {t('page.retriedFromLink', { id: run.rejects_of })}
          </Link>
        </Fact>
      ) : null}
    </dl>
  )
}
