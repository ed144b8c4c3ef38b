/**
 * The rule of cron on the clocks of a zone, as naively as it can be written: minute by minute through real time, with nothing but
 * `Intl` for the clocks and a list of numbers for each field. What fires is found here first; implementations have to agree.
 */
const minute = 60_000
const ranges = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const
const names = ['jan feb mar apr may jun jul aug sep oct nov dec'.split(' '), 'sun mon tue wed thu fri sat'.split(' ')]

function numbersOf(text: string, index: number): Set<number> {
  const [min, max] = ranges[index]!
  const number = (word: string): number => {
    const named = index < 3 ? -1 : names[index - 3]!.indexOf(word.toLowerCase())
    return named < 0 ? Number(word) : index === 3 ? named + 1 : named
  }
  const found = new Set<number>()
  for (const item of text.split(',')) {
    const [range = '', step = '1'] = item.split('/')
    const [from, to] = range === '*' ? [min, max] : range.split('-').map(number)
    for (let value = from!; value <= (to ?? from!); value += Number(step)) found.add(index === 4 ? value % 7 : value)
  }
  return found
}

interface Fields {
  sets: Set<number>[]
  eitherDay: boolean
  everyHour: boolean
  repeats: boolean
}

function read(expression: string): Fields {
  const parts = expression.split(' ')
  const sets = parts.map(numbersOf)
  const everyHour = sets[1]!.size === 24
  return {
    sets,
    eitherDay: parts[2] !== '*' && parts[4] !== '*',
    everyHour,
    repeats: everyHour || parts[0]!.startsWith('*'),
  }
}

/** `local`: a wall clock as if it were UTC. */
function fits({ sets, eitherDay }: Fields, local: number): boolean {
  const date = new Date(local)
  const day = sets[2]!.has(date.getUTCDate())
  const weekday = sets[4]!.has(date.getUTCDay())
  return (
    sets[0]!.has(date.getUTCMinutes()) &&
    sets[1]!.has(date.getUTCHours()) &&
    sets[3]!.has(date.getUTCMonth() + 1) &&
    (eitherDay ? day || weekday : day && weekday)
  )
}

export function wallClock(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  return (at) => Date.parse(`${format.format(at).replace(', ', 'T')}:00Z`)
}

export interface Minute {
  at: number
  /** What the clocks show, as if it were UTC. */
  local: number
}

/** What the clocks of a zone show, minute by minute: from a day and an hour before `from`, as they repeat themselves no longer. */
export function minutesOf(zone: string, from: number, to: number): Minute[] {
  const clock = wallClock(zone)
  const minutes: Minute[] = []
  for (let at = from - 25 * 60 * minute; at < to; at += minute) minutes.push({ at, local: clock(at) })
  return minutes
}

/** Every firing from `from` on. */
export function walk(expression: string, minutes: readonly Minute[], from: number): number[] {
  const fields = read(expression)
  const firings: number[] = []
  const seen = new Set<number>()
  let previous: number | null = null
  for (const { at, local } of minutes) {
    let fires = fits(fields, local) && (fields.repeats || !seen.has(local))
    if (previous !== null && !fields.everyHour) {
      for (let lost = previous + minute; lost < local; lost += minute) fires ||= fits(fields, lost)
    }
    if (fires && at >= from) firings.push(at)
    seen.add(local)
    previous = local
  }
  return firings
}
