import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Whoever reads, even after a power cut, sees the old or the new content; only its owner may read it. */
export function writeDurably(file: string, text: string): void {
  const temporary = `${file}.new`
  try {
    const handle = openSync(temporary, 'w', 0o600)
    try {
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += writeSync(handle, bytes, at));
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(temporary, file)
  } catch (error) {
    removeUnfinished(file)
    throw error
  }
  syncFolder(dirname(file))
}

/** What a write that was killed has left. */
export const removeUnfinished = (file: string): void => rmSync(`${file}.new`, { force: true })

/** The name of a file is the folder's; Windows has no such call and needs none. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
