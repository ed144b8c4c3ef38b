import type { BrowserWindow } from 'electron'
import type { AppWindows } from '../windows/app-windows.ts'
import type { Opening } from './launch-arguments.ts'
import { pathOfLink } from './links.ts'
import { FileProblem, type OpenedFiles } from './opened-files.ts'
import type { Words } from '../words.ts'

export interface IncomingOptions {
  windows: AppWindows
  files: OpenedFiles
  /** Says in a box of the system why files cannot be opened. */
  showProblems: (window: BrowserWindow | null, problems: string[]) => Promise<void>
  words: () => Words
  log: (text: string) => void
}

/** Links and files from outside, to the window that was used last. */
export interface Incoming {
  open(opening: Opening): Promise<void>
}

/** More files than a person opens at once; the rest is said, not opened. */
const MAX_FILES = 50

export function incoming({ windows, files, showProblems: tell, words, log }: IncomingOptions): Incoming {
  function follow(link: string): void {
    const path = pathOfLink(link)
    if (path === null) log(`headgate: refused the link ${JSON.stringify(link.slice(0, 200))}\n`)
    else windows.navigate(path)
  }

  /** Null when it was opened, else why not. */
  async function openFile(window: BrowserWindow, path: string): Promise<string | null> {
    try {
      const file = await files.open(window.webContents.id, path)
      windows.command({ name: 'open-file', file }, window)
      return null
    } catch (error) {
      if (error instanceof FileProblem) return error.message
      throw error
    }
  }

  return {
    async open({ links, files: paths }) {
      if (links.length === 0) windows.focus()
      for (const link of links) follow(link)
      if (paths.length === 0) return
      const window = windows.current()
      const problems: string[] = []
      for (const path of paths.slice(0, MAX_FILES)) {
        const problem = await openFile(window, path)
        if (problem !== null) problems.push(problem)
      }
      if (paths.length > MAX_FILES) problems.push(words().moreFiles(paths.length - MAX_FILES))
      if (problems.length > 0) await tell(window.isDestroyed() ? null : window, problems)
    },
  }
}
