import { useEffect } from 'react'
import { type Branding, getBranding } from '../../../contract/branding.ts'
import { useOperation } from '../../api/queries.ts'

const storageKey = 'headgate.branding'

export const defaultBranding: Branding = {
  product_name: 'Headgate',
  logo_data_url: null,
  primary_color: null,
  login_message: null,
  support_url: null,
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

function parse(text: string | null): Branding {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (typeof value !== 'object' || value === null) return defaultBranding
    const kept = value as Partial<Record<keyof Branding, unknown>>
    const color = textOrNull(kept.primary_color)
    return {
      product_name: textOrNull(kept.product_name) ?? defaultBranding.product_name,
      logo_data_url: textOrNull(kept.logo_data_url),
      primary_color: color && /^#[0-9a-f]{6}$/i.test(color) ? color : null,
      login_message: textOrNull(kept.login_message),
      support_url: textOrNull(kept.support_url),
    }
  } catch {
    return defaultBranding
  }
}

// Read once: the first paint wears what the last visit wore, so that nothing flashes while the server is asked.
const remembered = parse(localStorage.getItem(storageKey))

/** Name, logo and colour of this control plane. Public: the sign-in page wears them, too. */
export function useBranding(): Branding {
  const { data } = useOperation(getBranding)
  useEffect(() => {
    if (!data) return
    try {
      localStorage.setItem(storageKey, JSON.stringify(data))
    } catch {
      // A full storage costs a flash of the default look at the next visit, nothing more.
    }
  }, [data])
  return data ?? remembered
}
