import { setImmediate as otherRequests } from 'node:timers/promises'
import type { Schedule } from './schedule.rules.ts'

/** A schedule's first firings after `from`. A rare one is searched for through years of days, so others get their turn in between. */
export async function firstFirings(schedule: Schedule, from: number, count: number): Promise<number[]> {
  const found: number[] = []
  for (let at = schedule.next(from); at !== null; at = schedule.next(at)) {
    found.push(at)
    if (found.length >= count) break
    await otherRequests()
  }
  return found
}
