import type { Database } from 'better-sqlite3'

/** Settings that are secrets: sealed, by key. */
export interface SettingSecret {
  key: string
  sealed_value: string
  updated_at: string
}

export function createSettingSecretsStore(sqlite: Database) {
  const all = sqlite.prepare<[], SettingSecret>('SELECT * FROM setting_secrets ORDER BY key')
  const save = sqlite.prepare<[SettingSecret]>(`
    INSERT INTO setting_secrets (key, sealed_value, updated_at) VALUES (@key, @sealed_value, @updated_at)
    ON CONFLICT DO UPDATE SET sealed_value = excluded.sealed_value, updated_at = excluded.updated_at`)
  const remove = sqlite.prepare<[string]>('DELETE FROM setting_secrets WHERE key = ?')
  return {
    all: (): SettingSecret[] => all.all(),
    save: (secret: SettingSecret) => void save.run(secret),
    remove: (key: string) => void remove.run(key),
  }
}
export type SettingSecretsStore = ReturnType<typeof createSettingSecretsStore>
