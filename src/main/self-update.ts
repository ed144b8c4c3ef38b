import { app } from 'electron'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DesktopSettingsKeeper } from './desktop-parts.ts'
import { packageKind } from './update.rules.ts'
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
    // It is large, and most apps never look.
    loadUpdater: async () => (await import('electron-updater')).autoUpdater,
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

/** What the package of a Linux system leaves beside the app: `deb`. */
function packageType(): string | null {
  const file = join(process.resourcesPath, 'package-type')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}
