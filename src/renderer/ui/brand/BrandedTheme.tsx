import { type ReactNode, useEffect } from 'react'
import { ColoredTheme } from './ColoredTheme.tsx'
import { defaultBranding, useBranding } from './use-branding.ts'

/** The tab's icon is the logo, where there is one. */
function useTabIcon(logo: string | null): void {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
    if (!link || !logo) return
    const { href, type } = link
    link.href = logo
    link.removeAttribute('type')
    return () => {
      link.href = href
      link.type = type
    }
  }, [logo])
}

/** The theme in the color of the control plane. */
export function BrandedTheme({ children }: { children: ReactNode }) {
  const { primary_color: color, logo_data_url: logo, product_name: name } = useBranding()
  useTabIcon(logo)
  useEffect(() => {
    // Pages name themselves; until one has, and on those that do not, the product does.
    if (document.title === defaultBranding.product_name) document.title = name
  }, [name])
  return <ColoredTheme color={color}>{children}</ColoredTheme>
}
