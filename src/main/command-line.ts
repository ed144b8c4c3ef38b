import { pathToFileURL } from 'node:url'

/** What the `headgate` command understands first (src/cli). */
export const commandWords = [
  'validate',
  'preview',
  'run',
  'schema',
  'audit',
  'metrics',
  'mcp',
  'help',
  '--help',
  '-h',
  '--version',
  '-v',
]

/** Put before all else by the start script of an AppImage where the system has no sandbox. */
const OF_CHROMIUM = new Set(['--no-sandbox'])

/**
 * An installed app is also the `headgate` command: `headgate validate orders.yaml`. Null when it is started to show a window.
 * Started from sources, Electron is given the app's folder first, and the command is another program.
 */
export function readCommand(argv: readonly string[], isPackaged: boolean): string[] | null {
  if (!isPackaged) return null
  const args = argv.slice(1)
  while (OF_CHROMIUM.has(args[0] ?? '')) args.shift()
  return commandWords.includes(args[0] ?? '') ? args : null
}

/** Ends the process with the command's exit code. No window is opened, and no other instance asked. */
export async function runCommand(entry: string, args: string[]): Promise<void> {
  // As Node would start it.
  process.argv = [process.execPath, entry, ...args]
  await import(/* @vite-ignore */ pathToFileURL(entry).href)
}
