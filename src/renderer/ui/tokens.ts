/**
 * The one token map: every colour of the window. Light and dark stand here, their looks of high contrast are worked out of them (tokens-high.ts).
 * Lists, badges, charts and the editor read these through CSS variables (`--hg-…`, `--code-…`); nothing else names a colour.
 * Text pairs hold WCAG AA (4.5:1) on the surfaces they stand on, AAA (7:1) in high contrast: test/renderer/ui/tokens.test.ts.
 */
export interface Tokens {
  readonly surface: string
  readonly surfaceRaised: string
  readonly surfaceSunken: string
  readonly surfaceHover: string
  readonly surfaceSelected: string
  readonly line: string
  readonly lineStrong: string
  /** Around boxes and circles to check: they are nothing but their line. */
  readonly lineControl: string
  readonly text: string
  readonly textMuted: string
  readonly textFaint: string
  readonly accent: string
  readonly accentHover: string
  readonly accentText: string
  readonly onAccent: string
  readonly focus: string
  /** How wide the focus ring is. */
  readonly focusWidth: string
  /** Bars and marks that have no room for a word tell their status by a pattern, too. */
  readonly patterned: boolean
  readonly status: Readonly<Record<StatusTone, StatusColors>>
  /** Series of charts; none of them means a status. */
  readonly chart: readonly string[]
  readonly code: CodeColors
}

/** Texts in editors, diffs and logs. */
export interface CodeColors {
  readonly key: string
  readonly string: string
  readonly number: string
  readonly literal: string
  readonly comment: string
  readonly punctuation: string
  readonly expression: string
  readonly gutter: string
  /** Grounds: what words of every colour above stand on. */
  readonly selection: string
  readonly activeLine: string
  readonly match: string
  readonly added: string
  readonly addedStrong: string
  readonly removed: string
  readonly removedStrong: string
}

/** What a colour means. `striped` is drawn with hatching so that cancelled differs from queued without colour vision. */
const statusTones = ['queued', 'running', 'success', 'warning', 'failed', 'striped', 'paused'] as const
export type StatusTone = (typeof statusTones)[number]

export interface StatusColors {
  /** Icon, bar, chart mark. */
  readonly mark: string
  /** Words. */
  readonly text: string
  /** Tinted background behind the words. */
  readonly tint: string
}

export const lightTokens: Tokens = {
  surface: '#ffffff',
  surfaceRaised: '#ffffff',
  surfaceSunken: '#f6f7f8',
  surfaceHover: '#f1f3f4',
  surfaceSelected: '#e3f0f3',
  line: '#e4e7ea',
  lineStrong: '#cbd1d6',
  lineControl: '#7e8890',
  text: '#1b2126',
  textMuted: '#545e67',
  textFaint: '#626c75',
  accent: '#0e6377',
  accentHover: '#0a5263',
  accentText: '#0b5e72',
  onAccent: '#ffffff',
  focus: '#1790ad',
  focusWidth: '2px',
  patterned: false,
  status: {
    queued: { mark: '#77818a', text: '#4d5760', tint: '#eef0f2' },
    running: { mark: '#2a75d8', text: '#1b5cb4', tint: '#e6f0fd' },
    success: { mark: '#2b924d', text: '#1d6e38', tint: '#e4f5e9' },
    warning: { mark: '#ae7205', text: '#855300', tint: '#fdf1d8' },
    failed: { mark: '#d63b3b', text: '#b02020', tint: '#fdeaea' },
    striped: { mark: '#7d868f', text: '#515b64', tint: '#eef0f2' },
    paused: { mark: '#7f56d9', text: '#6138bd', tint: '#f0eafc' },
  },
  chart: ['#16788f', '#c2620a', '#4f8a10', '#b83280', '#2a6fd0', '#8a6d0b', '#7d4f3a', '#66717b'],
  code: {
    key: '#0b5cad',
    string: '#256b34',
    number: '#7d33ec',
    literal: '#9a4b00',
    comment: '#505a63',
    punctuation: '#56606a',
    expression: '#a3215f',
    gutter: '#69737c',
    selection: '#cfe3fb',
    activeLine: '#f2f5f966',
    match: '#ffe9a8',
    added: '#dff3e2',
    addedStrong: '#bfe8c7',
    removed: '#fbe4e4',
    removedStrong: '#fad8d8',
  },
}

export const darkTokens: Tokens = {
  surface: '#15191d',
  surfaceRaised: '#1e2429',
  surfaceSunken: '#101316',
  surfaceHover: '#1f252a',
  surfaceSelected: '#17333c',
  line: '#272e34',
  lineStrong: '#3b444c',
  lineControl: '#737d86',
  text: '#e6eaed',
  textMuted: '#a3adb6',
  textFaint: '#8e99a2',
  accent: '#16788f',
  accentHover: '#126377',
  accentText: '#64c3d8',
  onAccent: '#ffffff',
  focus: '#38a9c4',
  focusWidth: '2px',
  patterned: false,
  status: {
    queued: { mark: '#8f99a2', text: '#b0b9c1', tint: '#272e34' },
    running: { mark: '#4d97f2', text: '#80b7fa', tint: '#172a44' },
    success: { mark: '#3fb568', text: '#6fd292', tint: '#15301f' },
    warning: { mark: '#e0a02c', text: '#efbe62', tint: '#362912' },
    failed: { mark: '#ee5f5f', text: '#ff9090', tint: '#3b1c1e' },
    striped: { mark: '#808a93', text: '#a7b1b9', tint: '#272e34' },
    paused: { mark: '#a486ec', text: '#c0a9f5', tint: '#2a2143' },
  },
  chart: ['#38a9c4', '#e8934a', '#86bf4d', '#e579b4', '#6aa5f5', '#cdb24a', '#c79b86', '#9aa5ae'],
  code: {
    key: '#7ab7f5',
    string: '#8fd19e',
    number: '#c4a7ff',
    literal: '#f0b072',
    comment: '#a3adb6',
    punctuation: '#a3adb6',
    expression: '#f28ab8',
    gutter: '#8c97a0',
    selection: '#23466d',
    activeLine: '#ffffff0a',
    match: '#6b5410',
    added: '#16301d',
    addedStrong: '#1b4226',
    removed: '#3a1b1d',
    removedStrong: '#5c252a',
  },
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const stripes = (angle: number, mark: string, ground: string, wide: number, gap: number) =>
  `repeating-linear-gradient(${angle}deg, ${mark} 0 ${wide}px, ${ground} ${wide}px ${wide + gap}px)`

/** What a bar of the status is painted with. Cancelled is always hatched; in high contrast every status has its own pattern. */
function fillOf(tone: StatusTone, { mark, tint }: StatusColors, { surface, patterned }: Tokens): string {
  if (tone === 'striped') return stripes(-45, mark, patterned ? surface : tint, 3, 3)
  if (!patterned) return mark
  switch (tone) {
    case 'success':
      return mark
    case 'failed':
      return `${stripes(45, surface, 'transparent', 1, 4)}, ${stripes(-45, surface, mark, 1, 4)}`
    case 'warning':
      return stripes(0, mark, surface, 3, 2)
    case 'running':
      return stripes(90, mark, surface, 6, 2)
    case 'paused':
      return stripes(90, mark, surface, 2, 2)
    case 'queued':
      return stripes(90, mark, surface, 1, 3)
  }
}

/** The tokens as CSS variables: `--hg-surface-raised`, `--hg-status-failed-mark`, `--code-key`, … */
export function tokenVariables(tokens: Tokens): Record<string, string> {
  const { status, code, chart, patterned: _, ...plain } = tokens
  const variables: Record<string, string> = {}
  for (const [name, value] of Object.entries(plain)) variables[`--hg-${kebab(name)}`] = value
  for (const tone of statusTones) {
    for (const [part, value] of Object.entries(status[tone])) {
      variables[`--hg-status-${tone}-${part}`] = String(value)
    }
    variables[`--hg-status-${tone}-fill`] = fillOf(tone, status[tone], tokens)
  }
  for (const [index, value] of chart.entries()) variables[`--hg-chart-${index + 1}`] = value
  for (const [name, value] of Object.entries(code)) variables[`--code-${kebab(name)}`] = String(value)
  return variables
}
