import type { AiProvider, AiRows } from '../../contract/ai.ts'
import type { ModelPrice } from './ai-prices.ts'
import type { Settings } from './config.settings.ts'
import type { LogLevel } from './logger.ts'

/** The settings by key, beside what was made of them. */
export interface SettingValues {
  /** What holds now, from wherever. */
  held: Settings
  /** Given at the start; these win over the file for as long as the process lives. */
  readonly argument: Partial<Settings>
  readonly environment: Partial<Settings>
  /** As config.yaml was at the start. */
  readonly file: Partial<Settings>
}

/**
 * Everything that can be set. One object for as long as the server lives: most settings are changed in place while it runs
 * (see config.hold.ts), so read a value where it is used and keep no copy.
 */
export interface Config {
  dataDir: string
  host: string
  /** 0: any free one. */
  port: number
  /** Take a free port when the wanted one is taken (the desktop), rather than stop. */
  portFallback: boolean
  /** Names beyond the loopback ones that the server answers to: `host` or `host:port`. */
  allowedHosts: string[]
  /** For links that leave the server; null: where it listens. */
  publicUrl: string | null
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
  /** `baseUrl` null: the provider's own. `dailyTokens` 0: no limit. */
  ai: {
    provider: AiProvider
    baseUrl: string | null
    model: string | null
    apiKey: string | null
    /** Whether rows may be sent, once a person has seen them. */
    rows: AiRows
    dailyTokens: number
    /** By model. */
    prices: ReadonlyMap<string, ModelPrice>
    /** ISO 4217, of the prices. */
    currency: string
  }
  /** Agents are answered at /api/mcp. */
  mcpEnabled: boolean
  leases: { executorMs: number; heartbeatMs: number }
  limits: { requestsPerSecond: number; burst: number }
  logLevel: LogLevel
  /** `everyMs` 0: only when asked for. `folder` null: `backups` in the data folder. */
  backup: { everyMs: number; keep: number; folder: string | null }
  /** `folder` null: beside the data folder. `maxMb`: MiB of one file. */
  uploads: { folder: string | null; maxMb: number }
  /** How long and how much is kept; 0: everything. Sizes in bytes. */
  retention: {
    runsMs: number
    runsMax: number
    logsMs: number
    logBytes: number
    queriesMs: number
    /** Of each user. */
    queriesMax: number
  }
  /** What other systems are told; null: nothing. */
  telemetry: {
    namespace: string
    openlineageUrl: string | null
    openlineageKey: string | null
    openlineageFolder: string | null
    otlpEndpoint: string | null
    otlpKey: string | null
    /** As the setting has them: `name=value,name=value`. */
    otlpHeaders: string | null
  }
  settings: SettingValues
}
