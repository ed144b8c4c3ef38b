/** Rows by what they were made of: made once however many ask, used until they are old, and forgotten when their job has run. */
import { createHash } from 'node:crypto'
import type { Truncated } from '../../../contract/dashboard-views.ts'
import type { QueryField } from '../../../contract/query-values.ts'
import type { Clock } from '../../platform/clock.ts'
import type { SlotUser } from './query-slots.ts'

export interface MadeRows {
  fields: QueryField[]
  rows: unknown[][]
  truncated: Truncated | null
  run: { kind: 'job_run' | 'run'; id: number; status: string } | null
  /** Of the rows in JSON. */
  bytes: number
}
export interface CachedRows extends MadeRows {
  as_of: number
  fresh_until: number
}

interface Wanted {
  jobId: number
  /** What the rows depend on. */
  of: unknown
  ttl_ms: number
  refresh?: boolean | undefined
  /** Who asks; by default people. */
  user?: SlotUser | undefined
}
interface Entry {
  jobId: number
  /** In whose part of the room it is: of people as soon as one has asked for it. */
  user: SlotUser
  generation: number
  value?: CachedRows
  pending?: Promise<CachedRows>
}

interface Room {
  bytes: number
  entries: number
}
/** Each has its own: whatever filters a stranger tries, rows of people stay. */
const room: Readonly<Record<SlotUser, Room>> = {
  people: { bytes: 48 * 1_048_576, entries: 4_000 },
  links: { bytes: 16 * 1_048_576, entries: 1_000 },
}
/** A refresh of rows that are newer than this gives those: many viewers press the button together. */
const justMadeMs = 1_000

export function createDataCache(clock: Pick<Clock, 'now'>) {
  const entries = new Map<string, Entry>()
  const generations = new Map<number, number>()
  const used: Record<SlotUser, Room> = { people: { bytes: 0, entries: 0 }, links: { bytes: 0, entries: 0 } }

  const now = () => clock.now().getTime()
  const generationOf = (jobId: number) => generations.get(jobId) ?? 0

  /** `sign`: 1 takes room for it, -1 gives it back. */
  function count({ user, value }: Entry, sign: 1 | -1): void {
    used[user].bytes += sign * (value?.bytes ?? 0)
    used[user].entries += sign
  }

  function forget(key: string, entry: Entry): void {
    if (entries.get(key) !== entry) return
    entries.delete(key)
    count(entry, -1)
  }

  function makeRoom(user: SlotUser): void {
    const most = room[user]
    for (const [key, entry] of entries) {
      if (used[user].bytes <= most.bytes && used[user].entries <= most.entries) return
      if (entry.user === user && !entry.pending) forget(key, entry)
    }
  }

  function asked(entry: Entry, user: SlotUser): void {
    if (user === 'links' || entry.user === 'people') return
    count(entry, -1)
    entry.user = 'people'
    count(entry, 1)
    makeRoom('people')
  }

  function make(
    key: string,
    { jobId, ttl_ms, user = 'people' }: Wanted,
    work: () => Promise<MadeRows>,
  ): Promise<CachedRows> {
    const before = entries.get(key)
    const entry: Entry = { jobId, user: before?.user === 'people' ? 'people' : user, generation: generationOf(jobId) }
    if (before) forget(key, before)
    entries.set(key, entry)
    count(entry, 1)
    const pending = (async () => {
      try {
        const made = await work()
        const as_of = now()
        const value = { ...made, as_of, fresh_until: as_of + ttl_ms }
        delete entry.pending
        if (entries.get(key) === entry) {
          count(entry, -1)
          entry.value = value
          count(entry, 1)
          makeRoom(entry.user)
        }
        return value
      } catch (error) {
        // Whoever asks next tries again.
        forget(key, entry)
        throw error
      }
    })()
    entry.pending = pending
    return pending
  }

  /** The rows that are there, or null: they would have to be made. */
  function peek(key: string, { jobId, refresh, user = 'people' }: Wanted): Promise<CachedRows> | CachedRows | null {
    const entry = entries.get(key)
    if (!entry) return null
    // Rows that began to be made before the job ended may be from before.
    if (entry.generation !== generationOf(jobId)) return null
    if (entry.pending) {
      asked(entry, user)
      return entry.pending
    }
    const { value } = entry
    if (!value) return null
    const fresh = refresh ? value.as_of + justMadeMs > now() : value.fresh_until > now()
    if (!fresh) return null
    // The least recently used is forgotten first.
    entries.delete(key)
    entries.set(key, entry)
    asked(entry, user)
    return value
  }

  return {
    keyOf: (of: unknown): string => createHash('sha256').update(JSON.stringify(of)).digest('base64url'),
    /** `mayMake` is asked before rows are made, and refuses by throwing. */
    get(wanted: Wanted, work: () => Promise<MadeRows>, mayMake?: () => void): Promise<CachedRows> | CachedRows {
      const key = this.keyOf(wanted.of)
      const there = peek(key, wanted)
      if (there) return there
      mayMake?.()
      return make(key, wanted, work)
    },
    /** A run that feeds it has ended. */
    forgetJob(jobId: number): void {
      generations.set(jobId, generationOf(jobId) + 1)
      for (const [key, entry] of entries) if (entry.jobId === jobId && !entry.pending) forget(key, entry)
    },
  }
}
export type DataCache = ReturnType<typeof createDataCache>
