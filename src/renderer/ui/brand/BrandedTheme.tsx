import { MantineProvider } from '@mantine/core'
import { type ReactNode, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLooks } from '../looks.ts'
import { colorSchemeManager, cssVariablesOf, ownTokens, themeWith } from '../theme.ts'
import { brandColors } from './brand-colors.ts'
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

/** The theme in the colour of the control plane. */
export function BrandedTheme({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const { primary_color: color, logo_data_url: logo, product_name: name } = useBranding()
  const { contrast, motion } = useLooks()
  const colors = useMemo(() => (color ? brandColors(color, contrast) : null), [color, contrast])
  const theme = useMemo(() => themeWith({ close: t('close') }, motion, colors?.shades), [t, motion, colors])
  const variables = useMemo(() => cssVariablesOf(colors ?? ownTokens[contrast]), [colors, contrast])
  useTabIcon(logo)
  useEffect(() => {
    // Pages name themselves; until one has, and on those that do not, the product does.
    if (document.title === defaultBranding.product_name) document.title = name
  }, [name])
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      cssVariablesResolver={variables}
      deduplicateInlineStyles
    >
      {children}
    </MantineProvider>
  )
}
