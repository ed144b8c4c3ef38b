import { shownParams } from '../../platform/kept-error.ts'
import { msg } from '../../../contract/messages.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import type { CalendarEntry, getTriggerCalendar } from '../../../contract/triggers.ts'
import { instant } from '../../platform/instant.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid } from '../../platform/refusal.ts'
import { timetableOf } from './trigger-firing.ts'
import type { FiringsStore, WaitingTrigger } from './trigger-firings.store.ts'

const longestMs = 366 * 86_400_000

/** What was fired in a span of time, and what is to be fired, oldest first. */
export function createCalendar({ clock }: Pick<Platform, 'clock'>, firings: FiringsStore) {
  return ({ from, to, job_id, limit = 1_000 }: QueryOf<typeof getTriggerCalendar>) => {
    const [first, last] = [instant(from, 'query.from'), instant(to, 'query.to')]
    const [start, end] = [Date.parse(first), Date.parse(last)]
    if (end <= start) invalid([{ path: 'query.to', ...msg('after_from') }])
    if (end - start > longestMs) invalid([{ path: 'query.to', ...msg('within_366_days') }])
    const past = firings
      .between(first, last, job_id, limit + 1)
      .map((firing): CalendarEntry => ({ ...firing, message_params: shownParams(firing.message_params) }))
    const future =
      end > clock.now().getTime() && past.length <= limit
        ? comingUp(firings.toCome(last, job_id, limit + 1), start, end, limit + 1 - past.length)
        : []
    // A firing that is overdue stands among those that others had meanwhile.
    const entries = [...past, ...future].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    const truncated = entries.length > limit
    return { entries: truncated ? entries.slice(0, limit) : entries, truncated }
  }
}

/** The first `most` firings of all these triggers together. */
function comingUp(waiting: readonly WaitingTrigger[], start: number, end: number, most: number): CalendarEntry[] {
  const queue = new FiringQueue()
  for (const row of waiting) {
    const next = Date.parse(row.next_fire_at ?? '')
    if (next >= start) queue.add({ at: next, row })
    else queue.addAfter(row, start - 1, end)
  }
  const entries: CalendarEntry[] = []
  for (let first = queue.take(); first && entries.length < most; first = queue.take()) {
    const { at, row } = first
    entries.push({
      at: new Date(at).toISOString(),
      trigger_id: row.id,
      job_id: row.job_id,
      job_name: row.job_name,
      task_key: row.task_key,
      enabled: row.enabled,
      outcome: null,
      job_run_id: null,
      message: null,
      message_params: null,
    })
    queue.addAfter(row, at, end)
  }
  return entries
}

interface Coming {
  at: number
  row: WaitingTrigger
}

/** A binary heap: the next firing of each trigger, the first of all on top. */
class FiringQueue {
  private readonly heap: Coming[] = []

  add(coming: Coming): void {
    const { heap } = this
    let at = heap.push(coming) - 1
    for (let parent = (at - 1) >> 1; at > 0 && before(coming, heap[parent]!); parent = (at - 1) >> 1) {
      heap[at] = heap[parent]!
      heap[parent] = coming
      at = parent
    }
  }
  addAfter(row: WaitingTrigger, after: number, end: number): void {
    const at = timetableOf(row).next(after)
    if (at !== null && at < end) this.add({ at, row })
  }
  take(): Coming | undefined {
    const { heap } = this
    const first = heap[0]
    const last = heap.pop()
    if (!first || !last || heap.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++
      if (child >= heap.length || !before(heap[child]!, last)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = last
    return first
  }
}
const before = (a: Coming, b: Coming) => a.at < b.at || (a.at === b.at && a.row.id < b.row.id)
