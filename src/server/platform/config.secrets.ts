import type { Config } from './config.shape.ts'
import { hold } from './config.hold.ts'
import { type SettingKey, settingKeys, settings } from './config.settings.ts'
import type { Logger } from './logger.ts'
import { type SecretBox, UnreadableSecret } from './secret-box.ts'
import type { SettingSecretsStore } from './setting-secrets.store.ts'

export type SecretKey = Extract<SettingKey, 'executors.key' | 'ai.api_key'>
export const secretKeys = settingKeys.filter((key): key is SecretKey => settings[key].type === 'secret')

export const settingContext = (key: SecretKey) => `setting:${key}`

/** The secrets of the store that can be opened; the rest counts as not set, and the log says so. */
export function openSettingSecrets(
  rows: SettingSecretsStore,
  secrets: SecretBox,
  logger: Pick<Logger, 'warn'>,
): Partial<Record<SecretKey, string>> {
  const opened: Partial<Record<SecretKey, string>> = {}
  for (const { key, sealed_value } of rows.all()) {
    const known = secretKeys.find((one) => one === key)
    if (!known) continue
    try {
      opened[known] = secrets.open(sealed_value, settingContext(known))
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error
      logger.warn({ setting: key, err: error }, 'A secret setting cannot be opened: it counts as not set')
    }
  }
  return opened
}

/** At the start: what the store keeps holds, unless something that wins over it is given. */
export function holdSettingSecrets(config: Config, opened: Partial<Record<SecretKey, string>>): void {
  const { argument, environment, file } = config.settings
  for (const key of secretKeys) {
    const value = opened[key]
    const given = [argument, environment, file].some((values) => (values[key] ?? null) !== null)
    if (value !== undefined && !given) hold(config, key, value)
  }
}
