import type { CSSProperties } from 'react'

/** Below this the words are too small to read: nodes become blocks of colour. */
export const wordsFrom = 0.34

/** So many steps until something is half as large: each is too small to be seen. */
const steps = 4

/**
 * What has to be seen from afar (edges, the frame of what is chosen and of where the keys are) is drawn wider there, by steps: on the
 * screen it is as wide as close by or a little less, whatever the zoom.
 */
export const grownBy = (zoom: number) => (zoom < 1 ? 2 ** (Math.floor(-steps * Math.log2(zoom)) / steps) : 1)

/** For what has to be seen alone: on the whole graph it would be handed down to each of its nodes. */
export const grownStyle = (grown: number) =>
  // The types know no properties of our own.
  ({ '--grown': grown }) as CSSProperties
