import type { Store } from '../../platform/store.ts'

const probeKey = 'write_probe'
/** A disk with less room than this is as good as full. */
const probeBytes = 65_536

/** Pages of the file, and whether it can be written. */
export function createStoreSpace({ sqlite, transaction }: Pick<Store, 'sqlite' | 'transaction'>) {
  // A pragma in `simple` form gives its one value, which is a number for these.
  const number = (pragma: string) => sqlite.pragma(pragma, { simple: true }) as number
  const write = sqlite.prepare<[string, number]>(
    'INSERT INTO store_meta (key, value) VALUES (?, hex(randomblob(?))) ON CONFLICT DO UPDATE SET value = excluded.value',
  )
  const remove = sqlite.prepare<[string]>('DELETE FROM store_meta WHERE key = ?')
  return {
    /** Wherever they are: in the file, or in its log only. */
    pages: (): number => number('page_count'),
    unusedPages: (): number => number('freelist_count'),
    pageSize: (): number => number('page_size'),
    /** Gives so many pages back to the file's end. */
    giveBack: (pages: number) => void sqlite.pragma(`incremental_vacuum(${Math.trunc(pages)})`),
    /** Throws the store's error when something of some size cannot be saved. */
    probe(): void {
      transaction(() => write.run(probeKey, probeBytes / 2))
      transaction(() => remove.run(probeKey))
    },
  }
}
