import { useTranslation } from 'react-i18next'
import { dateText } from '../../ui/format.ts'
import { CalendarCell, EntryLine } from './CalendarEntries.tsx'
import type { CalendarDay } from './calendar-days.ts'
import classes from './triggers.module.css'

/** Lines that a cell shows; all are in its card. */
const shownPerDay = 4

interface DayProps {
  day: CalendarDay
  isToday: boolean
  paused: boolean
}

function Day({ day, isToday, paused }: DayProps) {
  const { t } = useTranslation('triggers')
  const title = dateText(day.day, 'weekdayAndDay')
  const hidden = day.entries.length - shownPerDay
  const number = (
    <span className={classes.number} data-today={isToday || undefined}>
      {day.inSpan ? day.day.getDate() : dateText(day.day, 'dayAndMonth')}
    </span>
  )
  return (
    <div className={classes.dayCell} data-outside={!day.inSpan || undefined} role="gridcell">
      {day.entries.length === 0 ? (
        <div className={classes.day}>
          {number}
          {day.isCut ? <span className={classes.more}>{t('notShown')}</span> : null}
        </div>
      ) : (
        <CalendarCell
          title={title}
          label={t('dayLabel', { day: title, count: day.entries.reduce((sum, { count }) => sum + count, 0) })}
          entries={day.entries}
          paused={paused}
          className={classes.day}
        >
          {number}
          {day.entries.slice(0, hidden === 1 ? shownPerDay + 1 : shownPerDay).map((entry) => (
            <EntryLine key={entry.trigger_id} entry={entry} paused={paused} />
          ))}
          {hidden > 1 ? (
            <span className={classes.more}>{t(day.isCut ? 'moreOrMore' : 'more', { count: hidden })}</span>
          ) : null}
          {day.isCut && hidden <= 1 ? <span className={classes.more}>{t('restNotShown')}</span> : null}
        </CalendarCell>
      )}
    </div>
  )
}

export interface CalendarProps {
  days: readonly CalendarDay[]
  /** Date key of this day. */
  today: string
  label: string
  /** Nothing that is to come fires. */
  paused: boolean
}

/** Whole weeks, Monday first; each day with its firings, those of one trigger in one line, and a card with all of them. */
export function Calendar({ days, today, label, paused }: CalendarProps) {
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
            <Day key={day.date} day={day} isToday={day.date === today} paused={paused} />
          ))}
        </div>
      ))}
    </div>
  )
}
