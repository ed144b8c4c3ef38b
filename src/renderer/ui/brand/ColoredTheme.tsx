import { MantineProvider } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useLooks } from '../looks.ts'
import { colorSchemeManager, cssVariablesOf, ownTokens, themeWith } from '../theme.ts'
import { brandColors } from './brand-colors.ts'

/** The theme in this color; null: in the product's own. */
export function ColoredTheme({ color, children }: { color: string | null; children: ReactNode }) {
  const { t } = useTranslation()
  const { contrast, motion } = useLooks()
  const colors = useMemo(() => (color ? brandColors(color, contrast) : null), [color, contrast])
  const theme = useMemo(() => themeWith({ close: t('close') }, motion, colors?.shades), [t, motion, colors])
  const variables = useMemo(() => cssVariablesOf(colors ?? ownTokens[contrast]), [colors, contrast])
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
