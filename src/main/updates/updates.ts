import type { AppUpdater, UpdateCheckResult } from 'electron-updater'
import type { DesktopUpdate } from '../../contract/desktop-bridge.ts'
import type { Updates } from '../desktop/desktop-parts.ts'
import {
  failureOf,
  installsOnQuit,
  isFeedAddress,
  nextLook,
  STRANGE_FEED,
  strangeFiles,
  type PackageKind,
} from './update.rules.ts'
import type { Words } from '../words.ts'

export interface UpdatesOptions {
  /** Null: an app that cannot be updated by itself. */
  kind: PackageKind | null
  /** Loaded when the first feed is set; until then nothing of it runs. */
  loadUpdater: () => Promise<AppUpdater>
  /** Asks whether unsaved input may be left. */
  mayQuit: () => Promise<boolean>
  quit: () => void
  /** The version that is started by the installation must be able to become the only instance. */
  releaseLock: () => void
  words: () => Words
  log: (text: string) => void
  now?: () => Date
  /** Calls once after so long. Returns what takes it back. */
  later?: (ms: number, act: () => void) => () => void
}

export interface UpdateKeeper extends Updates {
  /** Looks there from now on, at once and every six hours; empty: nobody is asked. */
  follow(feed: string): void
  /** The user stayed after all: when he quits later, the new version is not started at once. */
  stay(): void
  /** The server and all runs have ended: installs what is ready. */
  finish(): Promise<void>
}

/** Keeps what is looked at now; what was begun for another feed has nothing to say any more. */
interface Following {
  feed: string
}

export function keepUpdated(options: UpdatesOptions): UpdateKeeper {
  const { kind, words, log, now = () => new Date(), later = callLater } = options
  const listeners: ((update: DesktopUpdate) => void)[] = []
  let state: DesktopUpdate = { state: 'off' }
  let following: Following = { feed: '' }
  let updater: AppUpdater | null = null
  /** One look at a time, with what it downloads. */
  let work: Promise<void> = Promise.resolve()
  let asked: Promise<DesktopUpdate> | null = null
  let cancelDownload = (): void => {}
  let cancelTimer = (): void => {}
  let cancelWatch = (): void => {}
  let failures = 0
  let restart = false

  function become(next: DesktopUpdate, silently = false): void {
    state = next
    if (!silently) for (const listener of listeners) listener(next)
  }

  /** Settles when it is known whether there is something new; the download goes on. `quiet`: nobody asked for it. */
  function look(quiet: boolean): Promise<DesktopUpdate> {
    if (asked) return asked
    const mine = following
    cancelTimer()
    const known = Promise.withResolvers<void>()
    asked = known.promise.then(() => {
      asked = null
      return state
    })
    work = work.then(() => lookNow(mine, quiet, known.resolve)).finally(known.resolve)
    return asked
  }

  async function lookNow(mine: Following, quiet: boolean, known: () => void): Promise<void> {
    if (mine !== following) return
    try {
      if (!(quiet && state.state === 'failed') && state.state !== 'ready') become({ state: 'checking' })
      updater ??= await load()
      updater.setFeedURL({ provider: 'generic', url: mine.feed })
      const result = await answerOf(updater.checkForUpdates())
      if (mine !== following) return
      if (!result?.isUpdateAvailable) {
        if (state.state !== 'ready') become({ state: 'current', checked_at: now().toISOString() })
      } else if (state.state !== 'ready' || state.version !== result.updateInfo.version) {
        await download(mine, updater, result, known)
      }
      failures = 0
    } catch (error) {
      if (mine === following) fail(error)
    } finally {
      if (mine === following) cancelTimer = later(nextLook(failures), () => void look(true))
    }
  }

  async function load(): Promise<AppUpdater> {
    const loaded = await options.loadUpdater()
    // We decide what is taken (below), and when it is installed: after the server has ended.
    loaded.autoDownload = false
    loaded.autoInstallOnAppQuit = kind === 'mac'
    loaded.allowDowngrade = false
    // The updater would name this installation to the feed by a number of its own.
    loaded.requestHeaders = { 'x-user-staging-id': 'none' }
    const write = (message?: unknown): void => log(`updates: ${String(message)}\n`)
    loaded.logger = { info: write, warn: write, error: write }
    loaded.on('download-progress', ({ percent }) => {
      watchDownload()
      const whole = Math.floor(percent)
      if (state.state === 'downloading' && whole > state.percent) become({ ...state, percent: whole })
    })
    return loaded
  }

  async function download(
    mine: Following,
    from: AppUpdater,
    { updateInfo, cancellationToken }: UpdateCheckResult,
    known: () => void,
  ): Promise<void> {
    const strange = strangeFiles(mine.feed, updateInfo.files)
    if (strange.length > 0) throw Object.assign(new Error(strange.join(', ')), { code: STRANGE_FEED })
    const { version } = updateInfo
    become({ state: 'downloading', version, percent: 0 })
    known()
    cancelDownload = () => cancellationToken?.cancel()
    try {
      watchDownload()
      await from.downloadUpdate(cancellationToken)
    } finally {
      cancelWatch()
    }
    if (mine === following) become({ state: 'ready', version })
  }

  /** Ends a download of which nothing more arrives. */
  function watchDownload(): void {
    cancelWatch()
    cancelWatch = later(STALLED, cancelDownload)
  }

  function fail(error: unknown): void {
    failures++
    log(`updates: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    const message = words().updateFailures[failureOf(error)]
    // The same failure of a look that nobody asked for is no news.
    const known = state.state === 'failed' && state.message === message
    become({ state: 'failed', message, checked_at: now().toISOString() }, known)
  }

  return {
    state: () => state,
    onChange: (listener) => void listeners.push(listener),
    check() {
      // A download says by itself how far it is.
      const idle = following.feed !== '' && state.state !== 'downloading'
      return idle ? look(false) : Promise.resolve(state)
    },
    follow(feed) {
      const wanted = kind !== null && isFeedAddress(feed) ? feed : ''
      if (wanted === following.feed) return
      following = { feed: wanted }
      failures = 0
      asked = null
      restart = false
      cancelTimer()
      cancelDownload()
      become(wanted === '' ? { state: 'off' } : { state: 'current', checked_at: null })
      if (wanted !== '') void look(true)
    },
    async install() {
      if (state.state !== 'ready') throw new Error(words().updateNotReady)
      restart = true
      if (await options.mayQuit()) options.quit()
      else restart = false
    },
    stay: () => void (restart = false),
    async finish() {
      const mine = following
      following = { feed: '' }
      cancelTimer()
      cancelDownload()
      if (mine.feed === '' || state.state !== 'ready' || !updater || kind === null) return
      if (!restart && !installsOnQuit(kind)) return
      log(`updates: installing ${state.version}\n`)
      if (restart) options.releaseLock()
      updater.quitAndInstall(true, restart)
    },
  }
}

/** A server that takes the question and never answers would be waited for for ever. */
const ANSWER_WITHIN = 90_000
const STALLED = 5 * 60_000

async function answerOf<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error('net::ERR_TIMED_OUT')), ANSWER_WITHIN)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function callLater(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}
