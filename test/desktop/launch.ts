// The seam: the only file of the desktop specs that knows whether a true Electron is there.
import { _electron, type ElectronApplication } from '@playwright/test'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { descendants, isGone } from '../support/processes.ts'

const STAND_IN = join(import.meta.dirname, 'electron-standin')
export const ROOT = resolve(import.meta.dirname, '../..')
/** Another build than `out`, for work beside others. */
export const OUT = resolve(ROOT, process.env.HEADGATE_TEST_OUT ?? 'out')

export type Shell = { kind: 'electron' | 'stand-in'; executable: string }

/** True Electron where its binary is there and starts (DESKTOP_SHELL=stand-in|electron decides), else the stand-in. */
export function findShell(): Shell {
  shell ??= chooseShell()
  return shell
}

let shell: Shell | null = null

function chooseShell(): Shell {
  const wanted = process.env.DESKTOP_SHELL
  const binary = wanted === 'stand-in' ? null : electronBinary()
  if (binary) return { kind: 'electron', executable: binary }
  if (wanted === 'electron') throw new Error('DESKTOP_SHELL=electron, but Electron’s binary is not installed.')
  return { kind: 'stand-in', executable: join(STAND_IN, 'electron') }
}

function electronBinary(): string | null {
  const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
  const pointer = join(folder, 'path.txt')
  if (!existsSync(pointer) || !(process.platform !== 'linux' || process.env.DISPLAY)) return null
  const binary = join(folder, 'dist', readFileSync(pointer, 'utf8'))
  // Where a library is missing, the binary is there and does not start.
  const { status } = spawnSync(binary, ['--no-sandbox', '--version'], { stdio: 'ignore', timeout: 30_000 })
  return status === 0 ? binary : null
}

export interface Launched {
  app: ElectronApplication
  /** The app's own folder, removed by `end`. */
  userData: string
  dataDir: string
  /** What the processes wrote. */
  output: () => string
  exitCode: Promise<number | null>
  /** Ends the app however it stands, with all its processes, and removes its folder. */
  end: () => Promise<void>
}

export interface LaunchOptions {
  /** Default: a fresh one. */
  dataDir?: string
  /** Where profile and data lie; kept by `end`. Default: a fresh one, which `end` removes. */
  folder?: string
  /** What stands in the data folder's config.yaml. */
  settings?: string
  args?: string[]
  env?: Record<string, string>
  /** Another app than the one that was built: its folder. */
  app?: string
}

/** How the app is started: the same for Playwright and for a second instance. */
export function commandLine(
  userData: string,
  dataDir: string,
  args: readonly string[] = [],
  app = OUT === join(ROOT, 'out') ? ROOT : join(OUT, 'main/index.js'),
): string[] {
  return [app, `--user-data-dir=${userData}`, `--data-dir=${dataDir}`, ...args]
}

export function environment(extra: Record<string, string> = {}): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([key, value]) => value !== undefined && !key.startsWith('SVC_'))
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    ELECTRON_STANDIN_NODE: process.execPath,
    ...extra,
  }
}

/** Draining an executor and a server is bounded; an app that takes longer hangs. */
const END_MS = 30_000

function expired(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref())
}

export async function launchApp(options: LaunchOptions = {}): Promise<Launched> {
  const { settings, args, env, app: path } = options
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'headgate-desktop-'))
  const userData = join(folder, 'window')
  const data = options.dataDir ?? join(folder, 'data')
  for (const one of [userData, data]) mkdirSync(one, { recursive: true })
  if (settings) writeFileSync(join(data, 'config.yaml'), settings)
  const app = await _electron.launch({
    executablePath: findShell().executable,
    args: commandLine(userData, data, args, path),
    env: environment(env),
    cwd: ROOT,
  })
  const child = app.process()
  const exitCode = new Promise<number | null>((resolve) => void child.once('exit', (code) => resolve(code)))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)))
  return {
    app,
    userData,
    dataDir: data,
    output: () => output,
    exitCode,
    async end() {
      const running = descendants(child.pid ?? 0)
      if (child.exitCode === null && child.signalCode === null) await Promise.race([app.close(), expired(END_MS)])
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await exitCode
      for (const pid of running) if (!isGone(pid)) process.kill(pid, 'SIGKILL')
      if (!options.folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
