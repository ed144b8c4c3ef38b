/** Rows by what they were made of: made once however many ask, used until they are old, and forgotten when their job has run. */
import { createHash } from 'node:crypto'
import type { Truncated } from '../../../contract/dashboard-views.ts'
import type { QueryField } from '../../../contract/query-values.ts'
import type { Clock } from '../../platform/clock.ts'

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
}
interface Entry {
  jobId: number
  generation: number
  value?: CachedRows
  pending?: Promise<CachedRows>
}

const mostBytes = 64 * 1_048_576
const mostEntries = 5_000
/** A refresh of rows that are newer than this gives those: many viewers press the button together. */
const justMadeMs = 1_000

export function createDataCache(clock: Pick<Clock, 'now'>) {
  const entries = new Map<string, Entry>()
  const generations = new Map<number, number>()
  let bytes = 0

  const now = () => clock.now().getTime()
  const generationOf = (jobId: number) => generations.get(jobId) ?? 0

  function forget(key: string, entry: Entry): void {
    if (entries.get(key) !== entry) return
    entries.delete(key)
    bytes -= entry.value?.bytes ?? 0
  }

  function makeRoom(): void {
    for (const [key, entry] of entries) {
      if (bytes <= mostBytes && entries.size <= mostEntries) return
      if (!entry.pending) forget(key, entry)
    }
  }

  function make(key: string, { jobId, ttl_ms }: Wanted, work: () => Promise<MadeRows>): Promise<CachedRows> {
    const entry: Entry = { jobId, generation: generationOf(jobId) }
    const before = entries.get(key)
    if (before) forget(key, before)
    entries.set(key, entry)
    const pending = (async () => {
      try {
        const made = await work()
        const as_of = now()
        const value = { ...made, as_of, fresh_until: as_of + ttl_ms }
        delete entry.pending
        if (entries.get(key) === entry) {
          entry.value = value
          bytes += made.bytes
          makeRoom()
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
  function peek(key: string, { jobId, refresh }: Wanted): Promise<CachedRows> | CachedRows | null {
    const entry = entries.get(key)
    if (!entry) return null
    // Rows that began to be made before the job ended may be from before.
    if (entry.generation !== generationOf(jobId)) return null
    if (entry.pending) return entry.pending
    const { value } = entry
    if (!value) return null
    const fresh = refresh ? value.as_of + justMadeMs > now() : value.fresh_until > now()
    if (!fresh) return null
    // The least recently used is forgotten first.
    entries.delete(key)
    entries.set(key, entry)
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
