import { type Message, msg } from '../../../contract/messages.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { ServerSetting } from '../../../contract/server-config.ts'
import {
  type SettingKey,
  type Settings,
  crossMistakes,
  defaultSettings,
  isSettingKey,
  settingKeys,
  settings,
} from '../../platform/config.settings.ts'
import { baseUrlOf } from '../../platform/ai-address.ts'
import { nearest } from '../../platform/nearest.ts'
import { type Places, originOf, secretsToEnterAgain } from '../../platform/secret-places.ts'

/** Every place that a setting can come from, as it is now. */
export interface Sources {
  argument: Partial<Settings>
  environment: Partial<Settings>
  file: Partial<Settings>
  /** Secrets alone. */
  store: Partial<Settings>
}

export type Changes = Partial<{ [K in SettingKey]: Settings[K] | null }>

/**
 * Arguments over environment over config.yaml over the store over defaults. (A secret in the file was written there by hand
 * after the store had one: it is the newer wish.)
 */
export function merged({ argument, environment, file, store }: Sources): Settings {
  return { ...defaultSettings(), ...store, ...set(file), ...environment, ...argument }
}

/** A secret that is null in the file is not set there. */
function set(file: Partial<Settings>): Partial<Settings> {
  const given = Object.entries(file).filter(([key, value]) => !(isSecret(key) && value === null))
  return Object.fromEntries(given)
}

export const isSecret = (key: string): boolean => isSettingKey(key) && settings[key].type === 'secret'

export function sourceOf(key: SettingKey, sources: Sources): ServerSetting['source'] {
  if (key in sources.argument) return 'argument'
  if (key in sources.environment) return 'environment'
  if (key in set(sources.file)) return 'file'
  return key in sources.store ? 'store' : 'default'
}

export function present(key: SettingKey, held: Settings, next: Settings, sources: Sources): ServerSetting {
  const setting = settings[key]
  const shown = (value: unknown) => (setting.type === 'secret' ? { set: value !== null } : value)
  const { title, description, type, env, minimum, maximum, unit, options, nullable, needsRestart = false } = setting
  return {
    key,
    title,
    description,
    type,
    value: shown(held[key]),
    next_value: shown(next[key]),
    default: shown(setting.value),
    source: sourceOf(key, sources),
    env,
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(unit !== undefined && { unit }),
    ...(options !== undefined && { options: [...options] }),
    nullable,
    needs_restart: needsRestart,
    restart_pending: !sameValue(held[key], next[key]),
  }
}

export const sameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

const pathOf = (key: string) => `body.values[${JSON.stringify(key.slice(0, 200))}]`

/** What is asked for, each value checked by its setting; with every mistake at once. */
export function readChanges(
  values: Readonly<Record<string, unknown>>,
  sources: Sources,
): { changes: Changes; details: ErrorDetail[] } {
  const changes: Record<string, unknown> = {}
  const details: ErrorDetail[] = []
  for (const [key, value] of Object.entries(values)) {
    const verdict = isSettingKey(key) ? readChange(key, value, sources) : unknownSetting(key)
    if ('message' in verdict) details.push({ path: pathOf(key), ...verdict })
    else changes[key] = verdict.value
  }
  return { changes, details }
}

function readChange(key: SettingKey, value: unknown, sources: Sources): { value: unknown } | Message {
  const setting = settings[key]
  if (key in sources.argument) {
    return msg('fixed_by_argument')
  }
  if (key in sources.environment) {
    return msg('fixed_by_variable', { variable: setting.env })
  }
  if (value === null) return { value: null }
  const outcome = setting.check(value)
  return 'reason' in outcome ? msg('setting_invalid', { reason: outcome.reason, fix: setting.fix }) : outcome
}

function unknownSetting(key: string): Message {
  const near = nearest(key.slice(0, 200), settingKeys)
  return near ? msg('setting_unknown_near', { near }) : msg('setting_unknown')
}

/** Changed settings that need a superadmin. Repeating the current value is no change. */
export function superadminDetails(changes: Changes, { file, store }: Sources): ErrorDetail[] {
  return settingKeys
    .filter((key) => settings[key].superadminOnly && key in changes)
    .filter((key) => !sameValue(changes[key] ?? null, file[key] ?? store[key] ?? null))
    .map((key) => ({ path: pathOf(key), ...msg('setting_superadmin', { key }) }))
}

/** What the settings say of each other, once the changes are in. */
export function crossDetails(next: Settings, changes: Changes): ErrorDetail[] {
  return crossMistakes(next).map(({ key, reason, fix }) => {
    // Told where it was asked for: of two settings that do not go together only one may be in the request.
    const [only, ...others] = Object.keys(changes)
    const place = key in changes || only === undefined || others.length > 0 ? key : only
    return { path: pathOf(place), ...msg('settings_conflict', { key, reason, fix }) }
  })
}

/**
 * The AI key, where it must be entered again because requests would go to another server. `stored`: the store has one, even if it
 * can’t be opened now, because its encryption key may be put back.
 */
export function aiKeyDetails(before: Settings, next: Settings, changes: Changes, stored: boolean): ErrorDetail[] {
  const entered = 'ai.api_key' in changes
  if (entered || (next['ai.api_key'] === null && !stored)) return []
  const fields = (['ai.provider', 'ai.base_url'] as const).filter((key) => before[key] !== next[key])
  const placesOf = (values: Settings): Places => {
    const server = originOf(baseUrlOf(values['ai.provider'], values['ai.base_url']))
    return Object.fromEntries(fields.map((field) => [field, server]))
  }
  return secretsToEnterAgain(placesOf(before), placesOf(next), ['ai.api_key'], pathOf)
}
