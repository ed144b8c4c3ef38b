/** The schedules most jobs have, as a choice instead of five fields. Pure. */
import { cronShape } from './cron-words.ts'

export const rhythms = ['hourly', 'daily', 'weekdays', 'weekly', 'monthly'] as const
export type Rhythm = (typeof rhythms)[number]

export interface Schedule {
  rhythm: Rhythm
  /** `07:00`; of an hourly one only the minute counts. */
  time: string
  /** Of the week, Monday = 1, or of the month. */
  day: number
}

const two = (value: number) => String(value).padStart(2, '0')

/** The choice that says exactly what the five fields say; undefined where none does. */
export function scheduleOf(cron: string): Schedule | undefined {
  const shape = cronShape(cron)
  if (shape?.kind === 'hourly') return { rhythm: 'hourly', time: `07:${two(shape.minute)}`, day: 1 }
  if (shape?.kind === 'daily') return { rhythm: 'daily', time: shape.time, day: 1 }
  if (shape?.kind === 'monthly') return { rhythm: 'monthly', time: shape.time, day: shape.day }
  if (shape?.kind !== 'weekly') return undefined
  const [first = 1, ...more] = shape.days
  if (more.length === 0) return { rhythm: 'weekly', time: shape.time, day: first }
  return shape.days.join() === '1,2,3,4,5' ? { rhythm: 'weekdays', time: shape.time, day: 1 } : undefined
}

export function cronOf({ rhythm, time, day }: Schedule): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  switch (rhythm) {
    case 'hourly':
      return `${minute} * * * *`
    case 'daily':
      return `${minute} ${hour} * * *`
    case 'weekdays':
      return `${minute} ${hour} * * 1-5`
    case 'weekly':
      // Cron has its Sunday at 0.
      return `${minute} ${hour} * * ${day % 7}`
    case 'monthly':
      return `${minute} ${hour} ${day} * *`
  }
}

/** `7:5` and `7:05` as `07:05`; undefined when it is no time of a day. */
export function readClock(text: string): string | undefined {
  const found = /^(\d{1,2}):(\d{1,2})$/.exec(text.trim())
  const [hour, minute] = [Number(found?.[1]), Number(found?.[2])]
  return found && hour < 24 && minute < 60 ? `${two(hour)}:${two(minute)}` : undefined
}
