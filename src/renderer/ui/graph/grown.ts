import type { CSSProperties } from 'react'

/** Below this the words are too small to read: nodes become blocks of colour. */
export const wordsFrom = 0.34

/** From afar edges and the frame of what is chosen are drawn wider; by steps, not anew with each turn of the wheel. */
export const grownBy = (zoom: number) => (zoom < wordsFrom ? 2 ** -Math.floor(Math.log2(zoom)) : 1)

/** For the edges and for what is chosen alone: on the whole graph it would be handed down to each of its nodes. */
export const grownStyle = (grown: number) =>
  // The types know no properties of our own.
  ({ '--grown': grown }) as CSSProperties
