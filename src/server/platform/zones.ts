/** What the clocks of a place do: offsets from UTC and the moments at which they change. */

/** The clocks change at this moment, from one offset to the other. */
export interface Transition {
  at: number
  before: number
  after: number
}
export interface Zone {
  /** Local time minus UTC, in milliseconds. */
  offsetAt(at: number): number
  /** The first change after this moment and before `until`. */
  nextTransition(at: number, until: number): Transition | null
  /** The last change at or before this moment that is less than `span` ago. */
  lastTransition(at: number, span: number): Transition | null
}

/** On the clocks of the zone, with their offset: `2026-03-29T03:00:00+02:00`. `digits` is the length of the local part: 19 to the second, 23 to the millisecond. */
export function localTime(at: number, timezone: string, digits: 19 | 23 = 19): string {
  const offset = zoneOf(timezone)?.offsetAt(at) ?? 0
  const text = new Date(at + offset).toISOString().slice(0, digits)
  const minutes = Math.abs(Math.round(offset / 60_000))
  const two = (value: number) => String(value).padStart(2, '0')
  return `${text}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}

const dayMs = 86_400_000
const zones = new Map<string, Zone>()

/** undefined: there is no such zone. Offsets such as `+02:00` are none: they know no summer time. */
export function zoneOf(name: string): Zone | undefined {
  // Names are the same in capitals: there are only so many to keep.
  const key = name.toLowerCase()
  const known = zones.get(key)
  if (known) return known
  const zone = openZone(key)
  if (zone) zones.set(key, zone)
  return zone
}

function openZone(name: string): Zone | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: name, hourCycle: 'h23', ...fields })
    return zoneBy((at) => offsetOf(format, at))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const fields = {
  era: 'short',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const
const written = /^(\d+)\/(\d+)\/(\d+) (\w)\w*, (\d+):(\d+):(\d+)$/

function offsetOf(format: Intl.DateTimeFormat, at: number): number {
  const whole = Math.floor(at / 1000) * 1000
  const text = format.format(whole)
  const match = written.exec(text)
  if (!match) throw new Error(`A date in an unknown form: ${text}`)
  const [, month, day, year, era, hour, minute, second] = match
  const local = new Date(0)
  local.setUTCFullYear(era === 'B' ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day))
  local.setUTCHours(Number(hour), Number(minute), Number(second))
  return local.getTime() - whole
}

function zoneBy(offsetAt: (at: number) => number): Zone {
  const years = new Map<number, Transition[]>()

  function inYear(year: number): Transition[] {
    const known = years.get(year)
    if (known) return known
    const found: Transition[] = []
    const end = Date.UTC(year + 1, 0, 1)
    let at = Date.UTC(year, 0, 1)
    let offset = offsetAt(at)
    // Day by day: no place has changed its clocks to and fro within one.
    while (at < end) {
      const next = at + dayMs
      const later = offsetAt(next)
      if (later !== offset) found.push(between(at, next, offset, later))
      at = next
      offset = later
    }
    // Years are asked for one after the other, and seldom far from now.
    if (years.size >= 100) years.clear()
    years.set(year, found)
    return found
  }

  function between(from: number, to: number, before: number, after: number): Transition {
    let [low, high] = [from, to]
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000
      if (offsetAt(middle) === before) low = middle
      else high = middle
    }
    return { at: high, before, after }
  }

  const yearOf = (at: number) => new Date(at).getUTCFullYear()
  return {
    offsetAt,
    nextTransition(at, until) {
      for (let year = yearOf(at); year <= yearOf(until); year++) {
        const found = inYear(year).find((transition) => transition.at > at)
        if (found) return found.at < until ? found : null
      }
      return null
    },
    lastTransition(at, span) {
      for (let year = yearOf(at); year >= yearOf(at - span); year--) {
        const found = inYear(year).findLast((transition) => transition.at <= at)
        if (found) return found.at > at - span ? found : null
      }
      return null
    },
  }
}
