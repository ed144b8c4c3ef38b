/** Every setting, in one place: config.yaml, environment, REST, the window and docs/operations.md follow from it. */
import { type Setting, address, boolean, choice, folder, hostNames, integer, secret } from './config.setting-kinds.ts'
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
  'uploads.folder': string | null
  'uploads.max_mb': number
  'retention.runs_days': number
  'retention.runs_max': number
  'retention.logs_days': number
  'retention.logs_mb': number
  'log.level': LogLevel
}
export type SettingKey = keyof Settings

export const settings: { readonly [K in SettingKey]: Setting<Settings[K]> } = {
  'server.host': address(
    {
      env: 'SVC_HOST',
      title: 'Address',
      description:
        'Address that the server listens on. Any but a loopback address lets other machines in: think first.',
      needsRestart: true,
    },
    '127.0.0.1',
  ),
  'server.port': integer(
    { env: 'SVC_PORT', title: 'Port', description: '0 takes any free one.', needsRestart: true },
    4717,
    0,
    65_535,
  ),
  'server.allowed_hosts': hostNames({
    env: 'SVC_ALLOWED_HOSTS',
    title: 'Further host names',
    description: 'Names beside the loopback ones that the Host header may carry, such as that of a proxy in front.',
  }),
  'auth.totp_required': boolean(
    {
      env: 'SVC_AUTH_TOTP_REQUIRED',
      title: 'Require a second factor',
      description: 'Signing in takes a code of an authenticator app; whoever has none yet enrols at the next sign-in.',
    },
    false,
  ),
  'auth.desktop_sign_in': boolean(
    {
      env: 'SVC_AUTH_DESKTOP_SIGN_IN',
      title: 'Desktop signs in by itself',
      description: 'The desktop’s own window signs in without a password.',
    },
    true,
  ),
  'auth.session_idle_hours': integer(
    {
      env: 'SVC_AUTH_SESSION_IDLE_HOURS',
      title: 'Session ends unused after',
      description: 'A session that was not used for so long has ended.',
      unit: 'hours',
    },
    12,
    1,
    8_760,
  ),
  'auth.session_max_days': integer(
    {
      env: 'SVC_AUTH_SESSION_MAX_DAYS',
      title: 'Session ends after',
      description: 'However much it is used. Holds for sessions that begin after the change.',
      unit: 'days',
    },
    30,
    1,
    365,
  ),
  'auth.password_min_length': integer(
    {
      env: 'SVC_AUTH_PASSWORD_MIN_LENGTH',
      title: 'Shortest password',
      description: 'Of new passwords; those that exist stay.',
      unit: 'characters',
    },
    8,
    8,
    128,
  ),
  'auth.desktop_lock_minutes': integer(
    {
      env: 'SVC_AUTH_DESKTOP_LOCK_MINUTES',
      title: 'Lock the desktop after',
      description: 'A window of the desktop without input for so long asks for the password; 0 never locks.',
      unit: 'minutes',
    },
    0,
    0,
    1_440,
  ),
  'executors.key': secret({
    env: 'SVC_EXECUTOR_KEY',
    title: 'Executor key',
    description: 'Executors sign in with it; random at each start unless set. Set it when executors run elsewhere.',
    needsRestart: true,
  }),
  'executors.local': boolean(
    {
      env: 'SVC_EXECUTORS_LOCAL',
      title: 'Local executor',
      description: 'Run an executor beside the server.',
      needsRestart: true,
    },
    true,
  ),
  'executors.lease_ms': integer(
    {
      env: 'SVC_EXECUTORS_LEASE_MS',
      title: 'Executor lease',
      description: 'An executor that is silent for so long counts as lost.',
      unit: 'milliseconds',
      needsRestart: true,
    },
    20_000,
    200,
    3_600_000,
  ),
  'executors.heartbeat_ms': integer(
    {
      env: 'SVC_EXECUTORS_HEARTBEAT_MS',
      title: 'Executor heartbeat',
      description: 'How often executors give a sign of life; at most half of the lease.',
      unit: 'milliseconds',
      needsRestart: true,
    },
    5_000,
    50,
    600_000,
  ),
  'ai.api_key': secret({
    env: 'SVC_AI_API_KEY',
    title: 'AI key',
    description: 'Key of the AI provider; without it everything that asks an AI is off.',
  }),
  'limits.requests_per_second': integer(
    {
      env: 'SVC_LIMITS_REQUESTS_PER_SECOND',
      title: 'Requests per second',
      description: 'Of one caller, on the average.',
    },
    2_000,
    1,
    1_000_000,
  ),
  'limits.burst': integer(
    { env: 'SVC_LIMITS_BURST', title: 'Requests at once', description: 'Of one caller, before the average counts.' },
    6_000,
    1,
    1_000_000,
  ),
  'backup.every_hours': integer(
    {
      env: 'SVC_BACKUP_EVERY_HOURS',
      title: 'Back up every',
      description: '0: only when asked for.',
      unit: 'hours',
    },
    24,
    0,
    8_760,
  ),
  'backup.keep': integer(
    { env: 'SVC_BACKUP_KEEP', title: 'Backups to keep', description: 'Of the scheduled ones; the oldest go first.' },
    7,
    1,
    1_000,
  ),
  'backup.folder': folder({
    env: 'SVC_BACKUP_FOLDER',
    title: 'Folder of backups',
    description: '`backups` in the data folder unless given. Another disk survives the loss of this one.',
  }),
  'uploads.folder': folder({
    env: 'SVC_UPLOADS_FOLDER',
    title: 'Folder of uploads',
    description:
      'Where files are kept that a browser hands over. Beside the data folder unless given; not inside of it, where no connector may read.',
  }),
  'uploads.max_mb': integer(
    {
      env: 'SVC_UPLOADS_MAX_MB',
      title: 'Largest upload',
      description: 'Of one file.',
      unit: 'MiB',
    },
    4_096,
    1,
    1_048_576,
  ),
  'retention.runs_days': integer(
    {
      env: 'SVC_RETENTION_RUNS_DAYS',
      title: 'Keep runs for',
      description:
        'Runs and job runs that have ended, with all that belongs to them, and old news and firings. The newest of each task and job stay. 0: for ever.',
      unit: 'days',
    },
    365,
    0,
    36_500,
  ),
  'retention.runs_max': integer(
    {
      env: 'SVC_RETENTION_RUNS_MAX',
      title: 'Most runs',
      description: 'When more runs than this have ended, the oldest go, those of a job run together. 0: no limit.',
      unit: 'runs',
    },
    0,
    0,
    1_000_000_000,
  ),
  'retention.logs_days': integer(
    {
      env: 'SVC_RETENTION_LOGS_DAYS',
      title: 'Keep logs for',
      description: 'Logs and rejected rows of runs that have ended; the runs stay. 0: as long as the runs.',
      unit: 'days',
    },
    90,
    0,
    36_500,
  ),
  'retention.logs_mb': integer(
    {
      env: 'SVC_RETENTION_LOGS_MB',
      title: 'Most log',
      description: 'When logs take more than this in the store, the oldest of runs that have ended go. 0: no limit.',
      unit: 'MiB',
    },
    0,
    0,
    10_000_000,
  ),
  'log.level': choice(
    { env: 'SVC_LOG_LEVEL', title: 'Log level', description: 'What the server’s own log tells.' },
    'info',
    logLevels,
  ),
}

/** Every key, in the order of the table. */
// Object.keys tells no more than string; the table is keyed by exactly these.
export const settingKeys = Object.keys(settings) as SettingKey[]

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settings, key)

export function defaultSettings(): Settings {
  // settings has every key of Settings, each with a default of its type.
  return Object.fromEntries(settingKeys.map((key) => [key, settings[key].value])) as unknown as Settings
}

export interface SettingMistake {
  key: SettingKey
  reason: string
  fix: string
}

/** What no setting can say of itself. */
export function crossMistakes(values: Settings): SettingMistake[] {
  const lease = values['executors.lease_ms']
  const heartbeat = values['executors.heartbeat_ms']
  if (heartbeat * 2 <= lease) return []
  const reason = `${heartbeat} is too long for executors.lease_ms ${lease}`
  return [{ key: 'executors.heartbeat_ms', reason, fix: 'give at most half of it' }]
}
