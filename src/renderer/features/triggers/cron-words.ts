/** What five cron fields say, for the shapes that few words tell exactly; undefined for all others. Pure. */

export type CronShape =
  | { kind: 'everyMinutes'; count: number }
  | { kind: 'everyMinutesWithin'; count: number; from: string; to: string }
  | { kind: 'hourlyWithin'; from: string; to: string }
  | { kind: 'hourly'; minute: number }
  | { kind: 'everyHours'; count: number; minute: number }
  | { kind: 'daily'; time: string }
  | { kind: 'weekly'; days: number[]; time: string }
  | { kind: 'monthly'; day: number; time: string }

const two = (value: number) => String(value).padStart(2, '0')

function numberIn(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,2}$/.test(text) ? Number(text) : undefined
  return value !== undefined && value >= least && value <= most ? value : undefined
}

/** Of a step that comes out even: after the last one of the hour or day the same distance follows. */
function evenStep(text: string, span: number): number | undefined {
  const count = Number(/^\*\/(\d{1,2})$/.exec(text)?.[1])
  return count > 1 && count < span && span % count === 0 ? count : undefined
}

/** Days of the week, Monday = 1 … Sunday = 7: numbers, lists and ranges of them. */
function weekdays(text: string): number[] | undefined {
  const days = new Set<number>()
  for (const part of text.split(',')) {
    const found = /^([0-7])(?:-([0-7]))?$/.exec(part)
    if (!found) return undefined
    const [from, to] = [Number(found[1]), Number(found[2] ?? found[1])]
    if (from > to) return undefined
    for (let day = from; day <= to; day += 1) days.add(day === 0 ? 7 : day)
  }
  return [...days].toSorted((a, b) => a - b)
}

/** Hours of a day in a row, `8-18`. */
function hoursWithin(text: string): { first: number; last: number } | undefined {
  const [from = '', to = '', ...more] = text.split('-')
  const [first, last] = [numberIn(from, 0, 23), numberIn(to, 0, 23)]
  return more.length > 0 || first === undefined || last === undefined || first >= last ? undefined : { first, last }
}

export function cronShape(expression: string): CronShape | undefined {
  const [minutes = '', hours = '', day = '', month = '', weekday = '', ...more] = expression.trim().split(/\s+/)
  if (more.length > 0 || month !== '*') return undefined
  const everyDay = day === '*' && weekday === '*'
  const everyMinutes = evenStep(minutes, 60)
  if (everyMinutes && hours === '*' && everyDay) return { kind: 'everyMinutes', count: everyMinutes }
  const within = everyDay ? hoursWithin(hours) : undefined
  if (everyMinutes && within) {
    const to = `${two(within.last)}:${60 - everyMinutes}`
    return { kind: 'everyMinutesWithin', count: everyMinutes, from: `${two(within.first)}:00`, to }
  }
  const minute = numberIn(minutes, 0, 59)
  if (minute === undefined) return undefined
  if (hours === '*' && everyDay) return { kind: 'hourly', minute }
  if (within) {
    const at = (hour: number) => `${two(hour)}:${two(minute)}`
    return { kind: 'hourlyWithin', from: at(within.first), to: at(within.last) }
  }
  const everyHours = evenStep(hours, 24)
  if (everyHours && everyDay) return { kind: 'everyHours', count: everyHours, minute }
  const hour = numberIn(hours, 0, 23)
  if (hour === undefined) return undefined
  const time = `${two(hour)}:${two(minute)}`
  if (everyDay) return { kind: 'daily', time }
  if (day === '*') {
    const days = weekdays(weekday)
    return days && days.length < 7 ? { kind: 'weekly', days, time } : days && { kind: 'daily', time }
  }
  const monthDay = numberIn(day, 1, 31)
  return monthDay !== undefined && weekday === '*' ? { kind: 'monthly', day: monthDay, time } : undefined
}
