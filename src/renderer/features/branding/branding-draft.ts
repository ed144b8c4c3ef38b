/** The form of the branding: empty fields are defaults. Pure. */
import type { Branding } from '../../../contract/branding.ts'
import { following } from '../../api/followed-draft.rules.ts'
import { defaultBranding } from '../../ui/brand/use-branding.ts'

export interface BrandingDraft {
  product_name: string
  logo_data_url: string | null
  primary_color: string
  login_message: string
  support_url: string
}

export const draftOf = (branding: Branding): BrandingDraft => ({
  product_name: branding.product_name === defaultBranding.product_name ? '' : branding.product_name,
  logo_data_url: branding.logo_data_url,
  primary_color: branding.primary_color ?? '',
  login_message: branding.login_message ?? '',
  support_url: branding.support_url ?? '',
})

const orNull = (text: string) => (text.trim() === '' ? null : text)

const fieldsOf = (draft: BrandingDraft) => ({
  product_name: orNull(draft.product_name.trim()),
  logo_data_url: draft.logo_data_url,
  primary_color: orNull(draft.primary_color.trim()),
  login_message: orNull(draft.login_message),
  support_url: orNull(draft.support_url.trim()),
})

type Fields = ReturnType<typeof fieldsOf>

/** Only what was changed: what is left out stays. */
export function bodyOf(base: Branding, draft: BrandingDraft): Partial<Fields> {
  const before = fieldsOf(draftOf(base))
  const entries = Object.entries(fieldsOf(draft)).filter(([field, value]) => before[field as keyof Fields] !== value)
  return Object.fromEntries(entries)
}

export const brandingForm = following<Branding, BrandingDraft>({
  draftOf,
  same: (a, b) => JSON.stringify(fieldsOf(a)) === JSON.stringify(fieldsOf(b)),
})

/** What the draft will look like; a colour that is half typed is none yet. */
export function shownOf(draft: BrandingDraft): Branding {
  const fields = fieldsOf(draft)
  const color = fields.primary_color
  return {
    ...fields,
    product_name: fields.product_name ?? defaultBranding.product_name,
    primary_color: color && /^#[0-9a-f]{6}$/i.test(color) ? color : null,
  }
}
