/** Names of the IPC channels between preload and main. */
export const CHANNELS = {
  launchToken: 'headgate:launch-token',
  showItemInFolder: 'headgate:show-item-in-folder',
  openFile: 'headgate:open-file',
  saveFile: 'headgate:save-file',
  notify: 'headgate:notify',
  setTheme: 'headgate:set-theme',
  setMenu: 'headgate:set-menu',
  openedFile: 'headgate:opened-file',
  readOpenedFile: 'headgate:read-opened-file',
  settings: 'headgate:settings',
  setSettings: 'headgate:set-settings',
  update: 'headgate:update',
  checkForUpdate: 'headgate:check-for-update',
  installUpdate: 'headgate:install-update',
  /** Main to page: number and command. */
  command: 'headgate:command',
  /** Page to main: whether anybody listens to commands now. */
  listening: 'headgate:listening',
  /** Page to main: the number of the last command that its listeners have got. */
  heard: 'headgate:heard',
  /** Page to main: a script or style sheet of its own did not come. */
  incomplete: 'headgate:incomplete',
  /** Main to page: zoom in percent. */
  zoom: 'headgate:zoom',
  statusAction: 'headgate:status-action',
} as const

/** Expected failures cross as values: an exception would reach the page wrapped in Electron's own words. */
export type Reply<T> = { ok: true; value: T } | { ok: false; message: string }

/** What the buttons of the status page do. */
export type StatusAction = 'retry' | 'show-log' | 'restore' | 'accept-loss' | 'show-data'

/** Preload learns the app's version from its arguments: a sandboxed preload cannot read package.json. */
export const VERSION_ARGUMENT = '--headgate-version='
