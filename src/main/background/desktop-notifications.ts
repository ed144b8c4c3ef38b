import type { ServerNotification } from '../../process/messages.ts'
import type { BackgroundWords } from './background-words.ts'
import { FAILED_RUNS } from './tray.rules.ts'

/** What the system shows; `close` takes it away again. */
export interface ShownNotification {
  close(): void
}

export interface DesktopNotificationsOptions {
  show: (notification: { title: string; body: string; path: string }) => ShownNotification
  words: () => BackgroundWords
  /** The code of the language that is spoken. */
  language: () => string
  /** A window of ours has the focus: its user sees failures there. */
  hasFocus: () => boolean
  /** The setting `notify_failures`. */
  wantsFailures: () => boolean
  /** Calls back after `ms`. */
  after: (ms: number, callback: () => void) => void
}

/** More failures than this within the span become one notification. */
const MOST_ALONE = 3
const SPAN_MS = 10_000

/** Tells on the desktop what the server tells main, whether a window is open or not. */
export function desktopNotifications(options: DesktopNotificationsOptions): (notification: ServerNotification) => void {
  const { show, words, language, hasFocus, wantsFailures, after } = options
  /** Of the span under way; null: none is. */
  let span: { failures: ServerNotification[]; shown: ShownNotification[] } | null = null
  /** The span before was a flood: what comes next waits until it is clear whether that goes on. */
  let flooded = false

  const showFailure = ({ title, body, path }: ServerNotification): ShownNotification =>
    show({ title: words().runFailed(title), body, path })

  function endSpan(): void {
    const { failures, shown } = span ?? { failures: [], shown: [] }
    span = null
    flooded = failures.length > MOST_ALONE
    if (hasFocus() || !wantsFailures()) return
    if (!flooded) return failures.slice(shown.length).forEach(showFailure)
    for (const one of shown) one.close()
    show({ title: words().runsFailed(failures.length), body: words().runsFailedBody, path: FAILED_RUNS })
  }

  function failed(notification: ServerNotification): void {
    if (!wantsFailures() || hasFocus()) return
    if (!span) {
      span = { failures: [], shown: [] }
      after(SPAN_MS, endSpan)
    }
    span.failures.push(notification)
    if (span.failures.length <= MOST_ALONE && !flooded) span.shown.push(showFailure(notification))
  }

  return (notification) => {
    if (notification.kind === 'failure') failed(notification)
    else show({ ...notification, ...notification.translations?.[language()] })
  }
}
