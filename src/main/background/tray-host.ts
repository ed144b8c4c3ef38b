import { execFile } from 'node:child_process'

/** Runs a program of the system; null: it is not there, failed, or took too long. */
export type Ask = (program: string, args: readonly string[]) => Promise<string | null>

const TIMEOUT_MS = 3_000
const WATCHER = 'org.kde.StatusNotifierWatcher'
const BUS = 'org.freedesktop.DBus'

const askSystem: Ask = (program, args) =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: TIMEOUT_MS }, (error, stdout) => resolve(error ? null : stdout))
  })

/**
 * Whether somebody shows icons of apps in the background. Windows and the Mac always do. On Linux a program of the desktop does, which
 * owns a name on the session's bus; GNOME has none by itself. Where nobody can be asked, an icon is tried.
 */
export async function hasTrayHost(
  platform: NodeJS.Platform,
  env: Record<string, string | undefined>,
  ask: Ask = askSystem,
): Promise<boolean> {
  if (platform !== 'linux') return true
  if (!env.DBUS_SESSION_BUS_ADDRESS && !env.XDG_RUNTIME_DIR) return false
  const send = [
    '--session',
    '--print-reply=literal',
    `--dest=${BUS}`,
    '/org/freedesktop/DBus',
    `${BUS}.NameHasOwner`,
    `string:${WATCHER}`,
  ]
  const call = ['call', '--session', '-d', BUS, '-o', '/org/freedesktop/DBus', '-m', `${BUS}.NameHasOwner`, WATCHER]
  const answer = (await ask('dbus-send', send)) ?? (await ask('gdbus', call))
  return answer === null || answer.includes('true')
}
