import { IconBolt, IconPlayerPause } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listLimit } from '../../../contract/common.ts'
import { listEventTriggers } from '../../../contract/event-triggers.ts'
import { getScheduler } from '../../../contract/scheduler.ts'
import { type Trigger, getTriggerCalendar, listTriggers } from '../../../contract/triggers.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { dateText } from '../../ui/format.ts'
import { useNow } from '../../ui/ticker.ts'
import { ownZone } from '../../ui/time.ts'
import { useCronWords } from '../triggers/use-cron-words.ts'
import classes from './JobOverview.module.css'
import shared from './jobs.module.css'
import { comingOf, spanOf } from './next-firings.rules.ts'

const shown = 6
/** Also those of this minute that are over already. */
const most = 4 * shown

const isElsewhere = ({ cron_expression, timezone }: Trigger): boolean =>
  cron_expression !== null && timezone !== ownZone()

/** Of a trigger: its schedule, in words where few of them say it. */
function useTriggerNames(jobId: number) {
  const { t } = useTranslation('jobs')
  const words = useCronWords()
  const triggers = useOperation(listTriggers, { query: { job_id: jobId, limit: listLimit.maximum } })
  const byId = useMemo(
    () => new Map<number, Trigger>(triggers.data?.result.map((trigger) => [trigger.id, trigger])),
    [triggers.data],
  )
  const nameOf = (id: number): string => {
    const trigger = byId.get(id)
    if (trigger?.type === 'one_off') return t('firings.once')
    if (!trigger?.cron_expression) return `#${id}`
    const schedule = words(trigger.cron_expression) ?? trigger.cron_expression
    // Its times are of its zone; those beside it are of this window's.
    return isElsewhere(trigger) ? `${schedule} ·\u00a0${trigger.timezone}` : schedule
  }
  return nameOf
}

/** When the job starts next by itself, and on which events. */
export function NextFirings({ jobId }: { jobId: number }) {
  const { t } = useTranslation('jobs')
  const now = useNow()
  const { from, to } = spanOf(now)
  const query = useMemo(() => ({ from, to, job_id: jobId, limit: most }), [from, to, jobId])
  const calendar = useOperation(getTriggerCalendar, { query }, { keepPrevious: true })
  const events = useOperation(listEventTriggers, { query: { job_id: jobId, enabled: true, limit: shown } })
  const paused = useOperation(getScheduler).data?.paused ?? false
  const nameOf = useTriggerNames(jobId)
  const described = (trigger: number, task: string | null) => [nameOf(trigger), task].filter(Boolean).join(' ·\u00a0')
  const coming = comingOf(calendar.data?.entries ?? [], now).slice(0, shown)
  const onEvents = events.data?.result ?? []
  const error = calendar.error ?? events.error
  const known = calendar.data && events.data
  return (
    <section className={classes.firings} aria-labelledby="job-firings">
      <div className={classes.above}>
        <h2 id="job-firings">{t('firings.title')}</h2>
        <Link to={paths.job(jobId, { tab: 'triggers' })}>{t('firings.all')}</Link>
      </div>
      {error && !known ? (
        <ErrorState
          what="schedule"
          compact
          error={error}
          onRetry={() => {
            void calendar.refetch()
            void events.refetch()
          }}
        />
      ) : null}
      {known && coming.length + onEvents.length === 0 ? <p className={shared.muted}>{t('firings.none')}</p> : null}
      {paused && coming.length + onEvents.length > 0 ? (
        <p className={classes.resting}>
          <IconPlayerPause size={14} aria-hidden /> {t('firings.paused')}
        </p>
      ) : null}
      <ul>
        {coming.map(({ at, trigger_id: trigger, task_key: task }) => (
          <li key={`${at} ${trigger}`}>
            <span className={classes.firing}>
              <time dateTime={at}>{dateText(new Date(at), 'momentInZone')}</time>
              <span className={shared.muted}>
                <RelativeTime at={at} />
              </span>
            </span>
            <Link
              className={classes.trigger}
              to={paths.triggers({ view: 'list', job_id: jobId, trigger })}
              title={described(trigger, task)}
            >
              {described(trigger, task)}
            </Link>
          </li>
        ))}
        {onEvents.map(({ id, name }) => (
          <li key={id}>
            <IconBolt size={14} aria-hidden />
            <span className={shared.clip} title={name}>
              {t('firings.onEvent', { name })}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
