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

/** What the application menu asks of the window that has the focus, by the names of the command registry. */
export type DesktopCommandName =
  | 'new-task'
  | 'open-anything'
  | 'show-commands'
  | 'show-shortcuts'
  | 'go-tasks'
  | 'go-runs'
  | 'go-connectors'
  | 'go-executors'
  | 'sign-out'

export type DesktopCommand =
  | { name: DesktopCommandName }
  /** A notification was clicked. */
  | { name: 'navigate'; path: string }
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
  /** Returns the function that stops listening. */
  onCommand(listener: (command: DesktopCommand) => void): () => void
}

declare global {
  interface Window {
    /** Only in Headgate's own window. */
    readonly headgate?: DesktopBridge
  }
}
