// `npm start`: opens the desktop window. Where Electron's binary or a display is missing it says so in one line and
// serves the same app to the browser. Arguments are passed on: `npm start -- --data-dir DIR`.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readConfig } from '../src/main/config.ts'
import { isMessage } from '../src/process/messages.ts'

const ROOT = join(import.meta.dirname, '..')
const ELECTRON = join(ROOT, 'node_modules', 'electron')

/** The binary has about 110 MB. */
const FETCH_MS = 5 * 60_000
/** An Electron that ends with an error sooner than this has not shown a window: a library or the sandbox is missing. */
const STARTED_MS = 15_000
/** Levels of the JSON log that a person at a terminal needs. */
const SHOWN_LEVELS = new Set<unknown>(['warn', 'error'])

const args = process.argv.slice(2)
const { dataDir } = readConfig({
  argv: args,
  env: process.env,
  platform: process.platform,
  home: homedir(),
  cwd: process.cwd(),
})

say(`data folder ${dataDir}`)
const shell = findElectron()
const problem = 'path' in shell ? await runElectron(shell.path) : shell.missing
if (problem) {
  say(`${problem} Serving the same app to the browser instead.`)
  await serveToBrowser()
}

function say(text: string): void {
  process.stderr.write(`headgate: ${text}\n`)
}

function findElectron(): { path: string } | { missing: string } {
  const { env, platform } = process
  const hasDisplay = platform === 'win32' || platform === 'darwin' || env.DISPLAY || env.WAYLAND_DISPLAY
  if (!hasDisplay) return { missing: 'There is no display for a window (DISPLAY and WAYLAND_DISPLAY are unset).' }
  if (env.ELECTRON_OVERRIDE_DIST_PATH) return { path: join(env.ELECTRON_OVERRIDE_DIST_PATH, 'electron') }
  const path = installedElectron() ?? fetchElectron()
  return path ? { path } : { missing: 'Electron’s binary is not installed and could not be fetched.' }
}

function installedElectron(): string | null {
  const pointer = join(ELECTRON, 'path.txt')
  if (!existsSync(pointer)) return null
  const path = join(ELECTRON, 'dist', readFileSync(pointer, 'utf8'))
  return existsSync(path) ? path : null
}

function fetchElectron(): string | null {
  say('fetching Electron’s binary (about 110 MB, once) …')
  spawnSync(process.execPath, [join(ELECTRON, 'install.js')], { stdio: 'ignore', timeout: FETCH_MS })
  return installedElectron()
}

/** Runs the window until it ends. Returns what kept it from starting, or null. */
async function runElectron(path: string): Promise<string | null> {
  // Chromium refuses to run as root with its sandbox.
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0
  const startedAt = performance.now()
  const child = spawn(path, [...(asRoot ? ['--no-sandbox'] : []), ROOT, ...args], {
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const lastLine = showErrors(child)
  const stopped = passSignalsOn(child)
  const { code, reason } = await endOf(child)
  if (code === 0 || stopped() || performance.now() - startedAt > STARTED_MS) {
    process.exitCode = code ?? 1
    return null
  }
  return `Electron did not start (${lastLine() || reason}).`
}

async function serveToBrowser(): Promise<void> {
  const server = spawn(process.execPath, [join(ROOT, 'out', 'main', 'server.js'), '--desktop', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  showErrors(server)
  passSignalsOn(server)
  createInterface({ input: server.stdout }).on('line', (line) => {
    const ready = parseJson(line)
    if (isMessage(ready, 'event', 'ready')) process.stdout.write(`Headgate is at ${String(ready.url)}\n`)
  })
  const { code } = await endOf(server)
  process.exitCode = code ?? 1
}

/** Shows what a person needs of a process's stderr: plain lines, and warnings and errors of the JSON log. */
function showErrors({ stderr }: ChildProcess): () => string {
  let last = ''
  if (!stderr) return () => last
  createInterface({ input: stderr }).on('line', (line) => {
    const entry = parseJson(line)
    if (typeof entry !== 'object' || entry === null) {
      last = line.trim() || last
      process.stderr.write(`${line}\n`)
      return
    }
    const { level, msg } = entry as { level?: unknown; msg?: unknown }
    if (SHOWN_LEVELS.has(level)) say(String(msg))
  })
  return () => last
}

function parseJson(line: string): unknown {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line)
  } catch {
    // A plain line that begins like JSON.
    return null
  }
}

/** Returns a function that tells whether a signal has come. */
function passSignalsOn(child: ChildProcess): () => boolean {
  let stopped = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      stopped = true
      child.kill(signal)
    })
  }
  return () => stopped
}

function endOf(child: ChildProcess): Promise<{ code: number | null; reason: string }> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, reason: error.message }))
    child.once('close', (code, signal) => resolve({ code, reason: signal ? `signal ${signal}` : `status ${code}` }))
  })
}
