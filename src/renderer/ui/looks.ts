/**
 * Contrast and motion, beside Mantine's colour scheme: chosen in Appearance, else followed from the system. They stand as
 * `data-contrast` and `data-motion` at the root, which public/color-scheme.js writes before the first paint.
 */
import { useSyncExternalStore } from 'react'
import { browserStore } from './document/draft.ts'
import {
  type ContrastChoice,
  type Looks,
  type MotionChoice,
  choiceFrom,
  contrastChoices,
  looksOf,
  motionChoices,
} from './looks.rules.ts'

/** Also read by public/color-scheme.js. */
const contrastKey = 'headgate.contrast'
const motionKey = 'headgate.motion'

export interface LookChoices {
  contrast: ContrastChoice
  motion: MotionChoice
}

const wishes = {
  moreContrast: matchMedia('(prefers-contrast: more)'),
  forcedColors: matchMedia('(forced-colors: active)'),
  lessMotion: matchMedia('(prefers-reduced-motion: reduce)'),
}
const listeners = new Set<() => void>()

const readChoices = (): LookChoices => ({
  contrast: choiceFrom(contrastChoices, browserStore()?.getItem(contrastKey) ?? null, 'auto'),
  motion: choiceFrom(motionChoices, browserStore()?.getItem(motionKey) ?? null, 'auto'),
})
const readLooks = () =>
  looksOf(choices.contrast, choices.motion, {
    moreContrast: wishes.moreContrast.matches,
    forcedColors: wishes.forcedColors.matches,
    lessMotion: wishes.lessMotion.matches,
  })

let choices = readChoices()
let looks = readLooks()

function renew(): void {
  choices = readChoices()
  const next = readLooks()
  if (next.contrast !== looks.contrast || next.motion !== looks.motion) looks = next
  const { dataset, style } = document.documentElement
  dataset.contrast = looks.contrast
  dataset.motion = looks.motion
  // The first paint's own ground; from here on the theme paints it.
  style.removeProperty('background-color')
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    for (const media of Object.values(wishes)) media.addEventListener('change', renew)
    // Other windows and tabs of this browser.
    globalThis.addEventListener('storage', renew)
    renew()
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    for (const media of Object.values(wishes)) media.removeEventListener('change', renew)
    globalThis.removeEventListener('storage', renew)
  }
}

function choose(key: string, choice: string): void {
  if (choice === 'auto') browserStore()?.removeItem(key)
  else browserStore()?.setItem(key, choice)
  renew()
}

export const chooseContrast = (choice: ContrastChoice) => choose(contrastKey, choice)
export const chooseMotion = (choice: MotionChoice) => choose(motionKey, choice)

/** What holds now. */
export const useLooks = (): Looks => useSyncExternalStore(subscribe, () => looks)
/** What was chosen, for the page where it is. */
export const useLookChoices = (): LookChoices => useSyncExternalStore(subscribe, () => choices)
/** For what moves by script: nothing glides where motion is not wanted. */
export const wantsMotion = () => looks.motion === 'full'
