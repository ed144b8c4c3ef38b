import { readWindowMemory, writeWindowMemory, type RememberedWindows } from './window-memory.ts'
import type { WindowState } from './window-state.ts'

/** What is kept of the windows while the app runs. */
export interface WindowKeeper {
  /** As the last start left it. */
  readonly before: RememberedWindows
  readonly language: string
  setLanguage(language: string): void
  /** From now on these are kept; this start counts as bad until it has gone well. */
  begin(states: () => WindowState[]): void
  /** Written a moment later. */
  changed(): void
  /** The app ends in order: what is open now comes back, however the windows close from here on. */
  freeze(): void
  /** It does not end after all. */
  thaw(): void
}

export interface WindowKeeperOptions {
  file: string
  /** Of the system, until a page has told another. */
  systemLanguage: string
  log: (text: string) => void
}

const WRITE_AFTER_MS = 500
/** A start after which the app lived this long was no crash of its own making. */
const GOOD_AFTER_MS = 60_000

export function windowKeeper({ file, systemLanguage, log }: WindowKeeperOptions): WindowKeeper {
  const before = readWindowMemory(file)
  let badStarts = before.bad_starts + 1
  let language = before.language
  let frozen = false
  let broken = false
  let states = (): WindowState[] => []
  let timer: NodeJS.Timeout | null = null

  function write(): void {
    timer = null
    const windows = states()
    try {
      const remembered = windows.length > 0 ? windows : before.windows
      writeWindowMemory(file, { windows: remembered, bad_starts: badStarts, language })
      broken = false
    } catch (error) {
      if (!broken) log(`headgate: the windows' places could not be kept: ${String(error)}\n`)
      broken = true
    }
  }

  function changed(): void {
    if (!frozen) timer ??= setTimeout(write, WRITE_AFTER_MS).unref()
  }

  return {
    before,
    get language() {
      return language || systemLanguage
    },
    setLanguage(next) {
      if (next === language) return
      language = next
      changed()
    },
    begin(open) {
      states = open
      write()
      setTimeout(() => {
        badStarts = 0
        changed()
      }, GOOD_AFTER_MS).unref()
    },
    changed,
    freeze() {
      if (frozen) return
      if (timer) clearTimeout(timer)
      badStarts = 0
      write()
      frozen = true
    },
    thaw() {
      frozen = false
      changed()
    },
  }
}
