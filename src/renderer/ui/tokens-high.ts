/**
 * The looks of high contrast, worked out of the ordinary ones: words at 7:1, lines and marks at 4.5:1 on every surface; every colour
 * keeps its hue as far as that allows. Statuses have patterns beside their colours.
 */
import { black, holdsOn, mix, toward, white } from './colors.ts'
import { type CodeColors, type StatusColors, type Tokens, darkTokens, lightTokens } from './tokens.ts'

type Surfaces = Pick<Tokens, 'surface' | 'surfaceRaised' | 'surfaceSunken' | 'surfaceHover' | 'surfaceSelected'>

const lightSurfaces: Surfaces = {
  surface: white,
  surfaceRaised: white,
  surfaceSunken: '#f4f6f7',
  surfaceHover: '#e6ecef',
  surfaceSelected: '#d5e9ef',
}

const darkSurfaces: Surfaces = {
  surface: black,
  surfaceRaised: '#0b0d0f',
  surfaceSunken: black,
  surfaceHover: '#1c2328',
  surfaceSelected: '#0c2f3a',
}

const words = 7
const marks = 4.5
/** What is more than just readable: muted words, strong lines. */
const strong = 12

const mapped = <T extends object>(values: T, change: (value: string, name: string) => string): T =>
  // The same names with other colours.
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(String(value), name)])) as T

/** What stands behind code; all else is written on it. */
const codeGrounds = new Set(['selection', 'activeLine', 'match', 'added', 'addedStrong', 'removed', 'removedStrong'])

/** `ink` is what words go towards, `paper` what grounds do. */
function highOf(tokens: Tokens, surfaces: Surfaces, ink: string, paper: string): Tokens {
  const grounds = Object.values<string>(surfaces)
  const reach = (color: string, least: number, on: readonly string[] = grounds) =>
    toward(color, ink, holdsOn(on, least))
  const ground = (color: string, share: number) => (color.length > 7 ? color : mix(color, paper, share))
  const code = mapped<CodeColors>(tokens.code, (color, name) => (codeGrounds.has(name) ? ground(color, 0.25) : color))
  const codeOn = [surfaces.surface, surfaces.surfaceHover, code.added, code.removed]
  const status = (colors: StatusColors): StatusColors => {
    const tint = ground(colors.tint, 0.25)
    return { mark: reach(colors.mark, marks), text: reach(colors.text, words, [...grounds, tint]), tint }
  }
  const accent = toward(tokens.accent, black, holdsOn([white], words + 1))
  return {
    ...surfaces,
    line: reach(tokens.line, marks),
    lineStrong: reach(tokens.lineStrong, strong),
    lineControl: reach(tokens.lineControl, strong),
    text: ink,
    textMuted: reach(tokens.textMuted, strong),
    textFaint: reach(tokens.textFaint, strong - 2),
    accent,
    accentHover: mix(accent, black, 0.2),
    accentText: reach(tokens.accentText, words + 1),
    onAccent: white,
    focus: reach(tokens.focus, words),
    focusWidth: '3px',
    patterned: true,
    status: {
      queued: status(tokens.status.queued),
      running: status(tokens.status.running),
      success: status(tokens.status.success),
      warning: status(tokens.status.warning),
      failed: status(tokens.status.failed),
      striped: status(tokens.status.striped),
      paused: status(tokens.status.paused),
    },
    chart: tokens.chart.map((color) => reach(color, marks)),
    code: mapped<CodeColors>(code, (color, name) => (codeGrounds.has(name) ? color : reach(color, words, codeOn))),
  }
}

export const highTokens = (): { light: Tokens; dark: Tokens } => ({
  light: highOf(lightTokens, lightSurfaces, black, white),
  dark: highOf(darkTokens, darkSurfaces, white, black),
})
