import { app, session, shell, type WebContents } from 'electron'
import { decideOpen, mayNavigate, mayUse } from './security-rules.ts'

export interface SecurityOptions {
  /** The server's address while it is ready. */
  serverUrl: () => string | null
  openWindow: (url: string) => void
  log: (text: string) => void
}

/** Limits for every page of the app, whichever window it is in. Before the first window. */
export function limitPages(options: SecurityOptions): void {
  app.on('web-contents-created', (_event, contents) => limitContents(contents, options))
}

/** Permissions are denied by default. After the app is ready. */
export function denyPermissions({ serverUrl }: Pick<SecurityOptions, 'serverUrl'>): void {
  const { defaultSession } = session
  defaultSession.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(mayUse(permission, details.requestingUrl, serverUrl()))
  })
  defaultSession.setPermissionCheckHandler((_contents, permission, origin) => mayUse(permission, origin, serverUrl()))
  defaultSession.setDevicePermissionHandler(() => false)
}

function limitContents(contents: WebContents, { serverUrl, openWindow, log }: SecurityOptions): void {
  const refuse = (event: { preventDefault(): void; url: string }): void => {
    if (mayNavigate(event.url, serverUrl())) return
    event.preventDefault()
    log(`headgate: refused to leave the app for ${event.url}\n`)
  }
  contents.on('will-navigate', refuse)
  contents.on('will-redirect', refuse)
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    const decision = decideOpen(url, serverUrl())
    if (decision === 'own-window') openWindow(url)
    else if (decision === 'browser') openInBrowser(url, log)
    else log(`headgate: refused to open ${url}\n`)
    return { action: 'deny' }
  })
}

function openInBrowser(url: string, log: (text: string) => void): void {
  shell.openExternal(url).catch((error: unknown) => log(`headgate: can’t open ${url} in a browser: ${String(error)}\n`))
}
