import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { cronShape } from './cron-words.ts'
import { dateText, listText } from '../../ui/format.ts'

/** A Monday. */
const monday = Date.UTC(2024, 0, 1)
export const weekdayName = (day: number) => dateText(new Date(monday + (day - 1) * 86_400_000), 'longWeekday', 'UTC')

/** `07:30` with the hours of the system. */
function clockOf(time: string): string {
  const [hours, minutes] = time.split(':').map(Number)
  return dateText(new Date(Date.UTC(2024, 0, 1, hours, minutes)), 'clock', 'UTC')
}
const clocksOf = (shape: object) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' && name !== 'kind' ? clockOf(value) : value,
    ]),
  )

/** Five fields in words; undefined where few words would not be exact. */
export function useCronWords(): (expression: string) => string | undefined {
  const { t } = useTranslation('triggers')
  return useCallback(
    (expression) => {
      const shape = cronShape(expression)
      if (shape?.kind !== 'weekly') {
        // Each of these sentences takes its own of them.
        return (
          shape &&
          t(`words.${shape.kind}`, { count: 0, minute: 0, day: 0, time: '', from: '', to: '', ...clocksOf(shape) })
        )
      }
      const { days } = shape
      const time = clockOf(shape.time)
      const [first = 1] = days
      const last = days.at(-1) ?? first
      // Three and more in a row are told by the first and the last.
      if (days.length > 2 && last - first === days.length - 1) {
        return t('words.range', { from: weekdayName(first), to: weekdayName(last), time })
      }
      return t('words.weekly', { days: listText(days.map(weekdayName)), time })
    },
    [t],
  )
}
