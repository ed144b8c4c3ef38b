import type { FileList } from '../../../contract/executor-calls.ts'

export interface SeenFile {
  path: string
  size: number
  version: string
  /** Since when it has been as it is, as far as anybody has looked. */
  since: string
  /** The job has been started for it, or it was there before anybody looked. */
  taken: 0 | 1
}
type ListedFile = FileList['files'][number]

export interface Look {
  /** Files that are there, new or changed, and have settled: the job is to be started for them. */
  arrived: ListedFile[]
  /** What is known of files after this look, where it has changed; of the arrived ones, too. */
  changed: SeenFile[]
  /** Files that are gone: if they come again they are new. */
  gone: string[]
  /** Some have yet to settle. */
  settling: boolean
}

/** What a look at the files has to say. The first one only takes down what is there. */
export function compareFiles(
  seen: readonly SeenFile[],
  { files, truncated }: FileList,
  { first, now, settleMs }: { first: boolean; now: number; settleMs: number },
): Look {
  const known = new Map(seen.map((file) => [file.path, file]))
  const look: Look = { arrived: [], changed: [], gone: [], settling: false }
  // Each look at files that come and go beyond what is listed would add others, which are all read with the next one.
  if (truncated && seen.length > mostKnown) return look
  for (const file of files) {
    const old = known.get(file.path)
    known.delete(file.path)
    const same = old !== undefined && old.size === file.size && old.version === file.version
    if (same && old.taken) continue
    const since = same ? old.since : new Date(now).toISOString()
    const settled = first || now - Date.parse(since) >= settleMs
    if (settled && !first) look.arrived.push(file)
    if (!settled) look.settling = true
    if (!same || settled) {
      const { path, size, version } = file
      look.changed.push({ path, size, version, since, taken: settled ? 1 : 0 })
    }
  }
  // What a list that was cut does not name may be there all the same.
  if (!truncated) look.gone.push(...known.keys())
  return look
}

/** Files that an event names; of more it tells the number. */
export const mostNamed = 1_000
/** Files that are looked at. */
export const mostListed = 10_000
/** Files that are known while more match than are looked at. */
export const mostKnown = 2 * mostListed
const longestWaitMs = 15 * 60_000

/** How long to wait for the next look. `failures`: looks that have failed one after the other. */
export function waitMs(
  { poll_seconds, settle_seconds }: { poll_seconds: number; settle_seconds: number },
  { failures, settling }: { failures: number; settling: boolean },
): number {
  const poll = poll_seconds * 1_000
  if (failures > 0) return Math.max(poll, Math.min(poll * 2 ** Math.min(failures, 20), longestWaitMs))
  return settling ? Math.min(poll, Math.max(settle_seconds, 1) * 1_000) : poll
}
