import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DesktopAbilities, DesktopSettings } from '../../contract/desktop-bridge.ts'
import type { DesktopSettingsKeeper } from './desktop-parts.ts'
import { DEFAULT_SETTINGS, type KeptSettings, parseSettings, settingsText } from './desktop-settings.rules.ts'
import type { LoginItem } from './login-item.ts'
import type { Words } from '../words.ts'

export interface DesktopSettingsFile extends DesktopSettingsKeeper {
  readonly now: DesktopSettings
  readonly backgroundAsked: boolean
  /** What closing the last window is to mean from now on. */
  answerBackground(goOn: boolean): void
  onChange(listener: (settings: DesktopSettings) => void): void
}

export interface DesktopSettingsOptions {
  /** `desktop.json`, beside the profile. */
  file: string
  loginItem: LoginItem
  abilities: () => DesktopAbilities
  words: () => Words
  log: (text: string) => void
}

/** How the app behaves on this machine: read once, written whole or not at all. */
export function desktopSettings({
  file,
  loginItem,
  abilities,
  words,
  log,
}: DesktopSettingsOptions): DesktopSettingsFile {
  const listeners: ((settings: DesktopSettings) => void)[] = []
  let kept = read()

  function read(): KeptSettings {
    try {
      return parseSettings(JSON.parse(readFileSync(file, 'utf8')))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        log(`headgate: can’t read ${file}; using default desktop settings. ${String(error)}\n`)
      return { settings: DEFAULT_SETTINGS, background_asked: false, others: {} }
    }
  }

  function write(next: KeptSettings): void {
    try {
      writeWhole(file, settingsText(next))
    } catch (error) {
      throw new Error(words().settingsNotKept(file, reason(error)), { cause: error })
    }
    kept = next
    for (const listener of listeners) listener(next.settings)
  }

  /** The system's own word counts: entries of the login are also changed elsewhere. */
  const now = (): DesktopSettings => ({ ...kept.settings, open_at_login: loginItem.isOn() })

  return {
    get now() {
      return kept.settings
    },
    get backgroundAsked() {
      return kept.background_asked
    },
    read: () => ({ settings: now(), abilities: abilities() }),
    change(patch) {
      const before = now()
      const next = { ...before, ...patch }
      const login = next.open_at_login !== before.open_at_login
      if (login) loginItem.set(next.open_at_login)
      try {
        const asked = kept.background_asked || patch.run_in_background !== undefined
        write({ ...kept, settings: next, background_asked: asked })
      } catch (error) {
        if (login) loginItem.set(before.open_at_login)
        throw error
      }
      return now()
    },
    answerBackground(goOn) {
      write({ ...kept, settings: { ...kept.settings, run_in_background: goOn }, background_asked: true })
    },
    onChange: (listener) => void listeners.push(listener),
  }
}

/** A power cut leaves the old file. */
function writeWhole(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  const fd = openSync(`${file}.new`, 'w', 0o600)
  try {
    writeSync(fd, text)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(`${file}.new`, file)
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))
