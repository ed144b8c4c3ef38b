import { isAbsolute, join } from 'node:path'

/** Says that no window is to be opened: the app waits in the tray. */
export const HIDDEN_ARGUMENT = '--hidden'

/** Where desktops on Linux look for what starts with the login. */
export function autostartFile(env: Record<string, string | undefined>, home: string): string {
  const given = env.XDG_CONFIG_HOME
  const config = given && isAbsolute(given) ? given : join(home, '.config')
  return join(config, 'autostart', 'headgate.desktop')
}

export interface Installation {
  isPackaged: boolean
  execPath: string
  /** Of an AppImage, whose `execPath` is gone after the next start of the machine. */
  appImage: string | undefined
  /** The app's own folder, which a bare Electron has to be told. */
  appPath: string
}

/** Program and arguments that start this app in the background; `folders`: arguments that it was started with itself. */
export function loginCommand(
  { isPackaged, execPath, appImage, appPath }: Installation,
  folders: readonly string[],
): { path: string; args: string[] } {
  return {
    path: isPackaged ? (appImage ?? execPath) : execPath,
    args: [...(isPackaged ? [] : [appPath]), ...folders, HIDDEN_ARGUMENT],
  }
}

/** A desktop entry, by the specification of freedesktop.org. */
export function desktopEntry({ path, args }: { path: string; args: readonly string[] }): string {
  return `${[
    '[Desktop Entry]',
    'Type=Application',
    'Name=Headgate',
    'Comment=Runs tasks and jobs in the background',
    `Exec=${[path, ...args].map(execArgument).join(' ')}`,
    'Icon=headgate',
    'Terminal=false',
    'StartupNotify=false',
    'X-GNOME-Autostart-enabled=true',
  ].join('\n')}\n`
}

/**
 * Two rules, one after the other: an argument with reserved characters stands in quotes, with a backslash before four of them; then
 * every backslash is doubled, as in any text of a desktop entry. A line break cannot be written.
 */
function execArgument(argument: string): string {
  if (/[\n\r]/.test(argument)) throw new Error(`Can’t start a path with a line break at login: ${argument}`)
  const escaped = argument.replaceAll('%', '%%')
  if (!/[\s"'\\><~|&;$*?#()`]/.test(escaped) && escaped !== '') return escaped
  return `"${escaped.replaceAll(/["`$\\]/g, '\\$&')}"`.replaceAll('\\', '\\\\')
}
