/**
 * The one token map: every colour of the window, light and dark. Lists, badges, charts and the editor read these through
 * CSS variables (`--hg-…`); nothing else names a colour. Text pairs hold WCAG AA (4.5:1) on the surfaces they stand on.
 */
export interface Tokens {
  readonly surface: string
  readonly surfaceRaised: string
  readonly surfaceSunken: string
  readonly surfaceHover: string
  readonly surfaceSelected: string
  readonly line: string
  readonly lineStrong: string
  readonly text: string
  readonly textMuted: string
  readonly textFaint: string
  readonly accent: string
  readonly accentHover: string
  readonly accentText: string
  readonly onAccent: string
  readonly focus: string
  readonly status: Readonly<Record<StatusTone, StatusColors>>
}

/** What a colour means. `striped` is drawn with hatching so that cancelled differs from queued without colour vision. */
export type StatusTone = 'queued' | 'running' | 'success' | 'warning' | 'failed' | 'striped' | 'paused'

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
  text: '#1b2126',
  textMuted: '#545e67',
  textFaint: '#69737c',
  accent: '#0e6377',
  accentHover: '#0a5263',
  accentText: '#0b5e72',
  onAccent: '#ffffff',
  focus: '#1790ad',
  status: {
    queued: { mark: '#7d8790', text: '#4d5760', tint: '#eef0f2' },
    running: { mark: '#2a75d8', text: '#1b5cb4', tint: '#e6f0fd' },
    success: { mark: '#2f9e54', text: '#1d6e38', tint: '#e4f5e9' },
    warning: { mark: '#bd7c06', text: '#855300', tint: '#fdf1d8' },
    failed: { mark: '#d63b3b', text: '#b02020', tint: '#fdeaea' },
    striped: { mark: '#8b949c', text: '#515b64', tint: '#eef0f2' },
    paused: { mark: '#7f56d9', text: '#6138bd', tint: '#f0eafc' },
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
  text: '#e6eaed',
  textMuted: '#a3adb6',
  textFaint: '#8c97a0',
  accent: '#16788f',
  accentHover: '#1b8aa4',
  accentText: '#64c3d8',
  onAccent: '#ffffff',
  focus: '#38a9c4',
  status: {
    queued: { mark: '#8f99a2', text: '#b0b9c1', tint: '#272e34' },
    running: { mark: '#4d97f2', text: '#80b7fa', tint: '#172a44' },
    success: { mark: '#3fb568', text: '#6fd292', tint: '#15301f' },
    warning: { mark: '#e0a02c', text: '#efbe62', tint: '#362912' },
    failed: { mark: '#ee5f5f', text: '#ff9090', tint: '#3b1c1e' },
    striped: { mark: '#808a93', text: '#a7b1b9', tint: '#272e34' },
    paused: { mark: '#a486ec', text: '#c0a9f5', tint: '#2a2143' },
  },
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The tokens as CSS variables: `--hg-surface-raised`, `--hg-status-failed-mark`, … */
export function tokenVariables(tokens: Tokens): Record<string, string> {
  const { status, ...plain } = tokens
  const variables: Record<string, string> = {}
  for (const [name, value] of Object.entries(plain)) variables[`--hg-${kebab(name)}`] = value
  for (const [tone, colors] of Object.entries(status)) {
    for (const [part, value] of Object.entries(colors)) variables[`--hg-status-${tone}-${part}`] = String(value)
  }
  return variables
}
