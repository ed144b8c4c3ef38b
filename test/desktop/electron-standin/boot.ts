// The entry of the stand-in. Keeps Electron's order: inspector, `-r` modules, the app's entry, browser, `ready`.
import inspector from 'node:inspector'
import { createRequire, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readCommandLine, setBootContext } from './boot-context.ts'

const args = process.argv.slice(2)
const context = readCommandLine(args)
setBootContext(context)

const standIn = new URL('./module.ts', import.meta.url).href
registerHooks({
  resolve: (specifier, hookContext, next) =>
    /^electron(\/main|\/common)?$/.test(specifier)
      ? { url: standIn, format: 'module-typescript', shortCircuit: true }
      : next(specifier, hookContext),
})

define(process, 'type', 'browser')
define(process, 'resourcesPath', context.packaged ? dirname(context.root) : join(context.root, 'resources'))
define(process, 'versions', Object.freeze({ ...process.versions, electron: electronVersion(), chrome: 'stand-in' }))
openInspector(context.switches)

const { app } = await import('./app.ts')
const { startBrowser } = await import('./browser.ts')

// Playwright's loader cuts its own part off.
process.argv = [process.execPath, ...args]
// An installed app is not named in its own arguments.
if (context.packaged) process.argv.splice(process.argv.indexOf(context.app), 1)
const require = createRequire(pathToFileURL(context.entry))
for (const module of context.preloads) require(module)

// Like Electron 28 and newer: an ESM entry is imported asynchronously, and `ready` may come while it awaits.
import(pathToFileURL(context.entry).href).catch((error: unknown) => {
  console.error('App threw an error during load\n', error)
  process.exit(1)
})
await startBrowser(context.switches)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // Electron quits on these by itself; a listener of the app takes over.
  process.on(signal, () => {
    if (process.listenerCount(signal) === 1) app.quit()
  })
}
setImmediate(() => app.fireReady())

function openInspector(switches: Map<string, string>): void {
  for (const name of ['inspect', 'inspect-brk']) {
    const port = switches.get(name)
    if (port === undefined) continue
    inspector.open(Number(port || 9229), '127.0.0.1')
    if (name === 'inspect-brk') inspector.waitForDebugger()
  }
}

function electronVersion(): string {
  // The package says which version it is.
  const manifest = createRequire(import.meta.url)('electron/package.json') as { version: string }
  return manifest.version
}

function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true })
}
