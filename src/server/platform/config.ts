import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { defaultDataDir } from '../../process/data-dir.ts'
import { type Settings, settings } from './config.settings.ts'
import type { LogLevel } from './logger.ts'
import { StartupError } from './startup-error.ts'

/** Everything that can be set, decided once at start. */
export interface Config {
  dataDir: string
  host: string
  /** 0: any free one. */
  port: number
  /** Take a free port when the wanted one is taken (the desktop), rather than stop. */
  portFallback: boolean
  /** Names beyond the loopback ones that the server answers to: `host` or `host:port`. */
  allowedHosts: string[]
  totpRequired: boolean
  /** The desktop's own window may sign in by a launch token. */
  desktopSignIn: boolean
  sessionIdleMs: number
  sessionMaxMs: number
  /** Of a new password, in characters. */
  passwordMinLength: number
  /** A window of the desktop locks itself after so many minutes without input; 0: never. */
  desktopLockMinutes: number
  /** Makes the superadmin when no user exists. */
  firstAdmin: { username: string; password: string } | null
  /** Shared with executors. Random for each start unless configured. */
  executorKey: string
  /** Fork and supervise an executor on this machine. */
  localExecutor: boolean
  aiApiKey: string | null
  leases: { executorMs: number; heartbeatMs: number }
  limits: { requestsPerSecond: number; burst: number }
  logLevel: LogLevel
  /** `everyMs` 0: only when asked for. `folder` null: `backups` in the data folder. */
  backup: { everyMs: number; keep: number; folder: string | null }
  /** How long and how much is kept; 0: everything. Sizes in bytes. */
  retention: { runsMs: number; runsMax: number; logsMs: number; logBytes: number }
}

export interface ConfigSource {
  /** Without node and the script: `process.argv.slice(2)`. */
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  home: string
  randomKey: () => string
}

export const CONFIG_FILE = 'config.yaml'

/** The process's own arguments and environment: the only place of the server that looks at them. */
export function processSource(randomKey: () => string): ConfigSource {
  return { argv: process.argv.slice(2), env: process.env, platform: process.platform, home: homedir(), randomKey }
}

/** Arguments over environment over `config.yaml` over defaults. Throws a StartupError that names place, reason and remedy. */
export async function loadConfig(source: ConfigSource): Promise<Config> {
  const args = readArguments(source.argv)
  const env = readEnvironment(source.env)
  const dataDir = resolve(
    args.dataDir ?? (source.env.SVC_DATA_DIR || defaultDataDir({ ...source.env }, source.platform, source.home)),
  )
  const file = await readFile(join(dataDir, CONFIG_FILE))
  const values: Settings = { ...defaults(), ...file, ...env, ...args.settings }
  const hour = 3_600_000
  return {
    dataDir,
    host: values['server.host'],
    port: values['server.port'],
    portFallback: args.desktop,
    allowedHosts: values['server.allowed_hosts'].map((host) => host.toLowerCase()),
    totpRequired: values['auth.totp_required'],
    desktopSignIn: values['auth.desktop_sign_in'],
    sessionIdleMs: values['auth.session_idle_hours'] * hour,
    sessionMaxMs: values['auth.session_max_days'] * 24 * hour,
    passwordMinLength: values['auth.password_min_length'],
    desktopLockMinutes: values['auth.desktop_lock_minutes'],
    firstAdmin: firstAdmin(source.env),
    executorKey: values['executors.key'] ?? source.randomKey(),
    localExecutor: values['executors.local'],
    aiApiKey: values['ai.api_key'],
    leases: leases(values),
    limits: { requestsPerSecond: values['limits.requests_per_second'], burst: values['limits.burst'] },
    logLevel: values['log.level'],
    backup: {
      everyMs: values['backup.every_hours'] * hour,
      keep: values['backup.keep'],
      folder: values['backup.folder'],
    },
    retention: {
      runsMs: values['retention.runs_days'] * 24 * hour,
      runsMax: values['retention.runs_max'],
      logsMs: values['retention.logs_days'] * 24 * hour,
      logBytes: values['retention.logs_mb'] * 1024 * 1024,
    },
  }
}

interface Arguments {
  dataDir?: string
  desktop: boolean
  settings: Partial<Settings>
}

function readArguments(argv: readonly string[]): Arguments {
  const read: Arguments = { desktop: false, settings: {} }
  const rest = argv.flatMap((arg) => (/^--[\w-]+=/.test(arg) ? splitOnce(arg) : [arg]))
  while (rest.length > 0) {
    const name = rest.shift()!
    if (name === '--desktop') read.desktop = true
    else if (name === '--no-executor') read.settings['executors.local'] = false
    else if (name === '--data-dir') read.dataDir = argumentValue(name, rest)
    else if (name === '--port' || name === '--host') {
      const key = name === '--port' ? 'server.port' : 'server.host'
      Object.assign(read.settings, { [key]: fromText(key, argumentValue(name, rest), name) })
    } else {
      throw new StartupError(
        `${name}: unknown argument; known are --data-dir DIR, --port N, --host ADDRESS, --no-executor and --desktop`,
      )
    }
  }
  return read
}

function splitOnce(arg: string): string[] {
  const at = arg.indexOf('=')
  return [arg.slice(0, at), arg.slice(at + 1)]
}

function argumentValue(name: string, rest: string[]): string {
  const value = rest.shift()
  if (value === undefined || value === '') throw new StartupError(`${name}: its value is missing`)
  return value
}

function readEnvironment(env: ConfigSource['env']): Partial<Settings> {
  const values: Record<string, unknown> = {}
  for (const [key, setting] of Object.entries(settings)) {
    const text = env[setting.env]
    // settings is keyed by the keys of Settings.
    if (text !== undefined && text !== '') values[key] = fromText(key as keyof Settings, text, setting.env)
  }
  return values
}

function fromText(key: keyof Settings, text: string, where: string): unknown {
  const setting = settings[key]
  const outcome = setting.check(setting.parse(text))
  if ('reason' in outcome) throw new StartupError(`${where}: ${outcome.reason}; ${setting.fix}`)
  return outcome.value
}

async function readFile(file: string): Promise<Partial<Settings>> {
  if (!existsSync(file)) return {}
  // Loaded only where there is such a file: most data folders have none.
  const { parseConfigFile } = await import('./config.file.ts')
  return parseConfigFile(readFileSync(file, 'utf8'), file)
}

function defaults(): Settings {
  // settings has every key of Settings, each with a default of its type.
  return Object.fromEntries(Object.entries(settings).map(([key, { value }]) => [key, value])) as unknown as Settings
}

function firstAdmin(env: ConfigSource['env']): Config['firstAdmin'] {
  const { SVC_ADMIN_USERNAME: username, SVC_ADMIN_PASSWORD: password } = env
  if (!username && !password) return null
  if (!username || !password) {
    throw new StartupError('SVC_ADMIN_USERNAME and SVC_ADMIN_PASSWORD: only one is set; set both or neither')
  }
  if (password.length < 8) throw new StartupError('SVC_ADMIN_PASSWORD: is too short; give at least 8 characters')
  return { username, password }
}

function leases(values: Settings): Config['leases'] {
  const executorMs = values['executors.lease_ms']
  const heartbeatMs = values['executors.heartbeat_ms']
  if (heartbeatMs * 2 > executorMs) {
    throw new StartupError(
      `executors.heartbeat_ms: ${heartbeatMs} is too long for executors.lease_ms ${executorMs}; give at most half of it`,
    )
  }
  return { executorMs, heartbeatMs }
}
