// What Headgate's own window can do beyond a browser tab: `window.headgate`, put there by the preload script. In a
// browser it is undefined, and each use has the web's own way as its second choice.

/** One kind of file in a file dialog: `{name: 'Tasks', extensions: ['yaml', 'yml']}` (without dots). */
export interface FileKind {
  name: string
  extensions: string[]
}

export interface OpenFileOptions {
  title?: string
  /** Default: files. */
  kind?: 'file' | 'folder'
  multiple?: boolean
  filters?: FileKind[]
  /** Where the dialog starts: a folder or a file. */
  start_path?: string
}

export interface SaveFileOptions {
  title?: string
  filters?: FileKind[]
  /** A file name, or a whole path. */
  start_path?: string
}

export interface DesktopNotification {
  title: string
  body: string
  /** Where a click leads, as a path of the app such as `/runs/17`. */
  path?: string
}

export type DesktopTheme = 'light' | 'dark' | 'system'

/** One command of the page's registry, as the application menu shows it. */
export interface DesktopMenuCommand {
  /** Name in the registry: `new-task`, `go-runs`. */
  id: string
  /** In the language of the page. */
  title: string
  menu: DesktopMenuName
  /** Heading within the menu: commands of one group stand together, between two separators. */
  group: string
  /** Written as Electron's accelerators are; the page itself listens for it. */
  accelerator?: string
}

export const desktopMenuNames = ['file', 'edit', 'view', 'go', 'page', 'help'] as const
export type DesktopMenuName = (typeof desktopMenuNames)[number]

/** What the page that has the focus can do now, in its language; menu, tray and native dialogs follow. */
export interface DesktopMenuState {
  /** BCP 47: `en`, `de`. */
  language: string
  commands: DesktopMenuCommand[]
}

/** What a file is taken for, by its name: a bundle (`.headgate.ndjson`), a text of a task or job template, rows, or nothing that Headgate knows. */
export const openedFileKinds = ['bundle', 'document', 'data', 'unknown'] as const
export type OpenedFileKind = (typeof openedFileKinds)[number]

/** A file that the user opened with Headgate: by double click, by drop on the window, or in the system's dialog. */
export interface OpenedFile {
  /** Lets this page read the file; ends with the page. */
  token: string
  name: string
  /** Absolute. */
  path: string
  kind: OpenedFileKind
  /** Bytes. */
  size: number
}

/** How the app behaves on this machine, for this user; kept beside the window's profile. */
export interface DesktopSettings {
  /** Starts with the user's login, in the tray alone. */
  open_at_login: boolean
  /** The app goes on when its last window closes: schedules fire, runs run, the tray icon stays. */
  run_in_background: boolean
  /** The machine does not fall asleep by itself while something runs. */
  keep_awake: boolean
  /** Tells of every failed run, unless the window has the focus. */
  notify_failures: boolean
  /** https address of a folder with update files; empty: nobody is asked. */
  update_feed_url: string
}

/** What this machine can do of that, so that the page can say why something cannot be set. */
export interface DesktopAbilities {
  tray: boolean
  open_at_login: boolean
  /** Only an app that was installed can update itself. */
  updates: boolean
}

export type DesktopUpdate =
  /** No feed is set, or this app was not installed as a package. */
  | { state: 'off' }
  | { state: 'current'; checked_at: string | null }
  | { state: 'checking' }
  /** `percent` 0 to 100. */
  | { state: 'downloading'; version: string; percent: number }
  | { state: 'ready'; version: string }
  | { state: 'failed'; message: string; checked_at: string }

export type DesktopCommand =
  /** Somebody chose it in the menu or the tray. */
  | { name: 'run'; id: string }
  /** A notification was clicked, a `headgate://` link followed, an entry of the tray chosen. */
  | { name: 'navigate'; path: string }
  | { name: 'open-file'; file: OpenedFile }
  | { name: 'update'; update: DesktopUpdate }
  /** The server died and is back at the same address: fetch again what is shown. Unsaved input stays. */
  | { name: 'server-restarted' }

export interface DesktopBridge {
  /** `linux`, `darwin` or `win32`. */
  readonly platform: string
  readonly versions: { readonly app: string; readonly electron: string; readonly chrome: string; readonly node: string }
  /**
   * A one-time token for `POST /api/auth/launch`, which signs this window in. Rejects, with a message for the user,
   * when the setting `auth.desktop_sign_in` is off or the server is not ready.
   */
  launchToken(): Promise<string>
  /** Opens the system's file manager at an absolute path. Rejects when nothing is there. */
  showItemInFolder(path: string): Promise<void>
  /** Absolute paths; empty when the user cancelled. */
  openFile(options?: OpenFileOptions): Promise<string[]>
  /** Absolute path, or null when the user cancelled. */
  saveFile(options?: SaveFileOptions): Promise<string | null>
  notify(notification: DesktopNotification): Promise<void>
  /** Colours of the window frame, menus and dialogs; the page sees it as `prefers-color-scheme`. */
  setTheme(theme: DesktopTheme): Promise<void>
  /** Tells main what the focused page can do; called again whenever that changes. */
  setMenu(state: DesktopMenuState): Promise<void>
  /** Absolute path of a file that was dropped on the page or chosen in it; empty when it has none (made by a script). */
  pathOfFile(file: { readonly name: string; readonly size: number }): string
  /** What a dropped path is; main looks at it as it does at files of a double click. Rejects when nothing is there. */
  openedFile(path: string): Promise<OpenedFile>
  /** Bytes `start` to `end` (excluded; fewer at the file's end; at most 8 MiB a call) of a file that was opened. */
  readOpenedFile(token: string, start: number, end: number): Promise<Uint8Array>
  settings(): Promise<{ settings: DesktopSettings; abilities: DesktopAbilities }>
  /** Changes what is given, and returns what holds afterwards. Rejects, with a message for the user, when the system refuses. */
  setSettings(changes: Partial<DesktopSettings>): Promise<DesktopSettings>
  update(): Promise<DesktopUpdate>
  checkForUpdate(): Promise<DesktopUpdate>
  /** Ends the app as quitting does and starts the new version. Rejects when none is ready. */
  installUpdate(): Promise<void>
  /** Returns the function that stops listening. */
  onCommand(listener: (command: DesktopCommand) => void): () => void
}

declare global {
  interface Window {
    /** Only in Headgate's own window. */
    readonly headgate?: DesktopBridge
  }
}
