import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../../process/data-dir.ts'

export interface LogFile {
  readonly path: string
  readonly write: (text: string) => void
  /** The last lines, for a message that says why a process ended. */
  readonly tail: () => string[]
}

const MAX_BYTES = 5 * 1024 * 1024
const TAIL_LINES = 8

/** The log of the desktop's processes: `headgate.log`, and the one before it. Also shown on stderr, for `npm start`. */
export function openLogFile(folder: string, maxBytes = MAX_BYTES): LogFile {
  const path = join(folder, 'headgate.log')
  let size = 0
  let broken = false
  const recent: string[] = []

  function begin(): void {
    makeFolder(folder)
    size = sizeOf(path)
  }

  /** A full disk, or a folder that may not be written, must not end the app; stderr has the text, and is told once why the file lacks it. */
  function attempt(act: () => void): void {
    try {
      act()
      broken = false
    } catch (error) {
      if (!broken) process.stderr.write(`headgate: can’t write ${path}: ${String(error)}\n`)
      broken = true
    }
  }

  function append(text: string): void {
    if (size > maxBytes) {
      renameSync(path, `${path}.1`)
      size = 0
    }
    appendFileSync(path, text, { mode: 0o600 })
    size += Buffer.byteLength(text)
  }

  attempt(begin)
  return {
    path,
    tail: () => [...recent],
    write(text) {
      process.stderr.write(text)
      recent.push(...text.split('\n').filter((line) => line.trim() !== ''))
      recent.splice(0, recent.length - TAIL_LINES)
      attempt(() => append(text))
    },
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
