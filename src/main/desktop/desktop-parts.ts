// What pages ask of the parts behind the bridge, so that ipc.ts knows no more of them than this.
import type { DesktopAbilities, DesktopSettings, DesktopUpdate } from '../../contract/desktop-bridge.ts'

export interface DesktopSettingsKeeper {
  read(): { settings: DesktopSettings; abilities: DesktopAbilities }
  /** Returns what holds afterwards. Throws with a message for the user when the system refuses. */
  change(patch: Partial<DesktopSettings>): DesktopSettings | Promise<DesktopSettings>
}

export interface Updates {
  state(): DesktopUpdate
  check(): Promise<DesktopUpdate>
  /** Ends the app and starts the new version. Rejects when none is ready. */
  install(): Promise<void>
  onChange(listener: (update: DesktopUpdate) => void): void
}
