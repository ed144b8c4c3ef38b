import type { DesktopSettings } from '../../contract/desktop-bridge.ts'

/**
 * In the background by default: who closes a window does not mean to stop his schedules. The first time the app asks; see
 * `background_asked`.
 */
export const DEFAULT_SETTINGS: DesktopSettings = {
  open_at_login: false,
  run_in_background: true,
  keep_awake: false,
  notify_failures: true,
  update_feed_url: '',
}

/** What `desktop.json` holds. */
export interface KeptSettings {
  settings: DesktopSettings
  /** Whether somebody has said what closing the last window is to mean. */
  background_asked: boolean
  /** Keys of other releases: written back as they were. */
  others: Record<string, unknown>
}

/** A value of another type is as good as none. */
export function parseSettings(saved: unknown): KeptSettings {
  if (typeof saved !== 'object' || saved === null || Array.isArray(saved)) throw new Error('not a settings object')
  const { background_asked: asked, ...given } = saved as Record<string, unknown>
  const settings: Record<string, unknown> = { ...DEFAULT_SETTINGS }
  const others: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(DEFAULT_SETTINGS, key)) others[key] = value
    else if (typeof value === typeof settings[key]) settings[key] = value
  }
  // Every key of the defaults has a value of its own type.
  return { settings: settings as unknown as DesktopSettings, background_asked: asked === true, others }
}

export function settingsText({ settings, background_asked, others }: KeptSettings): string {
  return `${JSON.stringify({ ...others, ...settings, background_asked }, null, 2)}\n`
}
