import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

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
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'headgate.log')
  let size = sizeOf(path)
  let broken = false
  const recent: string[] = []

  function append(text: string): void {
    if (size > maxBytes) {
      renameSync(path, `${path}.1`)
      size = 0
    }
    appendFileSync(path, text, { mode: 0o600 })
    size += Buffer.byteLength(text)
  }

  return {
    path,
    tail: () => [...recent],
    write(text) {
      process.stderr.write(text)
      recent.push(...text.split('\n').filter((line) => line.trim() !== ''))
      recent.splice(0, recent.length - TAIL_LINES)
      try {
        append(text)
        broken = false
      } catch (error) {
        // A full disk must not end the app; stderr has the text, and is told once why the file lacks it.
        if (!broken) process.stderr.write(`headgate: cannot write ${path}: ${String(error)}\n`)
        broken = true
      }
    },
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
