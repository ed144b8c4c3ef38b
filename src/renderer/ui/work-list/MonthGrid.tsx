import { ActionIcon, Group } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { dateText } from '../format.ts'
import { monthDays, sameDay } from './span.rules.ts'
import classes from './work-list.module.css'

interface MonthGridProps {
  /** One day, or the first and the last of a span. */
  picked: readonly Date[]
  onPick: (day: Date) => void
}

/** The days of a month; arrow keys go from day to day. */
export function MonthGrid({ picked, onPick }: MonthGridProps) {
  const { t } = useTranslation()
  const [month, setMonth] = useState(() => picked.at(-1) ?? new Date())
  const [today] = useState(() => new Date())
  const [cursor, setCursor] = useState(() => picked.at(-1) ?? new Date())
  const days = monthDays(month)
  const turn = (by: number) => setMonth(new Date(month.getFullYear(), month.getMonth() + by, 1))
  const [first, last = first] = picked
  const isPicked = (day: Date) => picked.some((one) => sameDay(one, day))
  const isInside = (day: Date) => first !== undefined && last !== undefined && day > first && day < last
  const moves: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
  const onKeyDown = (event: React.KeyboardEvent<HTMLElement>) => {
    const by = moves[event.key]
    if (by === undefined) return
    event.preventDefault()
    const next = new Date(cursor.getFullYear(), cursor.getMonth(), cursor.getDate() + by)
    const grid = event.currentTarget.parentElement
    // At once: a key that follows before the next frame belongs to that day.
    flushSync(() => {
      setCursor(next)
      if (next.getMonth() !== month.getMonth()) setMonth(next)
    })
    grid?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }
  return (
    <div>
      <Group justify="space-between" gap={4}>
        <ActionIcon aria-label={t('day.monthBefore')} onClick={() => turn(-1)}>
          <IconChevronLeft size={15} />
        </ActionIcon>
        <span className={classes.month} aria-live="polite">
          {dateText(month, 'month')}
        </span>
        <ActionIcon aria-label={t('day.monthAfter')} onClick={() => turn(1)}>
          <IconChevronRight size={15} />
        </ActionIcon>
      </Group>
      <div className={classes.days}>
        {days.slice(0, 7).map((day) => (
          <span key={day.getDay()} className={classes.weekday} aria-hidden>
            {dateText(day, 'weekday').slice(0, 2)}
          </span>
        ))}
        {days.map((day) => (
          <button
            key={day.getTime()}
            type="button"
            className={classes.day}
            tabIndex={sameDay(day, cursor) ? 0 : -1}
            // Where the month opens, the day that is picked takes the keys.
            data-autofocus={sameDay(day, cursor) || undefined}
            aria-label={dateText(day, 'weekdayAndDay')}
            aria-pressed={isPicked(day)}
            data-inside={isInside(day) || undefined}
            data-other={day.getMonth() !== month.getMonth() || undefined}
            data-today={sameDay(day, today) || undefined}
            onKeyDown={onKeyDown}
            onClick={() => {
              setCursor(day)
              onPick(day)
            }}
          >
            {day.getDate()}
          </button>
        ))}
      </div>
    </div>
  )
}
