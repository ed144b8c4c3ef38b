import { Popover, VisuallyHidden } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { memo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import type { RecentRun, RecentRuns } from '../../../contract/recent-runs.ts'
import { translateError } from '../../i18n/translate.ts'
import { paths } from '../../paths.ts'
import { RunBar } from '../../ui/RunBar.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { StatusSince } from '../../ui/StatusSince.tsx'
import { TimeSince } from '../../ui/TimeSince.tsx'
import { dateText, ratioText } from '../../ui/format.ts'
import { isUnfinished } from '../../ui/status.ts'
import { durationText } from '../../ui/time.ts'
import classes from './recent-runs.module.css'
import { barHeights, lookOf, successOf, unfinishedSince } from './recent-runs.rules.ts'
import { orDash } from '../../ui/nothing.tsx'

const pathOf = ({ kind, id }: RecentRun) => (kind === 'run' ? paths.run(id) : paths.jobRun(id))

/** Milliseconds that the pointer rests on a bar before it says more: rows that are scrolled past below it say nothing. */
const rest = 120

function RunCard({ run, recent }: { run: RecentRun; recent: RecentRuns }) {
  const { t } = useTranslation('lists')
  const { succeeded, ended } = successOf(recent.runs)
  const failure = recent.last_failure
  return (
    <div className={classes.card}>
      <div className={classes.line}>
        <StatusBadge status={lookOf(run)} />
        <span className={classes.faint}>#{run.id}</span>
      </div>
      <div>{dateText(new Date(run.started_at ?? run.created_at), 'moment')}</div>
      {run.duration_ms === null ? null : <div>{durationText(run.duration_ms)}</div>}
      {run.error_message ? <div className={classes.error}>{translateError(run)}</div> : null}
      <div className={classes.sum}>
        {ended > 0 ? t('history.succeeded', { succeeded, ended }) : t('history.noneEnded')}
        {failure ? (
          <>
            {' · '}
            {t('history.lastFailure')} <RelativeTime at={failure.completed_at ?? failure.created_at} />
          </>
        ) : null}
      </div>
    </div>
  )
}

/** The newest runs as bars, newest right: color is status, height is duration, and those that have not ended are outlined; the one under the pointer says more. */
export const RunHistory = memo(function RunHistory({
  recent,
  hasRun,
  slots = 20,
}: {
  recent: RecentRuns | undefined
  /** It has run or was triggered: what is not here was removed, or didn’t start. */
  hasRun: boolean
  slots?: number
}) {
  const { t } = useTranslation('lists')
  const { t: word } = useTranslation()
  const navigate = useNavigate()
  const [hovered, setHovered] = useState<number | null>(null)
  const show = useDebouncedCallback(setHovered, rest)
  const hide = () => {
    show.cancel()
    setHovered(null)
  }
  if (!recent) return null
  if (recent.runs.length === 0)
    return <span className={classes.faint}>{t(hasRun ? 'history.noneKept' : 'history.none')}</span>
  const shown = recent.runs.slice(0, slots).toReversed()
  const heights = barHeights(shown)
  const run = hovered === null ? undefined : shown[hovered]
  const { succeeded, ended } = successOf(recent.runs)
  const newest = shown.at(-1)
  return (
    <span className={classes.bars} role="presentation" onMouseLeave={hide}>
      <VisuallyHidden>
        {[
          t('history.label', { count: shown.length }),
          newest ? word(`status.${lookOf(newest)}`) : '',
          t('history.succeeded', { succeeded, ended }),
        ].join(', ')}
      </VisuallyHidden>
      {shown.map((one, index) => (
        // A link of the router takes ten times as long to make, and a list has hundreds of bars.
        <a
          key={one.id}
          href={pathOf(one)}
          tabIndex={-1}
          aria-hidden
          className={classes.slot}
          onMouseEnter={() => (hovered === null ? show : setHovered)(index)}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
            event.preventDefault()
            void navigate(pathOf(one))
          }}
        >
          <RunBar status={lookOf(one)} share={heights[index] ?? 0} />
        </a>
      ))}
      {run ? (
        <Popover opened withRoles={false} position="bottom" offset={6} shadow="md">
          <Popover.Target>
            <span className={classes.anchor} style={{ left: (hovered ?? 0) * 7 }} />
          </Popover.Target>
          <Popover.Dropdown p={10} className={classes.dropdown}>
            <RunCard run={run} recent={recent} />
          </Popover.Dropdown>
        </Popover>
      ) : null}
    </span>
  )
})

/** How the newest run ended and when it began, or how long it has been running or waiting. */
export function LastRun({ recent }: { recent: RecentRuns | undefined }) {
  const run = recent?.runs[0]
  if (!run) return orDash(null)
  return (
    <StatusSince status={<StatusBadge status={lookOf(run)} />}>
      <Link
        to={pathOf(run)}
        className={classes.time}
        tabIndex={-1}
        title={run.error_message ? (translateError(run) ?? undefined) : undefined}
      >
        {isUnfinished(run.status) ? (
          <TimeSince at={unfinishedSince(run)} />
        ) : (
          <RelativeTime at={run.started_at ?? run.created_at} />
        )}
      </Link>
    </StatusSince>
  )
}

/** `85%` of the newest runs that ended: of so few, no two shares are nearer to each other. */
export function SuccessRate({ recent }: { recent: RecentRuns | undefined }) {
  const { t } = useTranslation('lists')
  const { succeeded, ended } = successOf(recent?.runs ?? [])
  if (ended === 0) return orDash(null)
  return <span title={t('history.succeeded', { succeeded, ended })}>{ratioText(succeeded / ended, 0)}</span>
}

/** When the newest failed run was, and the way to it. */
export function LastFailure({ recent }: { recent: RecentRuns | undefined }) {
  const failure = recent?.last_failure
  if (!failure) return orDash(null)
  return (
    <Link to={pathOf(failure)} tabIndex={-1} title={translateError(failure) ?? undefined}>
      <RelativeTime at={failure.completed_at ?? failure.created_at} />
    </Link>
  )
}
