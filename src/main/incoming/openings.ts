import { app } from 'electron'
import { HIDDEN_ARGUMENT } from '../desktop/login-item.rules.ts'
import { readOpening, type Opening } from './launch-arguments.ts'
import { schemeRegistration } from './links.ts'

export interface Openings {
  /** From now on `handle` gets what is opened, beginning with what came before. */
  begin(handle: (opening: Opening) => void): void
}

/**
 * What the system asks this app to open: by its command line, by that of a second start, and on the Mac by events, which
 * come before the app is ready. To be called at once.
 */
export function openingsUntilReady(argv: readonly string[], cwd: string): Openings {
  const own = readOpening(argv, cwd, app.isPackaged)
  const early = own.links.length + own.files.length > 0 ? [own] : []
  let take = (opening: Opening): void => void early.push(opening)

  app.on('open-file', (event, path) => {
    event.preventDefault()
    take({ links: [], files: [path] })
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    take({ links: [url], files: [] })
  })
  app.on('second-instance', (_event, itsArgv, itsCwd, itsOwn) => {
    // Chromium changes the order of `argv`; our own copy is as it was typed.
    const launched = readSecond(itsOwn) ?? { argv: itsArgv, cwd: itsCwd }
    // The login starts the app, which is there already: nobody asked to see it.
    if (launched.argv.includes(HIDDEN_ARGUMENT)) return
    take(readOpening(launched.argv, launched.cwd, app.isPackaged))
  })

  return {
    begin(handle) {
      take = handle
      for (const opening of early.splice(0)) handle(opening)
    },
  }
}

/** What a second start says of itself. */
function readSecond(value: unknown): { argv: string[]; cwd: string } | null {
  const { argv, cwd } = Object(value) as Record<string, unknown>
  const isArgv = Array.isArray(argv) && argv.every((one) => typeof one === 'string')
  return isArgv && typeof cwd === 'string' ? { argv, cwd } : null
}

/** `headgate://runs/17` leads here. */
export function registerScheme(log: (text: string) => void): void {
  const { isPackaged } = app
  const { execPath, platform } = process
  const registration = schemeRegistration({
    platform,
    isPackaged,
    execPath,
    appPath: app.getAppPath(),
  })
  if (registration && !app.setAsDefaultProtocolClient(...registration))
    log('headgate: can’t register this app for headgate:// links\n')
}
