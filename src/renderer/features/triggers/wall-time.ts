/** Moments as clocks of a time zone show them: `2026-12-01 07:00`. Pure. */

type Parts = [year: number, month: number, day: number, hour: number, minute: number, second: number]

/** What clocks of the zone show, as if it were UTC. */
function shown(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
}

function readParts(text: string): Parts | undefined {
  const found = /^(\d{4})-(\d{1,2})-(\d{1,2})[ T](\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text)
  if (!found) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0))
  const real = new Date(Date.UTC(year, month - 1, day))
  const isDay = real.getUTCMonth() === month - 1 && real.getUTCDate() === day
  return isDay && hour < 24 && minute < 60 && second < 60 ? [year, month - 1, day, hour, minute, second] : undefined
}

/**
 * The moment that the text names, in UTC; undefined when it names none. A text with an offset is taken as it is. Of an hour that clocks show
 * twice, the first; of one that they skip, the same time after.
 */
export function momentOf(text: string, timeZone: string): string | undefined {
  const parts = readParts(text.trim())
  if (!parts) {
    const hasOffset = /[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/.test(text.trim())
    const at = hasOffset ? Date.parse(text.trim()) : Number.NaN
    return Number.isNaN(at) ? undefined : new Date(at).toISOString()
  }
  const wall = Date.UTC(...parts)
  const day = 86_400_000
  // The offsets of the days around it are the only ones that can hold.
  const offsets = [wall - day, wall + day].map((at) => shown(at, timeZone) - at)
  const candidates = offsets.map((offset) => wall - offset)
  const real = candidates.filter((at) => shown(at, timeZone) === wall)
  return new Date(real.length > 0 ? Math.min(...real) : Math.max(...candidates)).toISOString()
}

/** As clocks of the zone show it; a moment that this text would not name exactly stays as it is written. */
export function wallText(moment: string, timeZone: string): string {
  const text = new Date(shown(Date.parse(moment), timeZone)).toISOString().replace('T', ' ').slice(0, 19)
  const short = text.endsWith(':00') ? text.slice(0, -3) : text
  return momentOf(short, timeZone) === new Date(moment).toISOString() ? short : moment
}
