/** How much contrast and motion the window has: what somebody chose, or what his system asks for. Pure. */
export const contrastChoices = ['auto', 'standard', 'high'] as const
export type ContrastChoice = (typeof contrastChoices)[number]
export type Contrast = 'standard' | 'high'

export const motionChoices = ['auto', 'full', 'reduced'] as const
export type MotionChoice = (typeof motionChoices)[number]
export type Motion = 'full' | 'reduced'

export interface SystemWishes {
  /** `prefers-contrast: more`. */
  moreContrast: boolean
  /** `forced-colors: active`: the system paints with its own few colours, and only what high contrast draws is left to see. */
  forcedColors: boolean
  /** `prefers-reduced-motion: reduce`. */
  lessMotion: boolean
}

export interface Looks {
  contrast: Contrast
  motion: Motion
}

/** A choice as it was stored; anything else is taken for none. */
export const choiceFrom = <Choice extends string>(choices: readonly Choice[], stored: string | null, none: Choice) =>
  choices.find((choice) => choice === stored) ?? none

export function looksOf(contrast: ContrastChoice, motion: MotionChoice, system: SystemWishes): Looks {
  const wishes = contrast === 'auto' ? system.moreContrast : contrast === 'high'
  const still = motion === 'auto' ? system.lessMotion : motion === 'reduced'
  return {
    contrast: wishes || system.forcedColors ? 'high' : 'standard',
    motion: still ? 'reduced' : 'full',
  }
}
