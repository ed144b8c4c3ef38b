import { app } from 'electron'
import type { AppUpdater } from 'electron-updater'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DesktopSettingsKeeper } from '../desktop/desktop-parts.ts'
import { packageKind, type PackageKind } from './update.rules.ts'
import { keepUpdated, type UpdateKeeper, type UpdatesOptions } from './updates.ts'

export interface SelfUpdateOptions extends Pick<UpdatesOptions, 'words' | 'log' | 'mayQuit'> {
  /** Names the feed. */
  settings: DesktopSettingsKeeper
}

export interface SelfUpdate {
  updates: UpdateKeeper
  /** The same settings; the updates follow what they name. */
  settings: DesktopSettingsKeeper
}

/** The updates of the app that runs, from the feed that its user names. */
export function selfUpdate({ settings, ...options }: SelfUpdateOptions): SelfUpdate {
  const kind = packageKind({
    packaged: app.isPackaged,
    platform: process.platform,
    appImage: process.env.APPIMAGE,
    packageType: packageType(),
  })
  const updates = keepUpdated({
    ...options,
    kind,
    loadUpdater: () => loadUpdater(kind),
    quit: () => app.quit(),
    releaseLock: () => app.releaseSingleInstanceLock(),
  })
  updates.follow(settings.read().settings.update_feed_url)
  return {
    updates,
    settings: {
      read() {
        const { settings: kept, abilities } = settings.read()
        return { settings: kept, abilities: { ...abilities, updates: kind !== null } }
      },
      async change(patch) {
        const kept = await settings.change(patch)
        updates.follow(kept.update_feed_url)
        return kept
      },
    },
  }
}

/**
 * Large, and most apps never look. The library's own choice would take an AppImage for a system's package: both are made of one
 * folder, in which the latter leaves its mark.
 */
async function loadUpdater(kind: PackageKind | null): Promise<AppUpdater> {
  const { AppImageUpdater, DebUpdater, MacUpdater, NsisUpdater } = await import('electron-updater')
  if (kind === 'nsis') return new NsisUpdater()
  if (kind === 'mac') return new MacUpdater()
  return kind === 'system' ? new DebUpdater() : new AppImageUpdater()
}

/** What the package of a Linux system leaves beside the app: `deb`. */
function packageType(): string | null {
  const file = join(process.resourcesPath, 'package-type')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}
