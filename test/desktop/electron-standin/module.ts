// What `import … from 'electron'` gives in the main process of the stand-in. The app fails at import, by name, when it
// needs something that is not here.
import { BrowserWindow } from './browser-window.ts'
import { openWindows, windowOfTarget, focusedWindow } from './open-windows.ts'
import type { WebContents } from './web-contents.ts'

export { app } from './app.ts'
export { clipboard, dialog, Menu, MenuItem, nativeTheme, Notification, screen, session, shell } from './desktop.ts'
export { ipcMain } from './ipc.ts'
export { autoUpdater, net } from './net.ts'
export { powerMonitor, powerSaveBlocker } from './power.ts'
export { safeStorage } from './safe-storage.ts'
export { Tray } from './tray.ts'
export { utilityProcess } from './utility-process.ts'
export { BrowserWindow }

export const webContents = {
  getAllWebContents: (): WebContents[] => [...openWindows.values()].map((window) => window.webContents),
  getFocusedWebContents: (): WebContents | null => focusedWindow()?.webContents ?? null,
  /** Playwright finds its pages by this. */
  fromDevToolsTargetId: (targetId: string): WebContents | undefined => windowOfTarget(targetId)?.webContents,
}
