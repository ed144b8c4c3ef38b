import { join } from 'node:path'

/** Where files from afar are put, each in a folder of its own with a number for a name. */
export function fetchedFolder(tempDir: string): string {
  return join(tempDir, 'fetched')
}

/** Messages name files as their store has them, not where they were fetched to. */
export function withoutFetched(words: string, tempDir: string): string {
  const folder = fetchedFolder(tempDir).replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return words.replaceAll(new RegExp(`${folder}[\\\\/]\\d+[\\\\/]`, 'g'), '')
}
