import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { Status } from '../../ui/status.ts'
import type { CalendarDay, CellOutcome, DayEntry } from './calendar-days.ts'
import classes from './triggers.module.css'
import { dateText } from '../../ui/format.ts'

/** How the outcomes of firings look. */
export const outcomeLooks = {
  coming: 'waiting',
  started: 'success',
  overlap: 'skipped',
  missed: 'completed',
  failed: 'failed',
} as const satisfies Record<CellOutcome, Status>

const shownPerDay = { month: 4, week: 24 } as const

const clockTime = (at: string) => dateText(new Date(at), 'clock')

function Entry({ entry, paused }: { entry: DayEntry; paused: boolean }) {
  const { t } = useTranslation('triggers')
  const held = paused && entry.outcome === 'coming'
  const word = held ? t('comingPaused') : t(`outcome.${entry.outcome}`)
  const to =
    entry.job_run_id === null
      ? paths.triggers({ view: 'list', trigger: entry.trigger_id })
      : paths.jobRun(entry.job_run_id)
  return (
    <Link
      to={to}
      className={classes.entry}
      data-off={!entry.enabled || held || undefined}
      title={[clockTime(entry.first), entry.job_name, entry.task_key, word, entry.message].filter(Boolean).join(' · ')}
    >
      <StatusBadge status={held ? 'paused' : outcomeLooks[entry.outcome]} size="icon" label={word} />
      <span className={classes.time}>{clockTime(entry.first)}</span>
      <span className={classes.name}>{entry.task_key ? `${entry.job_name} · ${entry.task_key}` : entry.job_name}</span>
      {entry.count > 1 ? <span className={classes.count}>{t('times', { count: entry.count })}</span> : null}
    </Link>
  )
}

interface DayProps {
  day: CalendarDay
  most: number
  isToday: boolean
  paused: boolean
}

function Day({ day, most, isToday, paused }: DayProps) {
  const { t } = useTranslation('triggers')
  const [open, setOpen] = useState(false)
  const shown = open ? day.entries : day.entries.slice(0, most)
  return (
    <div className={classes.day} data-outside={!day.inSpan || undefined} role="gridcell">
      <span className={classes.number} data-today={isToday || undefined}>
        {day.day.getDate()}
      </span>
      {shown.map((entry) => (
        <Entry key={entry.key} entry={entry} paused={paused} />
      ))}
      {shown.length < day.entries.length ? (
        <button type="button" className={classes.more} onClick={() => setOpen(true)}>
          {t('more', { count: day.entries.length - shown.length })}
        </button>
      ) : null}
    </div>
  )
}

export interface CalendarProps {
  days: readonly CalendarDay[]
  view: 'month' | 'week'
  /** Date key of this day. */
  today: string
  label: string
  /** Nothing that is to come fires. */
  paused: boolean
}

/** Whole weeks, Monday first; each day with its firings, those of one trigger in one line. */
export function Calendar({ days, view, today, label, paused }: CalendarProps) {
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
  return (
    <div className={classes.calendar} role="grid" aria-label={label} tabIndex={0}>
      <div role="row" style={{ display: 'contents' }}>
        {days.slice(0, 7).map((day) => (
          <div key={day.date} className={classes.weekday} role="columnheader">
            {dateText(day.day, 'weekday')}
          </div>
        ))}
      </div>
      {weeks.map((week) => (
        <div key={week[0]?.date} role="row" style={{ display: 'contents' }}>
          {week.map((day) => (
            <Day key={day.date} day={day} most={shownPerDay[view]} isToday={day.date === today} paused={paused} />
          ))}
        </div>
      ))}
    </div>
  )
}
