import type { CalendarEntry } from '../../../contract/triggers.ts'

const minuteMs = 60_000
/** Within this a yearly schedule fires, too. */
const lookedMs = 366 * 86_400_000

/** What is asked for: the same for a minute, and so is the query. */
export function spanOf(now: number): { from: string; to: string } {
  const from = now - (now % minuteMs)
  return { from: new Date(from).toISOString(), to: new Date(from + lookedMs).toISOString() }
}

/** Those that are still to come, the next first. One that was due some seconds ago still is, until it has become something. */
export const comingOf = <Entry extends Pick<CalendarEntry, 'at' | 'outcome'>>(
  entries: readonly Entry[],
  now: number,
): Entry[] =>
  entries
    .filter(({ at, outcome }) => outcome === null && Date.parse(at) > now - 5_000)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
