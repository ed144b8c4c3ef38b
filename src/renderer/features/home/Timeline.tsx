import { IconPlayerPause } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { getScheduler } from '../../../contract/scheduler.ts'
import { getTriggerCalendar, listTriggers } from '../../../contract/triggers.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { Cut } from '../../ui/Cut.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { dateText } from '../../ui/format.ts'
import { statusColor } from '../../ui/status.ts'
import { useNow } from '../../ui/ticker.ts'
import { ownZone } from '../../ui/time.ts'
import { outcomeLooks } from '../triggers/CalendarEntries.tsx'
import shared from './home.module.css'
import { hoursAgo } from './hours-ago.ts'
import classes from './timeline.module.css'
import { type Lane, type Mark, lanesOf, ticksOf } from './timeline.rules.ts'

const before = 6
const after = 24
const shownLanes = 6
const mostEntries = 2000

const percent = (share: number) => `${(share * 100).toFixed(2)}%`

function FiringMark({ mark, lane }: { mark: Mark; lane: Lane }) {
  const { t } = useTranslation('home')
  const { t: tTriggers } = useTranslation('triggers')
  const moment = dateText(new Date(mark.first), 'clock')
  const words = [
    moment,
    tTriggers(`outcome.${mark.outcome}`),
    mark.count > 1 ? t('timeline.times', { count: mark.count }) : null,
    mark.message,
  ]
  const title = words.filter(Boolean).join(' · ')
  const style = { left: percent(mark.at), background: statusColor(outcomeLooks[mark.outcome]) }
  const shape = { className: classes.mark, 'data-outcome': mark.outcome, title, style } as const
  if (mark.outcome === 'coming') return <span {...shape} aria-hidden />
  const to = mark.job_run_id === null ? paths.job(lane.job_id, { tab: 'triggers' }) : paths.jobRun(mark.job_run_id)
  return <Link {...shape} to={to} aria-label={`${lane.job_name}: ${title}`} />
}

function LaneRow({ lane, now }: { lane: Lane; now: number }) {
  const { t } = useTranslation('home')
  return (
    <li className={classes.lane}>
      <Link to={paths.job(lane.job_id, { tab: 'triggers' })}>
        <Cut text={lane.job_name} />
      </Link>
      <span className={classes.track}>
        <span className={classes.now} style={{ left: percent(now) }} />
        {lane.marks.map((mark) => (
          <FiringMark key={mark.first} mark={mark} lane={lane} />
        ))}
      </span>
      <span className={classes.part}>
        {lane.amiss > 0 ? (
          <span className={classes.amiss}>{t('timeline.amiss', { count: lane.amiss })}</span>
        ) : (
          <RelativeTime at={lane.next} />
        )}
      </span>
    </li>
  )
}

/** The place of a line that is on its way. */
const Nothing = () => <p className={shared.calm}>{'\u00A0'}</p>

/** Where no lane has anything: when a trigger fires at all. */
function NothingNear() {
  const { t } = useTranslation('home')
  const triggers = useOperation(listTriggers, { query: { enabled: true, sort: 'next_fire_at', limit: 1 } })
  const next = triggers.data?.result[0]
  if (!triggers.data) return <Nothing />
  return (
    <p className={shared.calm}>
      {next?.next_fire_at ? (
        <span>
          {t('timeline.nextLater')} <Link to={paths.job(next.job_id, { tab: 'triggers' })}>{next.job_name}</Link>{' '}
          <RelativeTime at={next.next_fire_at} />
        </span>
      ) : (
        t('timeline.none')
      )}
    </p>
  )
}

/** What fired in the last hours and what will in the next day, a lane for each job; what was missed stands out. */
export function Timeline() {
  const { t } = useTranslation('home')
  const now = useNow()
  // The same for an hour, and so is the query.
  const start = hoursAgo(before, new Date(now))
  const [from, to] = useMemo(() => {
    const begin = new Date(start)
    return [begin, new Date(begin.getTime() + (before + after) * 3_600_000)] as const
  }, [start])
  const calendar = useOperation(
    getTriggerCalendar,
    { query: { from: from.toISOString(), to: to.toISOString(), limit: mostEntries } },
    { keepPrevious: true },
  )
  const scheduler = useOperation(getScheduler)
  const lanes = useMemo(() => lanesOf(calendar.data?.entries ?? [], from, to), [calendar.data, from, to])
  const ticks = useMemo(() => ticksOf(from, to, 6), [from, to])
  const position = (now - from.getTime()) / (to.getTime() - from.getTime())
  const shownTicks = ticks.filter(({ at }) => Math.abs(at - position) > 0.07)
  // The same hour of two days is told apart.
  const today = new Date(now).getDate()
  const turn = shownTicks.find(({ at, moment }) => at > position && moment.getDate() !== today)?.moment
  const hidden = lanes.length - shownLanes
  const truncated = calendar.data?.truncated === true
  return (
    <section className={shared.section} aria-labelledby="home-timeline">
      <div className={shared.head}>
        <h2 id="home-timeline">{t('timeline.title')}</h2>
        {lanes.length > 0 ? <span className={shared.scale}>{t('timeline.zone', { zone: ownZone() })}</span> : null}
        {scheduler.data?.paused ? (
          <span className={shared.paused}>
            <IconPlayerPause size={14} aria-hidden /> {t('timeline.paused')}
          </span>
        ) : null}
        <Link to={paths.triggers()}>{t('timeline.all')}</Link>
      </div>
      {calendar.error && !calendar.data ? (
        <ErrorState what="schedule" compact error={calendar.error} onRetry={() => void calendar.refetch()} />
      ) : null}
      {calendar.isPending ? <Nothing /> : null}
      {calendar.data && lanes.length === 0 ? <NothingNear /> : null}
      {lanes.length > 0 ? (
        <div className={classes.timeline} data-paused={scheduler.data?.paused || undefined}>
          <div className={classes.ticks} aria-hidden>
            {shownTicks.map(({ at, moment }) => (
              <span key={at} style={{ left: percent(at) }}>
                {dateText(moment, moment === turn ? 'shortMoment' : 'clock')}
              </span>
            ))}
            <b style={{ left: percent(position) }}>{t('timeline.now')}</b>
          </div>
          <ul>
            {lanes.slice(0, shownLanes).map((lane) => (
              <LaneRow key={lane.job_id} lane={lane} now={position} />
            ))}
          </ul>
          {hidden > 0 || truncated ? (
            <p className={classes.rest}>
              {hidden > 0 ? t('timeline.more', { count: hidden }) : null} {truncated ? t('timeline.truncated') : null}
            </p>
          ) : null}
        </div>
      ) : null}
    </section>
  )
}
