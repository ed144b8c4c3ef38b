import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { JobRun, JobRunNode } from '../../../contract/job-runs.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { AbsoluteTime } from '../../ui/AbsoluteTime.tsx'
import { Duration } from '../../ui/Duration.tsx'
import { useFastNow } from '../../ui/ticker.ts'
import { durationText } from '../../ui/time.ts'
import { jsonObject } from '../runs/run-facts.ts'
import runClasses from '../runs/RunPage.module.css'
import { JobRunDuration } from './JobRunDuration.tsx'
import { LogicalDate } from './LogicalDate.tsx'
import { TaskCounts } from './TaskCounts.tsx'
import { waitedMs } from './gantt.ts'
import { jsonValue } from './json-field.ts'
import { fullPool, isAtGate, isQueued } from './node-status.ts'
import { useHasNoSlots } from './use-has-no-slots.ts'
import { startedByText } from './started-by.ts'

function Fact({ name, title, children }: { name: string; title?: string; children: ReactNode }) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Tasks chosen at the start; null when all take part. */
function chosenTasks(run: JobRun): string[] | null {
  const value = jsonValue(run.selected_tasks)
  return Array.isArray(value) ? value.filter((key) => typeof key === 'string') : null
}

function StartedBy({ run }: { run: JobRun }) {
  const { t } = useTranslation('jobRuns')
  const { t: word } = useTranslation('runs')
  const { me } = useSession()
  const trigger = word(`trigger.${run.trigger_type}`)
  if (run.trigger_id !== null) return <Link to={paths.triggers({ trigger: run.trigger_id })}>{trigger}</Link>
  return <>{startedByText(t, trigger, run, me.user.id)}</>
}

function Waited({ run }: { run: JobRun }) {
  const { t } = useTranslation('jobRuns')
  const isPaused = run.status === 'paused'
  const waited = waitedMs(run, useFastNow(isPaused))
  if (waited === 0) return null
  return (
    <Fact
      // What for is in the badge.
      name={t(isPaused && !isAtGate(run) ? 'jobStatus.paused' : 'page.waiting')}
      title={t('page.waitingHint')}
    >
      {durationText(waited)}
    </Fact>
  )
}

/** Then one of the two says it. */
const isSameMinute = (a: string, b: string) => a.slice(0, 16) === b.slice(0, 16)

/** The line of figures under the title of a job run. */
export function JobRunFacts({ run, nodes }: { run: JobRun; nodes: readonly JobRunNode[] }) {
  const { t } = useTranslation('jobRuns')
  const isQueuing = isQueued(run)
  const pool = fullPool(nodes)
  const hasNoSlots = useHasNoSlots({ reason: isQueuing && pool !== null ? 'pool' : null, pool })
  // Its tasks are queued as it begins: nobody sees a start in that.
  const began = isQueuing ? null : run.started_at
  const since = began ?? run.created_at
  const given = Object.entries(jsonObject(run.arguments) ?? {})
  const chosen = chosenTasks(run)
  return (
    <dl className={runClasses.bar} aria-label={t('page.facts')}>
      {isQueuing ? (
        <Fact name={t('page.queued')}>
          <Duration since={since} />{' '}
          {pool === null ? t('page.forExecutor') : t(hasNoSlots ? 'page.noSlots' : 'page.forPool', { pool })}
        </Fact>
      ) : (
        <Fact name={t(run.status === 'paused' ? 'page.active' : 'page.duration')}>
          <JobRunDuration run={run} />
        </Fact>
      )}
      <Waited run={run} />
      <Fact name={t('page.tasks')}>
        <TaskCounts counts={run.task_counts} />
      </Fact>
      <Fact name={t('page.startedBy')}>
        <StartedBy run={run} />
      </Fact>
      <Fact name={t(began === null ? 'page.created' : 'page.started')}>
        <AbsoluteTime at={since} />
      </Fact>
      {isSameMinute(run.logical_date, since) ? null : (
        <Fact name={t('page.logicalDate')}>
          <LogicalDate at={run.logical_date} timezone={run.timezone} />
        </Fact>
      )}
      <Fact name={t('page.version')}>{t('page.versionText', { version: run.template_version })}</Fact>
      {run.rerun_of === null ? null : (
        <Fact name={t('page.rerunOf')}>
          <Link to={paths.jobRun(run.rerun_of)}>{t('page.link', { id: run.rerun_of })}</Link>
        </Fact>
      )}
      {run.backfill_id === null ? null : (
        <Fact name={t('page.backfill')}>
          <Link to={paths.jobRuns({ backfill_id: run.backfill_id })}>{t('page.oneBackfill')}</Link>
        </Fact>
      )}
      {chosen ? (
        <Fact name={t('page.selected')} title={chosen.join(', ')}>
          {chosen.length === 1 ? chosen[0] : t('page.selectedTasks', { count: chosen.length })}
          {run.skip_deps === 1 ? null : ` ${t('page.withDeps')}`}
        </Fact>
      ) : null}
      {run.full_refresh ? <Fact name={t('page.state')}>{t('page.fullRefresh')}</Fact> : null}
      {run.priority === 0 ? null : <Fact name={t('page.priority')}>{run.priority}</Fact>}
      {given.length > 0 ? (
        <Fact name={t('page.arguments')} title={t('page.argumentsTitle')}>
          <code>{given.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(' ')}</code>
        </Fact>
      ) : null}
    </dl>
  )
}
