import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contrast } from '../../../src/renderer/ui/brand/brand-colors.ts'
import { ownTokens } from '../../../src/renderer/ui/theme.ts'
import { type Tokens, darkTokens, lightTokens, tokenVariables } from '../../../src/renderer/ui/tokens.ts'

/** A colour with alpha, as it looks on a ground. */
function on(ground: string, color: string): string {
  if (color.length === 7) return color
  const share = Number.parseInt(color.slice(7), 16) / 255
  const channels = [1, 3, 5].map((at) => {
    const [under, over] = [ground, color].map((hex) => Number.parseInt(hex.slice(at, at + 2), 16))
    return Math.round((under ?? 0) * (1 - share) + (over ?? 0) * share)
  })
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

const looks: [string, Tokens, { words: number; marks: number }][] = [
  ['light', ownTokens.standard.light, { words: 4.5, marks: 3 }],
  ['dark', ownTokens.standard.dark, { words: 4.5, marks: 3 }],
  ['light, high contrast', ownTokens.high.light, { words: 7, marks: 4.5 }],
  ['dark, high contrast', ownTokens.high.dark, { words: 7, marks: 4.5 }],
]

describe.each(looks)('the tokens of the look: %s', (_, tokens, bar) => {
  const surfaces = [
    tokens.surface,
    tokens.surfaceRaised,
    tokens.surfaceSunken,
    tokens.surfaceHover,
    tokens.surfaceSelected,
  ]
  const holds = (front: string, ground: string, least: number, what: string) =>
    expect(contrast(front, ground), `${what}: ${front} on ${ground}`).toBeGreaterThanOrEqual(least)

  test('words can be read on every surface', () => {
    for (const surface of surfaces) {
      for (const text of [tokens.text, tokens.textMuted, tokens.accentText]) holds(text, surface, bar.words, 'words')
    }
    for (const surface of [tokens.surface, tokens.surfaceRaised, tokens.surfaceSunken]) {
      holds(tokens.textFaint, surface, bar.words, 'faint words')
    }
    holds(tokens.onAccent, tokens.accent, bar.words, 'words of a button')
    holds(tokens.onAccent, tokens.accentHover, bar.words, 'words of a hovered button')
  })

  test('the focus ring is seen on every surface', () => {
    for (const surface of surfaces) holds(tokens.focus, surface, bar.marks, 'ring')
  })

  test.each(Object.entries(tokens.status))('status %s: words and marks', (_tone, colors) => {
    for (const ground of [...surfaces, colors.tint]) holds(colors.text, ground, bar.words, 'words')
    for (const ground of surfaces) holds(colors.mark, ground, bar.marks, 'mark')
  })

  test('code can be read wherever it stands', () => {
    const { selection, match, added, addedStrong, removed, removedStrong, activeLine, gutter, ...texts } = tokens.code
    const grounds = { surface: tokens.surface, activeLine: on(tokens.surface, activeLine), added, removed }
    for (const [name, ground] of Object.entries(grounds)) {
      for (const [what, text] of Object.entries({ ...texts, plain: tokens.text })) {
        holds(text, ground, bar.words, `${what} on ${name}`)
      }
    }
    holds(gutter, tokens.surface, bar.words, 'numbers of lines')
    for (const ground of [selection, match, addedStrong, removedStrong]) {
      holds(tokens.text, ground, bar.words, 'plain text')
    }
  })

  if (bar.words === 7) {
    test('every line is seen, and every status has a pattern or a full bar', () => {
      for (const line of [tokens.line, tokens.lineStrong]) {
        for (const surface of surfaces) holds(line, surface, bar.marks, 'line')
      }
      const fills = Object.keys(tokens.status).map((tone) => tokenVariables(tokens)[`--hg-status-${tone}-fill`])
      const shapes = new Set(fills.map((fill) => fill?.replaceAll(/#[0-9a-f]{6}/g, 'c')))
      expect(shapes.size).toBe(fills.length)
      expect(Number.parseInt(tokens.focusWidth, 10)).toBeGreaterThanOrEqual(3)
    })
  }
})

test('tokens become CSS variables, the same ones in every look', () => {
  expect(tokenVariables(lightTokens)).toMatchObject({
    '--hg-surface-raised': lightTokens.surfaceRaised,
    '--hg-status-failed-mark': lightTokens.status.failed.mark,
    '--hg-status-failed-fill': lightTokens.status.failed.mark,
    '--code-added-strong': lightTokens.code.addedStrong,
  })
  const names = Object.keys(tokenVariables(darkTokens))
  for (const [, tokens] of looks) expect(Object.keys(tokenVariables(tokens))).toEqual(names)
})

test('the first paint has the ground of the theme that follows it', () => {
  const script = readFileSync('src/renderer/public/color-scheme.js', 'utf8')
  const grounds = script.match(/#[0-9a-f]{6}/g)
  const { standard, high } = ownTokens
  expect(high.light.surface).toBe(standard.light.surface)
  expect(grounds).toEqual([high.dark.surface, standard.dark.surface, standard.light.surface])
})
