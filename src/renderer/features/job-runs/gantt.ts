import type { JobRun, JobRunItem, JobRunNode } from '../../../contract/job-runs.ts'
import { isJobRunOver, isNodeOver, isReused } from './node-status.ts'

/** The one time axis of a job run, in milliseconds since 1970. */
export interface Axis {
  from: number
  to: number
  /** Nothing ran while a gate was open: drawn as if it had taken so long only, else nothing else could be seen. */
  wait?: { from: number; to: number; drawn: number }
}

/** A stretch of the axis in shares (0 to 1) of its width. */
export interface Stretch {
  start: number
  width: number
}

export interface GanttBar {
  /** From the moment its dependencies had ended to its own beginning. */
  queued: Stretch | null
  ran: Stretch | null
}

type TimedRun = Pick<JobRun, 'status' | 'created_at' | 'started_at' | 'completed_at'>
type TimedNode = Pick<
  JobRunNode,
  'key' | 'kind' | 'status' | 'reason' | 'depends_on' | 'started_at' | 'completed_at' | 'duration_ms'
>
type TimedItem = Pick<JobRunItem, 'status' | 'started_at' | 'completed_at'>

/** Narrower bars could not be seen. */
const narrowest = 0.004
const noBar: GanttBar = { queued: null, ran: null }

const at = (iso: string | null) => (iso === null ? null : Date.parse(iso))

/** The longest stretch in which a gate was open and no task ran. */
function longestWait(nodes: readonly TimedNode[], now: number) {
  const stretches = nodes.flatMap(({ kind, started_at, completed_at }) => {
    const from = at(started_at)
    return from === null ? [] : [{ kind, from, to: at(completed_at) ?? now }]
  })
  const tasks = stretches.filter(({ kind }) => kind === 'task').toSorted((a, b) => a.from - b.from)
  let longest = { from: 0, to: 0 }
  for (const gate of stretches.filter(({ kind }) => kind === 'gate')) {
    let { from } = gate
    for (const task of [...tasks, { from: gate.to, to: gate.to }]) {
      const to = Math.min(task.from, gate.to)
      if (to - from > longest.to - longest.from) longest = { from, to }
      from = Math.max(from, task.to)
    }
  }
  return longest
}

/** Shorter waits leave enough room to what ran. */
const longWait = 4

/** From the beginning of the job run to its end; to `now` while it goes on. Times of reused tasks lie on another axis. */
export function axisOf(run: TimedRun, nodes: readonly TimedNode[], now: number): Axis {
  const own = nodes.filter((node) => !isReused(node))
  const moments = own.flatMap((node) => [at(node.started_at), at(node.completed_at)]).filter((time) => time !== null)
  const began = at(run.started_at) ?? at(run.created_at) ?? now
  const from = moments.reduce((least, time) => Math.min(least, time), began)
  const ended = isJobRunOver(run.status) ? (at(run.completed_at) ?? from) : now
  const to = moments.reduce((most, time) => Math.max(most, time), Math.max(ended, from + 1))
  const wait = longestWait(own, ended)
  const drawn = to - from - (wait.to - wait.from)
  return { from, to, ...(wait.to - wait.from > longWait * drawn && drawn > 0 && { wait: { ...wait, drawn } }) }
}

/** How far from the beginning a moment is drawn, in milliseconds of the axis. */
function placeOf({ from, to, wait }: Axis, time: number): number {
  const moment = Math.min(to, Math.max(from, time))
  if (!wait || moment <= wait.from) return moment - from
  const waited = (Math.min(moment, wait.to) - wait.from) / (wait.to - wait.from)
  return wait.from - from + waited * wait.drawn + Math.max(0, moment - wait.to)
}

const lengthOf = (axis: Axis) => Math.max(1, placeOf(axis, axis.to))

/** What the axis of a job run holds beyond its duration, however short: the two would contradict each other. While it is paused this grows. */
export function waitedMs(
  {
    status,
    started_at,
    running_since,
    completed_at,
    ran_ms,
  }: Pick<JobRun, 'status' | 'started_at' | 'running_since' | 'completed_at' | 'ran_ms'>,
  now: number,
): number {
  const until = at(running_since ?? completed_at) ?? (status === 'paused' ? now : null)
  return started_at === null || until === null ? 0 : Math.max(0, until - Date.parse(started_at) - ran_ms)
}

export const shareOf = (axis: Axis, time: number) => placeOf(axis, time) / lengthOf(axis)

function stretchOf(axis: Axis, from: number, to: number): Stretch {
  const start = shareOf(axis, from)
  const width = Math.max(narrowest, shareOf(axis, Math.max(from, to)) - start)
  return { start: Math.min(start, 1 - width), width }
}

/** When the last dependency had ended: from then on a node could have begun. Null while one has not. */
export function readyAt(node: TimedNode, byKey: ReadonlyMap<string, TimedNode>, axis: Axis): number | null {
  let ready = axis.from
  for (const key of node.depends_on) {
    const before = byKey.get(key)
    if (!before || isReused(before)) continue
    if (!isNodeOver(before.status)) return null
    ready = Math.max(ready, at(before.completed_at) ?? axis.from)
  }
  return ready
}

export function nodeBar(node: TimedNode, byKey: ReadonlyMap<string, TimedNode>, axis: Axis, now: number): GanttBar {
  if (isReused(node) || node.status === 'pending' || node.status === 'skipped') return noBar
  const began = at(node.started_at)
  const ready = readyAt(node, byKey, axis)
  if (began === null) {
    const waits = node.status === 'queued' && ready !== null
    return waits ? { queued: stretchOf(axis, ready, now), ran: null } : noBar
  }
  const ended = at(node.completed_at) ?? (isNodeOver(node.status) ? began + (node.duration_ms ?? 0) : now)
  const waited = ready !== null && shareOf(axis, began) - shareOf(axis, ready) > narrowest
  return { queued: waited ? stretchOf(axis, ready, began) : null, ran: stretchOf(axis, began, ended) }
}

export function itemBar(item: TimedItem, axis: Axis, now: number): GanttBar {
  const began = at(item.started_at)
  if (began === null) return noBar
  const ended = at(item.completed_at) ?? (isNodeOver(item.status) ? began : now)
  return { queued: null, ran: stretchOf(axis, began, ended) }
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const distances = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
]

/** `0`, `500 ms`, `15 s`, `15 min`, `2 h`, `3 d`: time since the beginning, short enough for an axis. */
export function tickText(since: number): string {
  if (since === 0) return '0'
  if (since < second) return `${since} ms`
  if (since < minute) return `${since / second} s`
  if (since < hour) return `${since / minute} min`
  if (since < day) return `${since / hour} h`
  return `${Math.round((since / day) * 10) / 10} d`
}

/** So near the wait or the end its word has no room. */
const tickRoom = 0.14

/** Round moments on the axis until what is not drawn in full, at most `most` beside the beginning. */
export function ticksOf(axis: Axis, most: number): { share: number; text: string }[] {
  const length = lengthOf(axis)
  const until = (axis.wait ? shareOf(axis, axis.wait.from) : 1) - tickRoom
  const distance = distances.find((one) => length / one <= most) ?? Math.max(1, Math.ceil(length / most / day)) * day
  const ticks = []
  for (let since = 0; since <= length; since += distance) {
    const share = since / length
    if (share <= until) ticks.push({ share, text: tickText(since) })
  }
  return ticks
}
