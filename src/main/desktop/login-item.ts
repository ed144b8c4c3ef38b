import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { optionValue } from '../config.ts'
import { autostartFile, desktopEntry, loginCommand } from './login-item.rules.ts'
import type { Words } from '../words.ts'

/** Whether the app starts with the user's login. */
export interface LoginItem {
  isOn(): boolean
  /** Throws with a message for the user when the system refuses. */
  set(on: boolean): void
}

/** A file of the user's own, as every desktop on Linux reads it. */
export function autostartEntry(file: string, command: { path: string; args: string[] }, words: () => Words): LoginItem {
  return {
    isOn: () => existsSync(file),
    set(on) {
      try {
        if (!on) return rmSync(file, { force: true })
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(`${file}.new`, desktopEntry(command))
        renameSync(`${file}.new`, file)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        throw new Error(words().loginEntry(on, reason), { cause: error })
      }
    },
  }
}

/** What Electron's app can do about it. */
interface LoginSettings {
  getLoginItemSettings(options: { path: string; args: string[] }): { openAtLogin: boolean }
  setLoginItemSettings(settings: { openAtLogin: boolean; path: string; args: string[] }): void
}

/** The system's own list: login items on the Mac, the registry on Windows. */
export function systemLoginItem(
  app: LoginSettings,
  command: { path: string; args: string[] },
  words: () => Words,
): LoginItem {
  const isOn = (): boolean => app.getLoginItemSettings(command).openAtLogin
  return {
    isOn,
    set(on) {
      app.setLoginItemSettings({ openAtLogin: on, ...command })
      // The system says nothing when it refuses.
      if (isOn() !== on) throw new Error(words().loginEntryKept)
    },
  }
}

export interface LoginItemOptions {
  app: LoginSettings & { readonly isPackaged: boolean; getAppPath(): string }
  platform: NodeJS.Platform
  env: Record<string, string | undefined>
  home: string
  /** Of this start: the folders that it names are named to the next one, too. */
  argv: readonly string[]
  words: () => Words
}

export function loginItem({ app, platform, env, home, argv, words }: LoginItemOptions): LoginItem {
  const folders = ['user-data-dir', 'data-dir', 'port'].flatMap((name) => {
    const value = optionValue(argv, name)
    return value === undefined ? [] : [`--${name}=${name === 'port' ? value : resolve(value)}`]
  })
  const { isPackaged } = app
  const installation = { isPackaged, execPath: process.execPath, appImage: env.APPIMAGE, appPath: app.getAppPath() }
  const command = loginCommand(installation, folders)
  return platform === 'linux'
    ? autostartEntry(autostartFile(env, home), command, words)
    : systemLoginItem(app, command, words)
}
