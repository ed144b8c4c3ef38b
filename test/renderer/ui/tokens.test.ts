import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contrast } from '../../../src/renderer/ui/colors.ts'
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

/** Pairs that fall short, in words. */
type Pair = readonly [front: string, ground: string, least: number, what: string]
const short = (pairs: readonly Pair[]) =>
  pairs
    .filter(([front, ground, least]) => contrast(front, ground) < least)
    .map(([front, ground, least, what]) => `${what}: ${front} on ${ground} is below ${least}`)

describe.each(looks)('the tokens of the look: %s', (_, tokens, bar) => {
  const surfaces = [
    tokens.surface,
    tokens.surfaceRaised,
    tokens.surfaceSunken,
    tokens.surfaceHover,
    tokens.surfaceSelected,
  ]

  const { words, marks } = bar
  const onAll = (fronts: readonly string[], grounds: readonly string[], least: number, what: string): Pair[] =>
    fronts.flatMap((front) => grounds.map((ground): Pair => [front, ground, least, what]))

  test('words can be read on every surface', () => {
    const { text, textMuted, textFaint, accentText } = tokens
    const pairs = [
      ...onAll([text, textMuted, textFaint, accentText], surfaces, words, 'words'),
      ...onAll([tokens.onAccent], [tokens.accent, tokens.accentHover], words, 'words of a button'),
    ]
    expect(short(pairs)).toEqual([])
  })

  test('the focus ring is seen on every surface', () => {
    expect(short(onAll([tokens.focus], surfaces, marks, 'ring'))).toEqual([])
  })

  test.each(Object.entries(tokens.status))('status %s: words and marks', (_tone, { text, mark, tint }) => {
    const pairs = [...onAll([text], [...surfaces, tint], words, 'words'), ...onAll([mark], surfaces, marks, 'mark')]
    expect(short(pairs)).toEqual([])
  })

  test('code can be read wherever it stands', () => {
    const { selection, match, added, addedStrong, removed, removedStrong, activeLine, gutter, ...texts } = tokens.code
    const grounds = [tokens.surface, on(tokens.surface, activeLine), added, removed]
    const pairs = [
      ...onAll([...Object.values(texts), tokens.text], grounds, words, 'code'),
      ...onAll([tokens.text], [selection, match, addedStrong, removedStrong], words, 'marked code'),
      ...onAll([gutter], [tokens.surface], words, 'numbers of lines'),
    ]
    expect(short(pairs)).toEqual([])
  })
})

test.each(looks)('boxes and circles to check are seen by their line, in the look: %s', (_, tokens) => {
  for (const surface of [tokens.surface, tokens.surfaceRaised, tokens.surfaceSunken, tokens.surfaceHover]) {
    expect(contrast(tokens.lineControl, surface), `on ${surface}`).toBeGreaterThanOrEqual(3)
  }
})

describe.each(looks.slice(2))('beyond its colours, the look: %s', (_, tokens, bar) => {
  test('every line is seen', () => {
    for (const line of [tokens.line, tokens.lineStrong]) {
      for (const surface of [tokens.surface, tokens.surfaceSunken, tokens.surfaceHover, tokens.surfaceSelected]) {
        expect(contrast(line, surface), `${line} on ${surface}`).toBeGreaterThanOrEqual(bar.marks)
      }
    }
    expect(Number.parseInt(tokens.focusWidth, 10)).toBeGreaterThanOrEqual(3)
  })

  test('every status has a pattern of its own, or a full bar', () => {
    const fills = Object.keys(tokens.status).map((tone) => tokenVariables(tokens)[`--hg-status-${tone}-fill`])
    const shapes = new Set(fills.map((fill) => fill?.replaceAll(/#[0-9a-f]{6}/g, 'c')))
    expect(shapes.size).toBe(fills.length)
  })
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
