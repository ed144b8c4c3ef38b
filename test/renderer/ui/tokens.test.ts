import { describe, expect, test } from 'vitest'
import { type Tokens, darkTokens, lightTokens, tokenVariables } from '../../../src/renderer/ui/tokens.ts'

const channel = (hex: string, at: number) => {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
const luminance = (hex: string) => 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5)
/** WCAG 2 contrast ratio of two `#rrggbb` colours. */
function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

describe.each([
  ['light', lightTokens],
  ['dark', darkTokens],
] as [string, Tokens][])('the %s tokens', (_, tokens) => {
  const surfaces = [
    tokens.surface,
    tokens.surfaceRaised,
    tokens.surfaceSunken,
    tokens.surfaceHover,
    tokens.surfaceSelected,
  ]

  test('words hold AA on every surface', () => {
    for (const surface of surfaces) {
      for (const text of [tokens.text, tokens.textMuted, tokens.accentText]) {
        expect(contrast(text, surface), `${text} on ${surface}`).toBeGreaterThanOrEqual(4.5)
      }
    }
    for (const surface of [tokens.surface, tokens.surfaceSunken]) {
      expect(contrast(tokens.textFaint, surface), `faint on ${surface}`).toBeGreaterThanOrEqual(4.5)
    }
    expect(contrast(tokens.onAccent, tokens.accent)).toBeGreaterThanOrEqual(4.5)
  })

  test.each(Object.entries(tokens.status))('status %s: words hold AA, marks 3:1', (_tone, colors) => {
    for (const ground of [...surfaces, colors.tint]) {
      expect(contrast(colors.text, ground), `${colors.text} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
    expect(contrast(colors.mark, tokens.surface), 'mark').toBeGreaterThanOrEqual(3)
  })
})

test('tokens become CSS variables', () => {
  expect(tokenVariables(lightTokens)).toMatchObject({
    '--hg-surface-raised': lightTokens.surfaceRaised,
    '--hg-status-failed-mark': lightTokens.status.failed.mark,
  })
  expect(Object.keys(tokenVariables(darkTokens))).toEqual(Object.keys(tokenVariables(lightTokens)))
})
