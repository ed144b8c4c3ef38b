import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DEFAULT_STATE, parseWindowState, type WindowState } from './window-state.ts'

/** What the app remembers of its windows between two starts. */
export interface RememberedWindows {
  /** In the order they were used, the last one at the end. Never empty. */
  windows: WindowState[]
  /** Starts since the last one that went well: it lived for a minute, or ended in order. */
  bad_starts: number
  /** BCP 47, of the page that had the focus: menus and status pages begin in it. Empty: that of the system. */
  language: string
}

/** After so many starts that did not go well, the windows that may be the cause stay closed. */
const MAX_BAD_STARTS = 3
const MAX_WINDOWS = 20

/** What was saved, or nothing: a file that is missing or was damaged costs places on the screen, no more. */
export function readWindowMemory(path: string): RememberedWindows {
  try {
    return parseWindowMemory(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return { windows: [DEFAULT_STATE], bad_starts: 0, language: '' }
  }
}

export function parseWindowMemory(saved: unknown): RememberedWindows {
  const { windows, bad_starts: bad, language } = Object(saved) as Record<string, unknown>
  // Before there were several windows, the file held the one.
  const list: unknown[] = Array.isArray(windows) ? windows.slice(-MAX_WINDOWS) : [saved]
  return {
    windows: list.length > 0 ? list.map(parseWindowState) : [DEFAULT_STATE],
    bad_starts: typeof bad === 'number' && Number.isSafeInteger(bad) && bad > 0 ? bad : 0,
    language: typeof language === 'string' && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/.test(language) ? language : '',
  }
}

/** All windows, or one at the start page when the starts before this one did not go well. */
export function windowsToOpen({ windows, bad_starts }: RememberedWindows): WindowState[] {
  return bad_starts < MAX_BAD_STARTS ? windows : [{ ...(windows.at(-1) ?? DEFAULT_STATE), path: '/' }]
}

/** Whole or not at all: a power cut leaves the old file. */
export function writeWindowMemory(path: string, memory: RememberedWindows): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify(memory))
  renameSync(`${path}.new`, path)
}
