import { existsSync, mkdirSync } from 'node:fs'
import { dirname, posix, win32 } from 'node:path'

/**
 * Where Headgate keeps its data unless told otherwise: the convention of each system. Windows and the Mac have one place
 * for an app (`Headgate`); elsewhere it is `$XDG_DATA_HOME/headgate` or `~/.local/share/headgate`.
 */
export function defaultDataDir(
  env: Record<string, string | undefined>,
  platform: NodeJS.Platform,
  home: string,
): string {
  if (platform === 'win32') return win32.join(env.APPDATA || win32.join(home, 'AppData', 'Roaming'), 'Headgate')
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Headgate')
  // The XDG specification: a relative path is to be ignored.
  const xdg = env.XDG_DATA_HOME
  return posix.join(xdg && posix.isAbsolute(xdg) ? xdg : posix.join(home, '.local', 'share'), 'headgate')
}

/** Folder by folder: Node's own recursive way never ends below a folder that lets nobody make one and says ENOENT, as /proc does. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}
