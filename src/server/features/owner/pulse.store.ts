import type { Store } from '../../platform/store.ts'

/** How the server does, from indexes alone, which SQLite would not choose by itself: asked every second while something happens. */
export function createPulseStore({ sqlite }: Pick<Store, 'sqlite'>) {
  const count = sqlite.prepare<[string], number>('SELECT count(*) FROM runs WHERE status = ?').pluck()
  const next = sqlite
    .prepare<[], string | null>('SELECT min(next_fire_at) FROM triggers WHERE next_fire_at IS NOT NULL')
    .pluck()
  return {
    count: (status: 'running' | 'pending'): number => count.get(status) ?? 0,
    nextFireAt: (): string | null => next.get() ?? null,
  }
}
