import { statSync, statfsSync } from 'node:fs'
import type { StoreInfo } from '../../../contract/store-care.ts'
import type { Platform } from '../../platform/platform.ts'
import { unavailable } from '../../platform/refusal.ts'
import { inStoreThread } from '../../platform/store-thread.ts'
import { createRetentionStore } from './retention.store.ts'
import { type Leaving, type Piece, type Removed, nothingRemoved, retentionPieces } from './retention.ts'
import { inSlices, rest } from './slices.ts'
import { createStoreSpace } from './store-space.store.ts'
import { createWriteProbe } from './write-probe.ts'

interface Dependencies {
  backups: () => StoreInfo['backup']
  leaving: Leaving
  /** More that is to be let go, as pieces of work. */
  more: () => readonly Piece[]
}

/** Retention works this often; it has little to do then. */
const everyMs = 60_000
/** Sizes of tables take reading the whole file: they are measured no more often than this. */
const measuredForMs = 60_000
const pagesAtOnce = 64

export function createStoreCareService(platform: Platform, { backups, leaving, more }: Dependencies) {
  const { config, store, events, clock, logger, draining, databaseFile } = platform
  const rows = createRetentionStore(store)
  const space = createStoreSpace(store)
  const probe = createWriteProbe(platform, () => space.probe())
  const total = nothingRemoved()
  let lastAt: string | null = null
  let working: Promise<unknown> = Promise.resolve()
  let measured: { at: number; tables: Promise<StoreInfo['tables']> } | undefined

  /** One long work on the store at a time; the next waits for it. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = working.then(work)
    working = done.catch(() => {})
    return done
  }

  async function clean(): Promise<Removed> {
    const removed = nothingRemoved()
    try {
      await inSlices(platform, [...retentionPieces({ clock, rows, config, removed, leaving }), ...more()])
    } finally {
      for (const [key, n] of Object.entries(removed)) total[key as keyof Removed] += n
    }
    lastAt = clock.iso()
    if (Object.values(removed).some((n) => n > 0)) {
      measured = undefined
      logger.info(removed, 'What the retention settings let go was removed')
      store.transaction(() => events.append('server.changed', 1, { what: 'store' }))
    }
    return removed
  }

  async function vacuum() {
    const before = bytes()
    for (let unused = space.unusedPages(); unused > 0 && !draining.aborted;) {
      const began = clock.monotonic()
      space.giveBack(pagesAtOnce)
      const left = space.unusedPages()
      // A store that was made without this ability keeps its pages.
      if (left >= unused) break
      unused = left
      await rest((clock.monotonic() - began) * 2, draining)
    }
    store.shortenLog()
    measured = undefined
    store.transaction(() => events.append('server.changed', 1, { what: 'store' }))
    return { bytes_before: before, bytes_after: bytes() }
  }

  const bytes = () => sizeOf(databaseFile) + sizeOf(`${databaseFile}-wal`)

  function tables(): Promise<StoreInfo['tables']> {
    const now = clock.monotonic()
    if (measured && now - measured.at < measuredForMs) return measured.tables
    const found = inStoreThread('measure', { database: databaseFile }, draining)
    const mine = { at: now, tables: found }
    measured = mine
    // The next one asks anew.
    found.catch(() => {
      if (measured === mine) measured = undefined
    })
    return found
  }

  function refuseUnwritable(): void {
    const { problem } = store.condition
    if (problem !== null) unavailable(problem)
  }

  let timer: NodeJS.Timeout | undefined
  function arm(): void {
    if (draining.aborted) return
    timer = setTimeout(() => void tick(), everyMs)
    timer.unref()
  }
  async function tick(): Promise<void> {
    try {
      if (store.condition.problem === null) await inTurn(clean)
    } catch (error) {
      logger.error({ err: error }, 'What the retention settings let go could not be removed; it is tried again')
    }
    arm()
  }
  draining.addEventListener('abort', () => clearTimeout(timer), { once: true })

  return {
    start(): void {
      probe.start()
      arm()
    },

    async info(): Promise<StoreInfo> {
      const found = await tables()
      const { problem } = store.condition
      const onDisk = bytes()
      return {
        bytes: onDisk,
        log_bytes: Math.max(0, onDisk - space.pages() * space.pageSize()),
        unused_bytes: space.unusedPages() * space.pageSize(),
        disk_free_bytes: diskFree(config.dataDir),
        writable: problem === null,
        problem: problem?.message ?? null,
        tables: found,
        retention: { last_at: lastAt, removed: { ...total } },
        backup: backups(),
      }
    },

    async clean(): Promise<{ removed: Removed }> {
      refuseUnwritable()
      return { removed: await inTurn(clean) }
    },

    async vacuum(): Promise<{ bytes_before: number; bytes_after: number }> {
      refuseUnwritable()
      return inTurn(vacuum)
    },

    /** Nothing is under way any more. */
    ended: async (): Promise<void> => void (await working),
  }
}
export type StoreCareService = ReturnType<typeof createStoreCareService>

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0

function diskFree(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    // Some network file systems do not say.
    return null
  }
}
