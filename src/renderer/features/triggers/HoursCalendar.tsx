import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { dateText } from '../../ui/format.ts'
import type { CalendarProps } from './Calendar.tsx'
import { CalendarCell, EntryLine } from './CalendarEntries.tsx'
import type { CalendarDay, SlotEntry } from './calendar-days.ts'
import own from './HoursCalendar.module.css'
import classes from './triggers.module.css'

const hours = Array.from({ length: 24 }, (_, hour) => hour)
const hourText = (hour: number, minutes = 0) => `${String(hour).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
/** Lines that an hour shows; all are in its card. */
const shownPerHour = 3
/** Of the days, which stay in view. */
const headHeight = 28

/** The hour that says that others are not shown: the one after the last entry. */
const cutAt = ({ hours: held }: CalendarDay) =>
  Math.min(23, (hours.findLast((hour) => (held[hour]?.length ?? 0) > 0) ?? 0) + 1)

function Hour({ title, entries, paused }: { title: string; entries: readonly SlotEntry[]; paused: boolean }) {
  const { t } = useTranslation('triggers')
  if (entries.length === 0) return null
  const hidden = entries.length - shownPerHour
  return (
    <CalendarCell
      title={title}
      label={t('dayLabel', { day: title, count: entries.reduce((sum, { count }) => sum + count, 0) })}
      entries={entries}
      paused={paused}
      className={classes.hourEntries}
    >
      {entries.slice(0, shownPerHour).map((entry) => (
        <EntryLine key={entry.trigger_id} entry={entry} paused={paused} />
      ))}
      {hidden > 0 ? <span className={classes.more}>{t('more', { count: hidden })}</span> : null}
    </CalendarCell>
  )
}

/** Seven days from the first on, hour by hour; opens at this hour, or at the first that holds anything. */
export function HoursCalendar({ days, today, label, paused, now: moment }: CalendarProps & { now: Date }) {
  const { t } = useTranslation('triggers')
  const now = moment.getHours()
  const box = useRef<HTMLDivElement>(null)
  const first = days[0]?.date
  const isThisWeek = days.some(({ date }) => date === today)
  const minutes = moment.getMinutes()
  const ofHour = `${(minutes / 60) * 100}%`
  // The time of now stands where its name is.
  const hidden = isThisWeek ? (minutes < 36 ? now : now + 1) : null
  const start = isThisWeek ? now : hours.find((hour) => days.some((day) => (day.hours[hour]?.length ?? 0) > 0))
  const isFilled = days.some((day) => day.entries.length > 0)
  useEffect(() => {
    const row = box.current?.querySelector<HTMLElement>(`[data-hour="${Math.max(0, (start ?? 6) - 1)}"]`)
    // Days that show this hour as they are begin at their beginning.
    if (!row || !box.current || row.offsetTop + 3 * row.offsetHeight <= box.current.clientHeight) return
    box.current.scrollTop = row.offsetTop - headHeight
    // Only where other days are shown, and when their entries arrive, which make hours higher: it stays where the user has scrolled to.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [first, isFilled])
  return (
    <div className={own.hours} role="grid" aria-label={label} tabIndex={0} ref={box}>
      <div role="row" style={{ display: 'contents' }}>
        <div className={classes.weekday} role="presentation" />
        {days.map((day) => (
          <div
            key={day.date}
            className={classes.weekday}
            role="columnheader"
            data-today={day.date === today || undefined}
          >
            {dateText(day.day, 'weekdayAndDate')}
            {day.isCut && day.entries.length === 0 ? <span className={classes.more}>{t('notShown')}</span> : null}
          </div>
        ))}
      </div>
      {hours.map((hour) => (
        <div key={hour} role="row" style={{ display: 'contents' }}>
          <div className={own.hour} role="rowheader" data-hour={hour} data-hidden={hour === hidden || undefined}>
            <span>{hourText(hour)}</span>
            {isThisWeek && hour === now ? (
              <span className={own.clock} style={{ top: ofHour }} aria-hidden>
                {hourText(now, minutes)}
              </span>
            ) : null}
          </div>
          {days.map((day) => (
            <div key={day.date} className={own.hourCell} role="gridcell">
              {day.date === today && hour === now ? (
                <span className={own.now} style={{ top: ofHour }} aria-hidden />
              ) : null}
              <Hour
                title={`${dateText(day.day, 'weekdayAndDay')}, ${hourText(hour)}`}
                entries={day.hours[hour] ?? []}
                paused={paused}
              />
              {day.entries.length > 0 && day.isCut && hour === cutAt(day) ? (
                <span className={classes.more}>{t('restNotShown')}</span>
              ) : null}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}
