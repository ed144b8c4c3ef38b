import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { brandColors } from '../../../src/renderer/ui/brand/brand-colors.ts'
import { contrast } from '../../../src/renderer/ui/colors.ts'

const anyColor = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const poor = ['#000000', '#ffffff', '#ffff00', '#00ff00', '#0000ff', '#808080', '#f5f5dc', '#15191d', '#1f6feb']

function check(color: string): void {
  const brand = brandColors(color)
  for (const [scheme, tokens] of [
    ['light', brand.light],
    ['dark', brand.dark],
  ] as const) {
    const told = `${color} in ${scheme}`
    expect(contrast('#ffffff', tokens.accent), `white on ${told}`).toBeGreaterThanOrEqual(4.5)
    expect(contrast('#ffffff', tokens.accentHover), `white on hovered ${told}`).toBeGreaterThanOrEqual(4.5)
    expect(contrast(tokens.focus, tokens.surface), `focus ring of ${told}`).toBeGreaterThanOrEqual(3)
    const grounds = [tokens.surface, tokens.surfaceRaised, tokens.surfaceSunken, tokens.surfaceHover]
    for (const ground of [...grounds, tokens.surfaceSelected]) {
      expect(contrast(tokens.accentText, ground), `words of ${told} on ${ground}`).toBeGreaterThanOrEqual(4.5)
    }
    for (const text of [tokens.text, tokens.textMuted, ...Object.values(tokens.status).map((status) => status.text)]) {
      expect(contrast(text, tokens.surfaceSelected), `${text} on a chosen row of ${told}`).toBeGreaterThanOrEqual(4.5)
    }
  }
  expect(brand.shades).toHaveLength(10)
}

describe('an accent made of any colour', () => {
  test.each(poor)('can be read when it is %s', check)

  test('can be read whatever the colour is', () => {
    fc.assert(fc.property(anyColor, check), { numRuns: 60 })
  })

  test('is the colour itself where that can be read', () => {
    expect(brandColors('#0e6377').light.accent).toBe('#0e6377')
  })
})
