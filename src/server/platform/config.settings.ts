/** Every setting, in one place: config.yaml, environment, REST, the window and docs/operations.md follow from it. */
import {
  type Setting,
  address,
  boolean,
  choice,
  folder,
  hostNames,
  integer,
  secret,
  shownAddress,
} from './config.setting-kinds.ts'
import { type AiSettings, aiSettings } from './config.settings.ai.ts'
import { type TelemetrySettings, telemetrySettings } from './config.settings.telemetry.ts'
import { type Message, msg } from '../../contract/messages.ts'
import { type LogLevel, logLevels } from './logger.ts'

/** The settings by their key in config.yaml. */
export interface Settings extends AiSettings, TelemetrySettings {
  'server.host': string
  'server.port': number
  'server.allowed_hosts': string[]
  'server.public_url': string | null
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
  'mcp.enabled': boolean
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
  'retention.queries_days': number
  'retention.queries_max': number
  'log.level': LogLevel
}
export type SettingKey = keyof Settings

export const settings: { readonly [K in SettingKey]: Setting<Settings[K]> } = {
  'server.host': address(
    {
      env: 'SVC_HOST',
      title: 'Address',
      description:
        'Address that the server listens on. Addresses other than loopback expose the server to other machines.',
      needsRestart: true,
    },
    '127.0.0.1',
  ),
  'server.port': integer(
    { env: 'SVC_PORT', title: 'Port', description: '0 uses any free port.', needsRestart: true },
    4717,
    0,
    65_535,
  ),
  'server.allowed_hosts': hostNames({
    env: 'SVC_ALLOWED_HOSTS',
    title: 'Additional host names',
    description: 'Host header values to accept in addition to loopback names, such as the name of a reverse proxy.',
  }),
  'server.public_url': shownAddress({
    env: 'SVC_PUBLIC_URL',
    title: 'Public address',
    description:
      'Address that people use to open this server, for links in telemetry. Defaults to the listening address.',
  }),
  'auth.totp_required': boolean(
    {
      env: 'SVC_AUTH_TOTP_REQUIRED',
      title: 'Require two-factor authentication',
      description:
        'Sign-in requires a code from an authenticator app. Users who haven’t set one up do so at their next sign-in.',
      superadminOnly: true,
    },
    false,
  ),
  'auth.desktop_sign_in': boolean(
    {
      env: 'SVC_AUTH_DESKTOP_SIGN_IN',
      title: 'Automatic desktop sign-in',
      description: 'The desktop app’s own window signs in without a password.',
      superadminOnly: true,
    },
    true,
  ),
  'auth.session_idle_hours': integer(
    {
      env: 'SVC_AUTH_SESSION_IDLE_HOURS',
      title: 'Idle session timeout',
      description: 'Sessions expire after this time without activity.',
      unit: 'hours',
    },
    12,
    1,
    8_760,
  ),
  'auth.session_max_days': integer(
    {
      env: 'SVC_AUTH_SESSION_MAX_DAYS',
      title: 'Maximum session length',
      description: 'Sessions expire after this time even if active. Applies to new sessions.',
      unit: 'days',
    },
    30,
    1,
    365,
  ),
  'auth.password_min_length': integer(
    {
      env: 'SVC_AUTH_PASSWORD_MIN_LENGTH',
      title: 'Minimum password length',
      description: 'Applies to new passwords; existing ones stay valid.',
      unit: 'characters',
    },
    8,
    8,
    128,
  ),
  'auth.desktop_lock_minutes': integer(
    {
      env: 'SVC_AUTH_DESKTOP_LOCK_MINUTES',
      title: 'Lock desktop after',
      description: 'Desktop windows ask for the password after this time without input. Set to 0 to disable.',
      unit: 'minutes',
      superadminOnly: true,
    },
    0,
    0,
    1_440,
  ),
  'executors.key': secret({
    env: 'SVC_EXECUTOR_KEY',
    title: 'Executor key',
    description:
      'Executors sign in with it. Random at each start unless set. Set it if executors run on other machines.',
    needsRestart: true,
    superadminOnly: true,
  }),
  'executors.local': boolean(
    {
      env: 'SVC_EXECUTORS_LOCAL',
      title: 'Local executor',
      description: 'Run an executor together with the server.',
      needsRestart: true,
    },
    true,
  ),
  'executors.lease_ms': integer(
    {
      env: 'SVC_EXECUTORS_LEASE_MS',
      title: 'Executor lease',
      description: 'An executor counts as lost after this time without a heartbeat.',
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
      description: 'How often executors send a heartbeat. At most half of the lease.',
      unit: 'milliseconds',
      needsRestart: true,
    },
    5_000,
    50,
    600_000,
  ),
  ...aiSettings,
  'mcp.enabled': boolean(
    {
      env: 'SVC_MCP_ENABLED',
      title: 'MCP server',
      description: 'Agents with an API key can use the tools at `/api/mcp`.',
    },
    false,
  ),
  'limits.requests_per_second': integer(
    {
      env: 'SVC_LIMITS_REQUESTS_PER_SECOND',
      title: 'Requests per second',
      description: 'Average limit per caller.',
    },
    2_000,
    1,
    1_000_000,
  ),
  'limits.burst': integer(
    { env: 'SVC_LIMITS_BURST', title: 'Request burst', description: 'Per caller, before the average limit applies.' },
    6_000,
    1,
    1_000_000,
  ),
  'backup.every_hours': integer(
    {
      env: 'SVC_BACKUP_EVERY_HOURS',
      title: 'Back up every',
      description: 'Set to 0 to disable.',
      unit: 'hours',
    },
    24,
    0,
    8_760,
  ),
  'backup.keep': integer(
    { env: 'SVC_BACKUP_KEEP', title: 'Scheduled backups to keep', description: 'The oldest are deleted first.' },
    7,
    1,
    1_000,
  ),
  'backup.folder': folder({
    env: 'SVC_BACKUP_FOLDER',
    title: 'Backup folder',
    description:
      'Defaults to the `backups` folder in the data folder. A folder on another disk survives the loss of this disk.',
  }),
  'uploads.folder': folder({
    env: 'SVC_UPLOADS_FOLDER',
    title: 'Upload folder',
    description:
      'Where files uploaded in a browser are stored. By default next to the data folder. It can’t be inside the data folder, where connectors can’t read.',
  }),
  'uploads.max_mb': integer(
    {
      env: 'SVC_UPLOADS_MAX_MB',
      title: 'Largest upload',
      description: 'Maximum size of one file.',
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
      description: 'Removes older ended runs and their data, except the newest run of each task and job. 0 keeps all.',
      unit: 'days',
    },
    365,
    0,
    36_500,
  ),
  'retention.runs_max': integer(
    {
      env: 'SVC_RETENTION_RUNS_MAX',
      title: 'Maximum runs',
      description: 'Removes the oldest ended runs above this number. 0 means no limit.',
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
      description: 'Removes older logs and rejected rows of ended runs. 0 keeps them as long as the runs.',
      unit: 'days',
    },
    90,
    0,
    36_500,
  ),
  'retention.logs_mb': integer(
    {
      env: 'SVC_RETENTION_LOGS_MB',
      title: 'Maximum log size',
      description: 'Removes the oldest logs of ended runs above this size. 0 means no limit.',
      unit: 'MiB',
    },
    0,
    0,
    10_000_000,
  ),
  'retention.queries_days': integer(
    {
      env: 'SVC_RETENTION_QUERIES_DAYS',
      title: 'Keep query history for',
      description: 'Removes older queries and changes from the Explorer history. 0 keeps all.',
      unit: 'days',
    },
    90,
    0,
    36_500,
  ),
  'retention.queries_max': integer(
    {
      env: 'SVC_RETENTION_QUERIES_MAX',
      title: 'Maximum query history',
      description: 'Removes the oldest entries of a user’s history above this number. 0 means no limit.',
      unit: 'entries',
    },
    5_000,
    0,
    1_000_000,
  ),
  ...telemetrySettings,
  'log.level': choice(
    { env: 'SVC_LOG_LEVEL', title: 'Log level', description: 'Minimum level of messages in the server’s own log.' },
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
  reason: Message
  fix: Message
}

/** What no setting can say of itself. */
export function crossMistakes(values: Settings): SettingMistake[] {
  const lease = values['executors.lease_ms']
  const heartbeat = values['executors.heartbeat_ms']
  if (heartbeat * 2 <= lease) return []
  const reason = msg('heartbeat_too_long', { heartbeat, lease })
  return [{ key: 'executors.heartbeat_ms', reason, fix: msg('give_half') }]
}
