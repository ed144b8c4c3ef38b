import { eq } from 'drizzle-orm'
import type { Store } from '../../platform/store.ts'
import { type BrandingRow, branding } from './branding.table.ts'

const theOne = 1

export function createBrandingStore({ db }: Pick<Store, 'db'>) {
  const get = db.select().from(branding).where(eq(branding.only_one, theOne)).prepare()
  return {
    get: (): BrandingRow | undefined => get.get(),
    save(values: Omit<BrandingRow, 'only_one'>): void {
      db.insert(branding)
        .values({ only_one: theOne, ...values })
        .onConflictDoUpdate({ target: branding.only_one, set: values })
        .run()
    },
  }
}
