import { isAbsolute } from 'node:path'
import { type LogLevel, logLevels } from './logger.ts'

/** The settings by their key in config.yaml. */
export interface Settings {
  'server.host': string
  'server.port': number
  'server.allowed_hosts': string[]
  'auth.totp_required': boolean
  'auth.desktop_sign_in': boolean
  'auth.session_idle_hours': number
  'auth.session_max_days': number
  'auth.password_min_length': number
  'auth.desktop_lock_minutes': number
  'executors.key': string | null
  'executors.local': boolean
  'executors.lease_ms': number
  'executors.heartbeat_ms': number
  'ai.api_key': string | null
  'limits.requests_per_second': number
  'limits.burst': number
  'backup.every_hours': number
  'backup.keep': number
  'backup.folder': string | null
  'retention.runs_days': number
  'retention.runs_max': number
  'retention.logs_days': number
  'retention.logs_mb': number
  'log.level': LogLevel
}

export type Checked<T> = { value: T } | { reason: string }

export interface Setting<T> {
  env: string
  /** The default. */
  value: T
  /** What to give instead of a bad value. */
  fix: string
  /** Text of an argument or variable as the value that YAML would give. */
  parse: (text: string) => unknown
  check: (value: unknown) => Checked<T>
}

const asIs = (text: string): unknown => text
const quoted = (value: unknown) => JSON.stringify(value)

function boolean(env: string, value: boolean): Setting<boolean> {
  const words: Record<string, boolean> = { true: true, '1': true, false: false, '0': false }
  return {
    env,
    value,
    fix: 'give true or false',
    parse: (text) => words[text.toLowerCase()] ?? text,
    check: (given) =>
      typeof given === 'boolean' ? { value: given } : { reason: `${quoted(given)} is neither true nor false` },
  }
}

function integer(env: string, value: number, min: number, max: number): Setting<number> {
  return {
    env,
    value,
    fix: `give a whole number from ${min} to ${max}`,
    parse: (text) => (/^-?\d+$/.test(text.trim()) ? Number(text) : text),
    check(given) {
      if (typeof given !== 'number' || !Number.isInteger(given))
        return { reason: `${quoted(given)} is not a whole number` }
      return given < min || given > max ? { reason: `${given} is out of range` } : { value: given }
    },
  }
}

function secret(env: string): Setting<string | null> {
  return {
    env,
    value: null,
    fix: 'give a text of at least 8 characters, or leave it out',
    parse: asIs,
    // The value itself is never repeated: it may be a mistyped secret.
    check(given) {
      if (given === null) return { value: null }
      if (typeof given !== 'string') return { reason: 'is not a text' }
      return given.length < 8 ? { reason: 'is too short' } : { value: given }
    },
  }
}

function folder(env: string): Setting<string | null> {
  return {
    env,
    value: null,
    fix: 'give the absolute path of a folder, or leave it out',
    parse: asIs,
    check(given) {
      if (given === null) return { value: null }
      if (typeof given !== 'string') return { reason: 'is not a text' }
      return isAbsolute(given) ? { value: given } : { reason: `${quoted(given)} is not an absolute path` }
    },
  }
}

const host: Setting<string> = {
  env: 'SVC_HOST',
  value: '127.0.0.1',
  fix: 'give an address such as 127.0.0.1 or 0.0.0.0',
  parse: asIs,
  check: (given) =>
    typeof given === 'string' && /^[\w.:-]+$/.test(given)
      ? { value: given }
      : { reason: `${quoted(given)} is not an address` },
}

const allowedHosts: Setting<string[]> = {
  env: 'SVC_ALLOWED_HOSTS',
  value: [],
  fix: 'give host names such as headgate.example.com or headgate.example.com:8443',
  parse: (text) => text.split(',').map((name) => name.trim()),
  check(given) {
    if (!Array.isArray(given)) return { reason: 'is not a list' }
    const bad: unknown = given.find((name) => typeof name !== 'string' || !/^[\w.-]+(:\d{1,5})?$/.test(name))
    // Every element was just seen to be a string.
    return bad === undefined ? { value: given as string[] } : { reason: `${quoted(bad)} is not a host name` }
  },
}

const logLevel: Setting<LogLevel> = {
  env: 'SVC_LOG_LEVEL',
  value: 'info',
  fix: `give one of ${logLevels.join(', ')}`,
  parse: asIs,
  check(given) {
    const level = logLevels.find((known) => known === given)
    return level ? { value: level } : { reason: `${quoted(given)} is not a level` }
  },
}

export const settings: { readonly [K in keyof Settings]: Setting<Settings[K]> } = {
  'server.host': host,
  'server.port': integer('SVC_PORT', 4717, 0, 65_535),
  'server.allowed_hosts': allowedHosts,
  'auth.totp_required': boolean('SVC_AUTH_TOTP_REQUIRED', false),
  'auth.desktop_sign_in': boolean('SVC_AUTH_DESKTOP_SIGN_IN', true),
  'auth.session_idle_hours': integer('SVC_AUTH_SESSION_IDLE_HOURS', 12, 1, 8_760),
  'auth.session_max_days': integer('SVC_AUTH_SESSION_MAX_DAYS', 30, 1, 365),
  'auth.password_min_length': integer('SVC_AUTH_PASSWORD_MIN_LENGTH', 8, 8, 128),
  'auth.desktop_lock_minutes': integer('SVC_AUTH_DESKTOP_LOCK_MINUTES', 0, 0, 1_440),
  'executors.key': secret('SVC_EXECUTOR_KEY'),
  'executors.local': boolean('SVC_EXECUTORS_LOCAL', true),
  'executors.lease_ms': integer('SVC_EXECUTORS_LEASE_MS', 20_000, 200, 3_600_000),
  'executors.heartbeat_ms': integer('SVC_EXECUTORS_HEARTBEAT_MS', 5_000, 50, 600_000),
  'ai.api_key': secret('SVC_AI_API_KEY'),
  'limits.requests_per_second': integer('SVC_LIMITS_REQUESTS_PER_SECOND', 2_000, 1, 1_000_000),
  'limits.burst': integer('SVC_LIMITS_BURST', 6_000, 1, 1_000_000),
  'backup.every_hours': integer('SVC_BACKUP_EVERY_HOURS', 24, 0, 8_760),
  'backup.keep': integer('SVC_BACKUP_KEEP', 7, 1, 1_000),
  'backup.folder': folder('SVC_BACKUP_FOLDER'),
  'retention.runs_days': integer('SVC_RETENTION_RUNS_DAYS', 365, 0, 36_500),
  'retention.runs_max': integer('SVC_RETENTION_RUNS_MAX', 0, 0, 1_000_000_000),
  'retention.logs_days': integer('SVC_RETENTION_LOGS_DAYS', 90, 0, 36_500),
  'retention.logs_mb': integer('SVC_RETENTION_LOGS_MB', 0, 0, 10_000_000),
  'log.level': logLevel,
}
