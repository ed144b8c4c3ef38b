import { join } from 'node:path'

/** Where files from afar are put, each in a folder of its own with a number for a name. */
export function fetchedFolder(tempDir: string): string {
  return join(tempDir, 'fetched')
}

/** Links to the files of this machine that a run holds open, each below a number at its whole path. */
export function openedFolder(tempDir: string): string {
  return join(tempDir, 'opened')
}

/** Ends the name of a copy that was unpacked or cleaned, where it lies among those that were fetched. */
export const copySuffix = '.headgate-copy'

/** Messages name files as their store has them, not where they were fetched to or linked from. */
export function withoutFetched(words: string, tempDir: string): string {
  const folder = escaped(fetchedFolder(tempDir))
  const copies = new RegExp(`(${folder}[\\\\/]\\d+[\\\\/][^\\n]*?)\\${copySuffix}(?=\\W|$)`, 'g')
  return words
    .replaceAll(copies, '$1')
    .replaceAll(new RegExp(`${folder}[\\\\/]\\d+[\\\\/]`, 'g'), '')
    .replaceAll(new RegExp(`${escaped(openedFolder(tempDir))}[\\\\/]\\d+(?=[\\\\/])`, 'g'), '')
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
