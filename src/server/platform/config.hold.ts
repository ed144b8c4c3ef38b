import { pricesOf } from './ai-prices.ts'
import type { Config } from './config.shape.ts'
import type { SettingKey, Settings } from './config.settings.ts'

const hour = 3_600_000
const day = 24 * hour

/** Where each setting stands in Config. */
const place: { readonly [K in SettingKey]: (config: Config, value: Settings[K]) => void } = {
  'server.host': (config, value) => void (config.host = value),
  'server.port': (config, value) => void (config.port = value),
  'server.allowed_hosts': (config, value) => void (config.allowedHosts = value.map((host) => host.toLowerCase())),
  'server.public_url': (config, value) => void (config.publicUrl = value),
  'auth.totp_required': (config, value) => void (config.totpRequired = value),
  'auth.desktop_sign_in': (config, value) => void (config.desktopSignIn = value),
  'auth.session_idle_hours': (config, value) => void (config.sessionIdleMs = value * hour),
  'auth.session_max_days': (config, value) => void (config.sessionMaxMs = value * day),
  'auth.password_min_length': (config, value) => void (config.passwordMinLength = value),
  'auth.desktop_lock_minutes': (config, value) => void (config.desktopLockMinutes = value),
  // Unless given it is the random one of this start.
  'executors.key': (config, value) => void (config.executorKey = value ?? config.executorKey),
  'executors.local': (config, value) => void (config.localExecutor = value),
  'executors.lease_ms': (config, value) => void (config.leases.executorMs = value),
  'executors.heartbeat_ms': (config, value) => void (config.leases.heartbeatMs = value),
  'ai.provider': (config, value) => void (config.ai.provider = value),
  'ai.base_url': (config, value) => void (config.ai.baseUrl = value),
  'ai.model': (config, value) => void (config.ai.model = value),
  'ai.rows': (config, value) => void (config.ai.rows = value),
  'ai.daily_tokens': (config, value) => void (config.ai.dailyTokens = value),
  'ai.prices': (config, value) => void (config.ai.prices = pricesOf(value)),
  'ai.currency': (config, value) => void (config.ai.currency = value),
  'ai.api_key': (config, value) => void (config.ai.apiKey = value),
  'mcp.enabled': (config, value) => void (config.mcpEnabled = value),
  'limits.requests_per_second': (config, value) => void (config.limits.requestsPerSecond = value),
  'limits.burst': (config, value) => void (config.limits.burst = value),
  'backup.every_hours': (config, value) => void (config.backup.everyMs = value * hour),
  'backup.keep': (config, value) => void (config.backup.keep = value),
  'backup.folder': (config, value) => void (config.backup.folder = value),
  'uploads.folder': (config, value) => void (config.uploads.folder = value),
  'uploads.max_mb': (config, value) => void (config.uploads.maxMb = value),
  'retention.runs_days': (config, value) => void (config.retention.runsMs = value * day),
  'retention.runs_max': (config, value) => void (config.retention.runsMax = value),
  'retention.logs_days': (config, value) => void (config.retention.logsMs = value * day),
  'retention.logs_mb': (config, value) => void (config.retention.logBytes = value * 1024 * 1024),
  'retention.queries_days': (config, value) => void (config.retention.queriesMs = value * day),
  'retention.queries_max': (config, value) => void (config.retention.queriesMax = value),
  'telemetry.namespace': (config, value) => void (config.telemetry.namespace = value),
  'telemetry.openlineage_url': (config, value) => void (config.telemetry.openlineageUrl = value),
  'telemetry.openlineage_key': (config, value) => void (config.telemetry.openlineageKey = value),
  'telemetry.openlineage_folder': (config, value) => void (config.telemetry.openlineageFolder = value),
  'telemetry.otlp_endpoint': (config, value) => void (config.telemetry.otlpEndpoint = value),
  'telemetry.otlp_key': (config, value) => void (config.telemetry.otlpKey = value),
  'telemetry.otlp_headers': (config, value) => void (config.telemetry.otlpHeaders = value),
  'log.level': (config, value) => void (config.logLevel = value),
}

/** From now on this value holds. Config stays the same object, so everybody who has it sees the change. */
export function hold<K extends SettingKey>(config: Config, key: K, value: Settings[K]): void {
  config.settings.held[key] = value
  place[key](config, value)
}
