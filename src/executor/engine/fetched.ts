import { join } from 'node:path'

/** Where files from afar are put, each in a folder of its own with a number for a name. */
export function fetchedFolder(tempDir: string): string {
  return join(tempDir, 'fetched')
}

/** Ends the name of a copy that was unpacked or cleaned, where it lies among those that were fetched. */
export const copySuffix = '.headgate-copy'

/** Messages name files as their store has them, not where they were fetched to. */
export function withoutFetched(words: string, tempDir: string): string {
  const folder = fetchedFolder(tempDir).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const copies = new RegExp(`(${folder}[\\\\/]\\d+[\\\\/][^\\n]*?)\\${copySuffix}(?=\\W|$)`, 'g')
  return words.replaceAll(copies, '$1').replaceAll(new RegExp(`${folder}[\\\\/]\\d+[\\\\/]`, 'g'), '')
}
