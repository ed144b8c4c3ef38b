import type { Database } from 'better-sqlite3'
import type { Ids } from './ids.ts'

/** A random value that belongs to this store for good; made when first asked for. */
export function storeSecret(sqlite: Database, ids: Ids, key: string): string {
  sqlite.prepare('INSERT OR IGNORE INTO store_meta (key, value) VALUES (?, ?)').run(key, ids.hex(32))
  const row = sqlite.prepare<[string], { value: string }>('SELECT value FROM store_meta WHERE key = ?').get(key)
  return row!.value
}

/** Backups tell by it which Headgate they are of. */
export function noteVersion(sqlite: Database, version: string): void {
  const noted = sqlite.prepare("SELECT value FROM store_meta WHERE key = 'version'").pluck().get()
  if (noted !== version)
    sqlite.prepare("INSERT OR REPLACE INTO store_meta (key, value) VALUES ('version', ?)").run(version)
}
