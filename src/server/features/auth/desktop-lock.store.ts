import type { Store } from '../../platform/store.ts'

const KEY = 'desktop_locked_at'

/** In the store, so that a restart opens nothing. */
export function createDesktopLockStore({ sqlite }: Store) {
  const read = sqlite.prepare<[string]>('SELECT 1 FROM store_meta WHERE key = ?')
  const write = sqlite.prepare<[string, string]>('INSERT OR IGNORE INTO store_meta (key, value) VALUES (?, ?)')
  const remove = sqlite.prepare<[string]>('DELETE FROM store_meta WHERE key = ?')
  return {
    isLocked: () => read.get(KEY) !== undefined,
    lock: (at: string) => void write.run(KEY, at),
    unlock: () => void remove.run(KEY),
  }
}
