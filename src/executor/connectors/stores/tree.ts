import type { FilePattern } from './glob.ts'
import { EngineError } from '../../engine/errors.ts'
import type { ListOptions, StoredFile } from './store.types.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export interface TreeFacts {
  kind: 'file' | 'folder' | 'other'
  size: number
  version: string
  modified_at: string | null
}

export interface TreeEntry {
  name: string
  kind: 'file' | 'folder' | 'link' | 'other'
  /** Where listing tells them. */
  facts?: TreeFacts
  /** Set where the name is not valid UTF-8, and so leads nowhere: how to show it. */
  escaped?: string
}

/** Folders that are listed one by one: those of this machine, and of SFTP servers. Paths are below the root, '' is the root. */
export interface Tree {
  /** Where a folder is, for messages. */
  absolute(folder: string): string
  /** null: there is no such folder. */
  entries(folder: string): Promise<TreeEntry[] | null>
  /** Follows links; null: nothing is there. */
  facts(path: string): Promise<TreeFacts | null>
  /** Whether it lies below the root, links followed. */
  inside(path: string): Promise<boolean>
  outside(path: string): Error
}

/** null: a time that no calendar has; file systems keep whatever they are given. */
export function isoTime(milliseconds: number): string | null {
  const time = new Date(milliseconds)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/** The files that match. Links are followed below the root only, and never by `**`, where they could lead in circles. */
export async function* walkTree(
  tree: Tree,
  pattern: FilePattern,
  { lenient = false }: ListOptions = {},
): AsyncGenerator<StoredFile> {
  if (pattern.base !== '') {
    const base = await tree.facts(pattern.base)
    if (base?.kind !== 'folder') return
    if (!(await tree.inside(pattern.base))) throw tree.outside(pattern.base)
  }
  const folders = [pattern.base]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of (await entriesOf(tree, folder, lenient && folder !== pattern.base)) ?? []) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const [asFile, asFolder] = [pattern.matches(path), pattern.below(path)]
      if (!asFile && !asFolder) continue
      if (entry.escaped !== undefined) {
        if (!lenient && (entry.kind === 'folder' ? asFolder : asFile)) throw unnamable(tree, folder, entry, pattern)
        continue
      }
      const found = entry.kind === 'folder' ? null : (entry.facts ?? (await tree.facts(path)))
      const kind = found?.kind ?? entry.kind
      if (entry.kind === 'link') {
        if (!found || (kind === 'folder' && pattern.recursive)) continue
        if (!(await tree.inside(path))) {
          if (!lenient && (kind === 'folder' ? asFolder : asFile)) throw tree.outside(path)
          continue
        }
      }
      if (kind === 'folder' && asFolder) folders.push(path)
      else if (kind === 'file' && asFile && found) {
        const { size, version, modified_at } = found
        yield { path, size, version, modified_at }
      }
    }
  }
}

/** What the operating system cannot be asked for by its name is not skipped: it may be one of those that are meant. */
function unnamable(tree: Tree, folder: string, entry: TreeEntry, pattern: FilePattern): EngineError {
  return new EngineError(
    'FILE_UNREADABLE',
    runMessage('entry_not_utf8', {
      folder: tree.absolute(folder),
      pattern: pattern.text,
      escaped: entry.escaped ?? '',
    }),
    { hint: runMessage('entry_not_utf8_fix') },
  )
}

/** A name that is not valid UTF-8, with `\\x…` for every byte outside of ASCII. */
export function escapeName(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[^ -~]/g, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

async function entriesOf(tree: Tree, folder: string, lenient: boolean): ReturnType<Tree['entries']> {
  try {
    return await tree.entries(folder)
  } catch (error) {
    if (lenient && error instanceof EngineError && error.code === 'FILE_UNREADABLE') return null
    throw error
  }
}
