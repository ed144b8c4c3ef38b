import type { Store } from '../../platform/store.ts'

/** When the store was made. */
export function storeSince({ sqlite }: Store): Date {
  const at = sqlite.prepare<[], string>('SELECT min(applied_at) FROM schema_migrations').pluck().get()
  return new Date(at ?? 0)
}
