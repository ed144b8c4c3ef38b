import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { defaultDataDir } from '../../process/data-dir.ts'
import { readArguments, readEnvironment } from './config.arguments.ts'
import { hold } from './config.hold.ts'
import type { Config } from './config.shape.ts'
import { type Settings, crossMistakes, defaultSettings, settingKeys } from './config.settings.ts'
import { StartupError } from './startup-error.ts'

export type { Config } from './config.shape.ts'

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
  const environment = readEnvironment(source.env)
  const dataDir = resolve(
    args.dataDir ?? (source.env.SVC_DATA_DIR || defaultDataDir({ ...source.env }, source.platform, source.home)),
  )
  const file = await readFile(join(dataDir, CONFIG_FILE))
  const held: Settings = { ...defaultSettings(), ...file, ...environment, ...args.settings }
  const [mistake] = crossMistakes(held)
  if (mistake) throw new StartupError(`${mistake.key}: ${mistake.reason.message}; ${mistake.fix.message}`)
  const config: Config = {
    ...blank,
    ai: { ...blank.ai },
    leases: { ...blank.leases },
    limits: { ...blank.limits },
    backup: { ...blank.backup },
    uploads: { ...blank.uploads },
    retention: { ...blank.retention },
    telemetry: { ...blank.telemetry },
    dataDir,
    portFallback: args.desktop,
    firstAdmin: firstAdmin(source.env),
    executorKey: source.randomKey(),
    settings: { held, argument: args.settings, environment, file },
  }
  for (const key of settingKeys) hold(config, key, held[key])
  return config
}

/** Each of these is then set by its setting. */
const blank = {
  host: '',
  port: 0,
  allowedHosts: [],
  publicUrl: null,
  totpRequired: true,
  desktopSignIn: false,
  sessionIdleMs: 0,
  sessionMaxMs: 0,
  passwordMinLength: 0,
  desktopLockMinutes: 0,
  localExecutor: false,
  ai: {
    provider: 'openai',
    baseUrl: null,
    model: null,
    apiKey: null,
    rows: 'never',
    dailyTokens: 0,
    prices: new Map(),
    currency: '',
  },
  mcpEnabled: false,
  leases: { executorMs: 0, heartbeatMs: 0 },
  limits: { requestsPerSecond: 0, burst: 0 },
  logLevel: 'info',
  backup: { everyMs: 0, keep: 1, folder: null },
  uploads: { folder: null, maxMb: 0 },
  retention: { runsMs: 0, runsMax: 0, logsMs: 0, logBytes: 0, queriesMs: 0, queriesMax: 0 },
  telemetry: {
    namespace: '',
    openlineageUrl: null,
    openlineageKey: null,
    openlineageFolder: null,
    otlpEndpoint: null,
    otlpKey: null,
    otlpHeaders: null,
  },
} satisfies Partial<Config>

async function readFile(file: string): Promise<Partial<Settings>> {
  if (!existsSync(file)) return {}
  // Loaded only where there is such a file: most data folders have none.
  const { parseConfigFile } = await import('./config.file.ts')
  return parseConfigFile(readFileSync(file, 'utf8'), file).values
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
