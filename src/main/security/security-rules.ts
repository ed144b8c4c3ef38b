// What pages in our windows may do, as pure decisions; security.ts and ipc.ts ask them.
// After https://www.electronjs.org/docs/latest/tutorial/security
import { STATUS_URL_PREFIX } from '../windows/status-page.ts'

/** The origin of a URL, or null when it is none or has an opaque one (`data:`, `file:`, …). */
export function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { origin } = new URL(url)
  return origin === 'null' ? null : origin
}

/** A page may lead its window to the server's own pages only. */
export function mayNavigate(url: string, serverUrl: string | null): boolean {
  return serverUrl !== null && originOf(url) === originOf(serverUrl)
}

export type OpenDecision = 'own-window' | 'browser' | 'refuse'

/** Where `window.open` and `target=_blank` lead: our own pages to another window, https to the user's browser. */
export function decideOpen(url: string, serverUrl: string | null): OpenDecision {
  if (mayNavigate(url, serverUrl)) return 'own-window'
  if (!URL.canParse(url)) return 'refuse'
  const { protocol, username, password } = new URL(url)
  return protocol === 'https:' && !username && !password ? 'browser' : 'refuse'
}

/** The part of Electron's `WebFrameMain` that tells who sends a message. */
export interface Sender {
  url: string
  parent: unknown
}

/** IPC is for the top frame of a page that the server sent. A frame that is gone has no say. */
export function isAppSender(frame: Sender | null, serverUrl: string | null): boolean {
  return frame !== null && frame.parent === null && mayNavigate(frame.url, serverUrl)
}

export function isStatusSender(frame: Sender | null): boolean {
  return frame !== null && frame.parent === null && frame.url.startsWith(STATUS_URL_PREFIX)
}

/** Copy buttons write the clipboard, and dashboards fill the screen and keep it on; nothing else that Chromium would ask for is ours. */
const used = new Set(['clipboard-sanitized-write', 'fullscreen', 'screen-wake-lock'])

export function mayUse(permission: string, requestingUrl: string, serverUrl: string | null): boolean {
  return used.has(permission) && mayNavigate(requestingUrl, serverUrl)
}
