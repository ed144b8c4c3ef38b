/**
 * Looks for files that arrive: an executor lists what matches, the store knows what was there before. When to look next is kept in
 * memory alone: after a restart it looks at once.
 */
import type { FileList } from '../../../contract/executor-calls.ts'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { CallsService } from '../calls/calls.service.ts'
import { type KeptError, keptError } from '../../platform/kept-error.ts'
import { refusalKept } from '../../platform/refusal-kept.ts'
import { msg } from '../../../contract/messages.ts'
import type { EventStarts } from './event-starts.ts'
import type { EventTriggersStore } from './event-triggers.store.ts'
import type { EventTriggerRow, FileArrival } from './event-triggers.table.ts'
import { compareFiles, mostListed, mostNamed, waitMs } from './file-arrival.rules.ts'
import type { SeenFilesStore } from './seen-files.store.ts'

/** Looks that are under way at once: executors have other work, too. */
const mostAtOnce = 4
const listTimeoutMs = 60_000
const longestSleepMs = 30_000

interface Dependencies {
  triggers: EventTriggersStore
  seen: SeenFilesStore
  starts: EventStarts
  calls: CallsService
  /** With its secrets; refuses one that cannot be listed. */
  connector(id: number): BoundConnector
  isArchived(jobId: number): boolean
  /** Nothing is looked for meanwhile: what arrives is found afterwards. */
  isPaused(): boolean
}
interface Watch {
  /** On the monotonic clock. */
  next: number
  failures: number
  looking: boolean
  /** Saved while it was looking: what was asked for then is not what is asked for now. */
  anew: boolean
}

export function createFileWatcher(platform: Platform, deps: Dependencies) {
  const { store, clock, logger, draining } = platform
  const { triggers, seen, starts, calls } = deps
  const watches = new Map<number, Watch>()
  let timer: NodeJS.Timeout | undefined
  let started = false

  const isWatched = (row: EventTriggerRow | undefined): row is EventTriggerRow =>
    row?.type === 'file_arrival' && row.enabled === 1 && !deps.isArchived(row.job_id)
  // Saved with this type by a body that was checked.
  const configOf = (row: EventTriggerRow) => row.config as FileArrival

  /** Takes down what is there, and starts the job for what has arrived: both, or nothing. */
  function take(row: EventTriggerRow, list: FileList): { settling: boolean } {
    const { settle_seconds } = configOf(row)
    const looked = { first: row.looked === 0, now: clock.now().getTime(), settleMs: settle_seconds * 1_000 }
    const look = compareFiles(seen.all(row.id), list, looked)
    seen.remove(row.id, look.gone)
    seen.noteLooked(row.id)
    const outcome = look.arrived.length > 0 ? startFor(row, look.arrived) : { taken: true, error: null }
    // What it could not be started for has arrived no less: it is tried again with the next look.
    seen.save(row.id, outcome.taken ? look.changed : look.changed.map((file) => ({ ...file, taken: 0 })))
    const tooMany = keptError(msg('files_too_many', { most: mostListed }))
    const now = triggers.get(row.id)
    if (now) starts.noteError(now, outcome.error ?? (list.truncated ? tooMany : null))
    return look
  }
  function startFor(row: EventTriggerRow, arrived: FileList['files']): { taken: boolean; error: KeptError | null } {
    const files = arrived.slice(0, mostNamed).map(({ path, size, modified_at }) => ({ path, size, modified_at }))
    try {
      const result = starts.start(row, { files, count: arrived.length })
      return { taken: result.kind === 'started', error: null }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { taken: false, error: refusalKept(error) }
    }
  }

  async function look(id: number, watch: Watch): Promise<void> {
    const row = triggers.get(id)
    if (row?.type !== 'file_arrival' || row.enabled === 0) return void watches.delete(id)
    const config = configOf(row)
    let settling = false
    try {
      if (isWatched(row) && !deps.isPaused()) {
        const connector = deps.connector(config.connector_id)
        const work = { kind: 'list_files' as const, connector, glob: config.glob, limit: mostListed }
        const list = await calls.call(work, listTimeoutMs, draining)
        if (draining.aborted) return
        settling = store.transaction(() => {
          const now = triggers.get(id)
          // Changed meanwhile: what was listed is not what is asked for now.
          return isWatched(now) && now.revision === row.revision && !deps.isPaused() ? take(now, list).settling : false
        })
      }
      watch.failures = 0
    } catch (error) {
      if (draining.aborted) return
      noteFailure(row, watch, error)
    }
    watch.next = clock.monotonic() + (watch.anew ? 0 : waitMs(config, { failures: watch.failures, settling }))
  }
  function noteFailure(row: EventTriggerRow, watch: Watch, error: unknown): void {
    // No executor is there, or it has gone: that is no fault of the trigger, which waits.
    if (error instanceof Refusal && error.code === 'UNAVAILABLE') return
    watch.failures++
    if (!(error instanceof Refusal)) {
      logger.error({ err: error, event_trigger_id: row.id }, 'Files could not be looked for')
    }
    try {
      const reason = error instanceof Refusal ? refusalKept(error) : keptError(msg('internal_error'))
      store.transaction(() => starts.noteError(triggers.get(row.id) ?? row, reason))
    } catch (failure) {
      logger.error({ err: failure, event_trigger_id: row.id }, 'What went wrong could not be written down')
    }
  }

  /** Looks wherever it is time to, and settles when all those looks are over. */
  async function run(): Promise<void> {
    const under: Promise<void>[] = []
    const now = clock.monotonic()
    const due = [...watches].filter(([, watch]) => !watch.looking && watch.next <= now).toSorted(byTime)
    let busy = [...watches.values()].filter(({ looking }) => looking).length
    for (const [id, watch] of due) {
      if (busy++ >= mostAtOnce) break
      Object.assign(watch, { looking: true, anew: false })
      under.push(
        look(id, watch).finally(() => {
          watch.looking = false
          sleep()
        }),
      )
    }
    await Promise.all(under)
  }
  function sleep(): void {
    clearTimeout(timer)
    if (!started || draining.aborted || watches.size === 0) return
    const waiting = [...watches.values()].filter(({ looking }) => !looking)
    if (watches.size - waiting.length >= mostAtOnce) return
    const next = Math.min(...waiting.map((watch) => watch.next), Infinity)
    timer = setTimeout(() => void wake(), Math.min(Math.max(next - clock.monotonic(), 0), longestSleepMs))
    timer.unref()
  }
  async function wake(): Promise<void> {
    try {
      const looks = run()
      sleep()
      await looks
    } catch (error) {
      logger.error({ err: error }, 'Files could not be looked for')
    }
  }
  function watch(id: number): void {
    const known = watches.get(id)
    const fresh = { next: clock.monotonic(), failures: 0, anew: true }
    if (known) Object.assign(known, fresh)
    else watches.set(id, { ...fresh, looking: false })
  }

  draining.addEventListener('abort', () => clearTimeout(timer), { once: true })

  return {
    start(): void {
      started = true
      for (const id of triggers.watching()) watch(id)
      sleep()
    },
    /** The trigger was saved: it is looked for anew, after the commit. */
    changed(id: number): void {
      store.afterCommit(() => {
        const row = triggers.get(id)
        if (row?.type === 'file_arrival' && row.enabled === 1) watch(id)
        else watches.delete(id)
        sleep()
      })
    },
    run,
    /** Looks everywhere at once: it is paused no more, or the machine was asleep. */
    lookNow(): void {
      const now = clock.monotonic()
      for (const watch of watches.values()) watch.next = now
      sleep()
    },
  }
}

const byTime = ([, a]: [number, Watch], [, b]: [number, Watch]) => a.next - b.next
