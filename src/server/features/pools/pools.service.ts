import type { BodyOf } from '../../../contract/operation.ts'
import type { Pool, setPool } from '../../../contract/pools.ts'
import { contentTag } from '../../platform/content-tag.ts'
import type { Platform } from '../../platform/platform.ts'
import { notFound } from '../../platform/refusal.ts'
import { createPoolsStore } from './pools.store.ts'
import type { PoolRow } from './pools.table.ts'

export type PoolsService = ReturnType<typeof createPoolsService>

export function createPoolsService({ store, clock, events }: Platform) {
  const pools = createPoolsStore(store)
  const listeners = new Set<(name: string) => void>()

  function present({ id: _, ...pool }: PoolRow, used: Map<string, number>, waiting: Map<string, number>): Pool {
    return { ...pool, used: used.get(pool.name) ?? 0, waiting: waiting.get(pool.name) ?? 0 }
  }

  /** In the transaction of the change: who starts more because of it does so in the same one. */
  function changed({ id, name, slots }: PoolRow, removed: boolean): void {
    events.append('pool.changed', id, { name, slots, removed })
    for (const listener of listeners) listener(name)
  }

  const need = (name: string): PoolRow => pools.get(name) ?? notFound()

  return {
    list(): Pool[] {
      const [used, waiting] = [pools.used(), pools.waiting()]
      return pools.list().map((pool) => present(pool, used, waiting))
    },

    get: (name: string): Pool => present(need(name), pools.used(), pools.waiting()),
    etag: (name: string): string => etagOf(need(name)),

    /** `guard` sees the ETag of the stored pool, null when there is none, before anything changes. */
    set: (name: string, { slots, description }: BodyOf<typeof setPool>, guard: (etag: string | null) => void): Pool =>
      store.transaction(() => {
        const at = clock.iso()
        const known = pools.get(name)
        guard(known ? etagOf(known) : null)
        const values = { slots, description: description === undefined ? (known?.description ?? null) : description }
        const pool = known
          ? pools.update(name, { ...values, updated_at: at })!
          : pools.insert({ name, ...values, created_at: at })
        changed(pool, false)
        return present(pool, pools.used(), pools.waiting())
      }),

    remove: (name: string) =>
      store.transaction(() => {
        changed(pools.remove(name) ?? notFound(), true)
        return { success: true }
      }),

    /** Name → slots. Whoever names a pool that is not here is not limited. */
    limits: (): Map<string, number> => new Map(pools.slots().map(({ name, slots }) => [name, slots])),
    /** Name → runs that hold a slot. */
    used: (): Map<string, number> => pools.used(),
    names: (): string[] => pools.slots().map(({ name }) => name),
    /** Called inside the transaction in which a pool was made, changed or removed. */
    onChanged(listener: (name: string) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

const etagOf = ({ id, slots, description }: PoolRow) => contentTag([id, slots, description])
