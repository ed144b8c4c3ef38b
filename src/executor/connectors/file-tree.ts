import type { FilePattern } from './file-glob.ts'
import { EngineError } from '../engine/errors.ts'
import type { ListOptions, StoredFile } from './file-store.types.ts'

export interface TreeFacts {
  kind: 'file' | 'folder' | 'other'
  size: number
  version: string
  modified_at: string | null
}

/** Folders that are listed one by one: those of this machine, and of SFTP servers. Paths are below the root, '' is the root. */
export interface Tree {
  /** null: there is no such folder. `facts`: where listing tells them. */
  entries(
    folder: string,
  ): Promise<{ name: string; kind: 'file' | 'folder' | 'link' | 'other'; facts?: TreeFacts }[] | null>
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

async function entriesOf(tree: Tree, folder: string, lenient: boolean): ReturnType<Tree['entries']> {
  try {
    return await tree.entries(folder)
  } catch (error) {
    if (lenient && error instanceof EngineError && error.code === 'FILE_UNREADABLE') return null
    throw error
  }
}
