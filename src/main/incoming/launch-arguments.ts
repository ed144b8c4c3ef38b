import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isLink } from './links.ts'

/** What somebody opens by starting the app. */
export interface Opening {
  links: string[]
  /** Absolute paths. */
  files: string[]
}

/** Switches of ours whose value may be the next argument. */
const WITH_VALUE = new Set(['--data-dir', '--user-data-dir', '--port'])

/**
 * The links and files of a command line: `headgate --port 0 orders.csv`. After `--` nothing is a switch. While the app is
 * not packaged, Electron is given the app's folder first.
 */
export function readOpening(argv: readonly string[], cwd: string, isPackaged: boolean): Opening {
  const opening: Opening = { links: [], files: [] }
  let appFolder = !isPackaged
  let onlyNames = false
  for (let at = 1; at < argv.length; at++) {
    const argument = argv[at] ?? ''
    if (!onlyNames && argument === '--') onlyNames = true
    else if (!onlyNames && argument.startsWith('-')) {
      if (WITH_VALUE.has(argument)) at++
    } else if (appFolder) appFolder = false
    else if (isLink(argument)) opening.links.push(argument)
    else if (argument !== '') opening.files.push(pathOf(argument, cwd))
  }
  return opening
}

/** Some file managers give addresses instead of paths. */
function pathOf(argument: string, cwd: string): string {
  if (/^file:\/\//i.test(argument)) {
    try {
      return fileURLToPath(argument)
    } catch {
      // Of another machine: named as it is, so that the message does the same.
      return argument
    }
  }
  return isAbsolute(argument) ? argument : resolve(cwd, argument)
}
