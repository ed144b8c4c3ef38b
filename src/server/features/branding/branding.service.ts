import type { Branding } from '../../../contract/branding.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid } from '../../platform/refusal.ts'
import { type BrandingChange, brandingMistakes } from './branding.rules.ts'
import { createBrandingStore } from './branding.store.ts'
import type { BrandingRow } from './branding.table.ts'

export const defaultProductName = 'Headgate'

const unset = {
  product_name: null,
  logo_data_url: null,
  primary_color: null,
  login_message: null,
  support_url: null,
  revision: 0,
}
type Kept = Omit<BrandingRow, 'only_one' | 'updated_at'>

export function createBrandingService({ store, clock, events }: Pick<Platform, 'store' | 'clock' | 'events'>) {
  const rows = createBrandingStore(store)
  /** Asked for with every sign-in page, without an account: read once. */
  let known: Kept = kept()

  function kept(): Kept {
    const row = rows.get()
    if (!row) return unset
    const { only_one: _, updated_at: __, ...values } = row
    return values
  }
  const etagOf = ({ revision }: Kept) => `branding-${revision}`
  const present = ({ revision: _, ...values }: Kept): Branding => ({
    ...values,
    product_name: values.product_name ?? defaultProductName,
  })

  return {
    read: () => ({ branding: present(known), etag: etagOf(known) }),

    change(change: BrandingChange, ifMatch: (etag: string) => void) {
      const details = brandingMistakes(change)
      if (details.length > 0) invalid(details)
      return store.transaction(() => {
        ifMatch(etagOf(known))
        const next: Kept = { ...known, ...change, revision: known.revision + 1 }
        rows.save({ ...next, updated_at: clock.iso() })
        events.append('server.changed', 1, { what: 'branding' })
        store.afterCommit(() => (known = next))
        return { branding: present(next), etag: etagOf(next) }
      })
    },
  }
}
export type BrandingService = ReturnType<typeof createBrandingService>
