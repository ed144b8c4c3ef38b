import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withoutOwnPages } from '../../support/chromium.ts'
import { Cdp } from './cdp.ts'
import { windowOfTarget } from './open-windows.ts'

let cdp: Cdp | null = null
let chromium: ChildProcess | null = null
let closing = false

/** The connection to the browser; only after the app is ready. */
export function devTools(): Cdp {
  if (!cdp) throw new Error('electron stand-in: the browser has not started')
  return cdp
}

export function browserPid(): number {
  return chromium?.pid ?? 0
}

/** Switches that speak to Electron itself, or that the stand-in sets in its own way. */
const OWN_SWITCHES = new Set([
  'user-data-dir',
  'inspect',
  'inspect-brk',
  'remote-debugging-port',
  'no-sandbox',
  'headless',
  'data-dir',
  'port',
])

const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--no-startup-window',
  '--keep-alive-for-test',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--password-store=basic',
  withoutOwnPages,
]

/** Starts Chromium without a window and connects to it. It ends with this process, however that ends. */
export async function startBrowser(switches: ReadonlyMap<string, string>): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'electron-standin-'))
  const headless = !process.env.DISPLAY || process.env.ELECTRON_STANDIN_HEADLESS === '1'
  const passedOn = [...switches].filter(([name]) => !OWN_SWITCHES.has(name))
  chromium = spawn(
    join(import.meta.dirname, 'chromium-keeper.sh'),
    [
      profile,
      process.env.ELECTRON_STANDIN_CHROMIUM ?? '/usr/bin/chromium',
      ...CHROMIUM_ARGUMENTS,
      `--user-data-dir=${profile}`,
      `--remote-debugging-port=${switches.get('remote-debugging-port') || 0}`,
      ...(headless ? ['--headless', '--hide-scrollbars'] : []),
      ...passedOn.map(([name, value]) => (value ? `--${name}=${value}` : `--${name}`)),
    ],
    // A group of its own: whoever kills ours must leave the keeper alive, to clean up.
    { stdio: ['pipe', 'ignore', 'pipe'], detached: true },
  )
  const url = await devToolsUrl(chromium)
  cdp = await Cdp.connect(url)
  cdp.on('close', () => {
    if (closing) return
    console.error('electron stand-in: the browser ended')
    process.exit(1)
  })
  cdp.on('Target.targetDestroyed', ({ targetId }: { targetId: string }) => windowOfTarget(targetId)?.targetGone())
  cdp.on('Target.targetInfoChanged', ({ targetInfo }: { targetInfo: { targetId: string; title: string } }) =>
    windowOfTarget(targetInfo.targetId)?.titleIs(targetInfo.title),
  )
  await cdp.send('Target.setDiscoverTargets', { discover: true })
  // Playwright reads the address from here, as it does with Electron.
  if (switches.has('remote-debugging-port')) process.stderr.write(`\nDevTools listening on ${url}\n`)
}

/** Closes the browser in order, for at most two seconds. */
export async function closeBrowser(): Promise<void> {
  closing = true
  if (!cdp || !chromium || chromium.exitCode !== null) return
  const gone = once(chromium, 'exit')
  cdp.send('Browser.close').catch(() => {
    // The answer may lose the race with the closing, which is awaited below.
  })
  await Promise.race([gone, new Promise((resolve) => void setTimeout(resolve, 2_000).unref())])
}

function devToolsUrl(child: ChildProcess): Promise<string> {
  let output = ''
  return new Promise((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      const url = /^DevTools listening on (ws:\/\/.*)$/m.exec(output)?.[1]
      if (url) resolve(url)
    })
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`electron stand-in: chromium ended with ${code}\n${output}`)))
  })
}
