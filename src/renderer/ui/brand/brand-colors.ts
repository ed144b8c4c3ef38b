/**
 * The accent of both themes, derived from the one colour that an administrator chose. Whatever it is, words on it and in it hold
 * WCAG AA, and what is filled with it stands out from the surface. Pure.
 */
import { black, contrast, holdsOn, mix, toward, white } from '../colors.ts'
import type { Contrast } from '../looks.rules.ts'
import { ownTokens } from '../theme.ts'
import type { Tokens } from '../tokens.ts'

type AccentTokens = Pick<Tokens, 'accent' | 'accentHover' | 'accentText' | 'focus' | 'surfaceSelected'>

export interface BrandColors {
  light: Tokens
  dark: Tokens
  /** Ten shades as Mantine wants them; 7 fills in the light theme, 6 in the dark one. */
  shades: readonly string[]
}

/** What words and marks must reach: AA, in high contrast AAA. */
const bars: Readonly<Record<Contrast, { words: number; marks: number }>> = {
  standard: { words: 4.5, marks: 3 },
  high: { words: 7, marks: 4.5 },
}

/** Everything that is written on a selected row can still be read. */
const readable = (tokens: Tokens, words: number) => (ground: string) =>
  [tokens.text, tokens.textMuted, ...Object.values(tokens.status).map((status) => status.text)].every(
    (color) => contrast(color, ground) >= words,
  )

const groundsOf = (tokens: Tokens, selected: string) => [
  tokens.surface,
  tokens.surfaceRaised,
  tokens.surfaceSunken,
  tokens.surfaceHover,
  selected,
]

function lightAccent(color: string, tokens: Tokens, { words, marks }: { words: number; marks: number }): AccentTokens {
  const accent = toward(color, black, (one) => contrast(white, one) >= words)
  const surfaceSelected = toward(mix(white, accent, 0.14), white, readable(tokens, words))
  return {
    accent,
    accentHover: mix(accent, black, 0.16),
    accentText: toward(accent, black, holdsOn(groundsOf(tokens, surfaceSelected), words)),
    focus: toward(color, black, (one) => contrast(one, tokens.surface) >= marks),
    surfaceSelected,
  }
}

function darkAccent(color: string, tokens: Tokens, { words, marks }: { words: number; marks: number }): AccentTokens {
  const seen = toward(color, white, (one) => contrast(one, tokens.surface) >= 3)
  const accent = toward(seen, black, (one) => contrast(white, one) >= words)
  const surfaceSelected = toward(mix(tokens.surface, accent, 0.3), tokens.surface, readable(tokens, words))
  return {
    accent,
    // Words on a button that is hovered hold, too.
    accentHover: mix(accent, black, 0.16),
    accentText: toward(accent, white, holdsOn(groundsOf(tokens, surfaceSelected), words)),
    focus: toward(color, white, (one) => contrast(one, tokens.surface) >= marks),
    surfaceSelected,
  }
}

export function brandColors(color: string, look: Contrast = 'standard'): BrandColors {
  const own = ownTokens[look]
  const light = lightAccent(color, own.light, bars[look])
  const dark = darkAccent(color, own.dark, bars[look])
  return {
    light: { ...own.light, ...light },
    dark: { ...own.dark, ...dark },
    shades: [
      mix(white, light.accent, 0.12),
      mix(white, light.accent, 0.25),
      mix(white, light.accent, 0.42),
      dark.accentText,
      dark.focus,
      dark.accentHover,
      dark.accent,
      light.accent,
      light.accentHover,
      mix(light.accent, black, 0.35),
    ],
  }
}
