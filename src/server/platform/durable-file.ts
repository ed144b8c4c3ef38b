import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Whoever reads, even after a power cut, sees the old or the new content; only its owner may read it. */
export function writeDurably(file: string, text: string): void {
  const temporary = `${file}.new`
  const handle = openSync(temporary, 'w', 0o600)
  try {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += writeSync(handle, bytes, at));
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(temporary, file)
  syncFolder(dirname(file))
}

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
