import { createHash } from 'node:crypto'
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'

// SQLite's own check looks at the structure of a file and never at the content of its cells. So a backup carries the digest
// of its bytes behind its last page, where SQLite does not look: one file, that can be checked wherever it is copied to.
const MARK = '\nHeadgate backup, SHA-256 '
const SEAL_BYTES = MARK.length + 64 + 1
const CHUNK = 4 * 1024 * 1024

export type Seal = 'intact' | 'broken' | 'missing'

/** Appends the seal, and is on disk when it returns. */
export function sealFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const { size } = fstatSync(file)
    const seal = Buffer.from(`${MARK}${digestOf(file, size)}\n`)
    // On a disk that is almost full less is written than asked for; the next try says why.
    for (let at = 0; at < seal.length; at += writeSync(file, seal, at, seal.length - at, size + at));
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

export function checkSeal(path: string): Seal {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const sealed = sealOf(file, size)
    if (sealed === undefined) return 'missing'
    return digestOf(file, size - SEAL_BYTES) === sealed ? 'intact' : 'broken'
  } finally {
    closeSync(file)
  }
}

/** Whether there is one, intact or not. */
export function hasSeal(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    return sealOf(file, fstatSync(file).size) !== undefined
  } finally {
    closeSync(file)
  }
}

/** Cuts the seal off a copy that is to be written to. */
export function removeSeal(path: string): void {
  const file = openSync(path, 'r+')
  try {
    const { size } = fstatSync(file)
    if (sealOf(file, size) !== undefined) ftruncateSync(file, size - SEAL_BYTES)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function sealOf(file: number, size: number): string | undefined {
  if (size < SEAL_BYTES) return undefined
  const bytes = Buffer.alloc(SEAL_BYTES)
  readSync(file, bytes, 0, SEAL_BYTES, size - SEAL_BYTES)
  const text = bytes.toString('latin1')
  return text.startsWith(MARK) && text.endsWith('\n') ? text.slice(MARK.length, -1) : undefined
}

function digestOf(file: number, end: number): string {
  const hash = createHash('sha256')
  const chunk = Buffer.alloc(Math.min(CHUNK, Math.max(1, end)))
  for (let at = 0; at < end;) {
    const read = readSync(file, chunk, 0, Math.min(chunk.length, end - at), at)
    if (read === 0) break
    hash.update(chunk.subarray(0, read))
    at += read
  }
  return hash.digest('hex')
}
