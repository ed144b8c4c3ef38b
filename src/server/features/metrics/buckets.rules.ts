/** Times cut into the hours, days, weeks and months of a time zone, and those into the roll-ups that they are put together from. */
import type { metricBuckets } from '../../../contract/metrics.ts'
import type { Zone } from '../../platform/zones.ts'
import { grainMs, grains, quarterMs } from './rollup.rules.ts'

export type BucketUnit = (typeof metricBuckets)[number]

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A time in which the clocks of the zone do not change. */
interface Steady {
  from: number
  until: number
  offset: number
}

function steadyTimes(zone: Zone, from: number, until: number): Steady[] {
  const found: Steady[] = []
  for (let at = from; at < until;) {
    const end = zone.nextTransition(at, until)?.at ?? until
    found.push({ from: at, until: end, offset: zone.offsetAt(at) })
    at = end
  }
  return found
}

/** On the clock of the zone, as if it were UTC: the start of the day, week or month, so many later. */
function startOf(unit: 'day' | 'week' | 'month', local: number, later: number): number {
  const date = new Date(local)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  const monday = unit === 'week' ? (date.getUTCDay() + 6) % 7 : 0
  // Date.UTC would take the years up to 99 for those of the last century.
  return unit === 'month'
    ? new Date(0).setUTCFullYear(year, month + later, 1)
    : new Date(0).setUTCFullYear(year, month, day - monday + later * (unit === 'week' ? 7 : 1))
}

/** The first moment at which the clock shows this time or a later one. */
function firstAt(steady: readonly Steady[], local: number): number | undefined {
  for (const { from, until, offset } of steady) {
    const at = Math.max(from, local - offset)
    if (at < until) return at
  }
  return undefined
}

const longest = { hour: hourMs, day: dayMs, week: 7 * dayMs, month: 31 * dayMs }

function calendarEdges(zone: Zone, from: number, to: number, unit: 'day' | 'week' | 'month', most: number): number[] {
  const margin = longest[unit] + 2 * dayMs
  const steady = steadyTimes(zone, from - margin, to + margin)
  const local = from + zone.offsetAt(from)
  const edges: number[] = []
  // One before: where the clocks were put back over midnight, `from` may be in the day before that on the clock.
  for (let later = -1; edges.length <= most + 2; later++) {
    const at = firstAt(steady, startOf(unit, local, later))
    if (at === undefined) break
    // A day that a place left out, to be on the other side of the date line, has no time.
    if (at !== edges.at(-1)) edges.push(at)
    if (at >= to) break
  }
  const first = edges.findLastIndex((at) => at <= from)
  return edges.slice(Math.max(first, 0))
}

/** Hours as the clock counts them; one in which it changes by less than an hour is cut there. */
function hourEdges(zone: Zone, from: number, to: number, most: number): number[] {
  const edges: number[] = []
  for (const { from: start, until, offset } of steadyTimes(zone, from - 2 * hourMs, to + 2 * hourMs)) {
    if (edges.length > 0) edges.push(start)
    for (let at = Math.ceil((start + offset) / hourMs) * hourMs - offset; at < until; at += hourMs) {
      if (at !== edges.at(-1)) edges.push(at)
      if (edges.length > most + 6) return withinOf(edges, from, to)
    }
  }
  return withinOf(edges, from, to)
}
const withinOf = (edges: readonly number[], from: number, to: number): number[] => {
  const first = edges.findLastIndex((at) => at <= from)
  const end = edges.findIndex((at) => at >= to)
  return edges.slice(Math.max(first, 0), end < 0 ? undefined : end + 1)
}

const down = (at: number) => Math.floor(at / quarterMs) * quarterMs
/** The last quarter of an hour whose time has a year of four digits. */
const last = Date.parse('9999-12-31T23:45:00.000Z')
const up = (at: number) => Math.min(Math.ceil(at / quarterMs) * quarterMs, last)

/** Where buckets begin, and the end of the last one. All of them are whole; more than `most` are cut off after the next. */
export function edgesOf(zone: Zone, from: number, to: number, unit: BucketUnit, most: number): number[] {
  if (unit === 'total') return [down(from), up(to)]
  if (unit === 'quarter_hour') {
    const count = Math.min((up(to) - down(from)) / quarterMs, most + 1)
    return Array.from({ length: count + 1 }, (_, n) => down(from) + n * quarterMs)
  }
  // Further on there are too many anyway: the clock changes of thousands of years would take seconds to find.
  const end = Math.min(to, from + (most + 10) * longest[unit])
  const found = unit === 'hour' ? hourEdges(zone, from, end, most) : calendarEdges(zone, from, end, unit, most)
  // Clocks of long ago were off by seconds.
  return found.map(down)
}

export interface Piece {
  grain: 0 | 1 | 2
  /** Numbers of buckets of this grain; `end` is the first one after. */
  first: number
  end: number
}

/** A time between quarter hours in the largest roll-ups that fit. */
export function piecesOf(from: number, to: number, grain: 0 | 1 | 2 = grains.day): Piece[] {
  if (from >= to) return []
  const ms = grainMs(grain)
  const first = Math.ceil(from / ms)
  const end = Math.floor(to / ms)
  if (grain === grains.quarter) return [{ grain, first, end }]
  const finer = grain === grains.day ? grains.hour : grains.quarter
  if (first >= end) return piecesOf(from, to, finer)
  return [...piecesOf(from, first * ms, finer), { grain, first, end }, ...piecesOf(end * ms, to, finer)]
}
