import type { Placement } from './dashboard.types.ts'
import { GRID_COLUMNS } from './limits.ts'

export const overlaps = ([ax, ay, aw, ah]: Placement, [bx, by, bw, bh]: Placement): boolean =>
  ax < bx + bw && bx < ax + aw && ay < by + bh && by < ay + ah

/** The first place of that size, by rows and columns from `from` down, that none of `taken` touches. */
export function freePlace([, y, w, h]: Placement, taken: readonly Placement[]): Placement {
  const bottom = Math.max(y, ...taken.map(([, top, , height]) => top + height))
  for (let row = y; row < bottom; row++)
    for (let x = 0; x + w <= GRID_COLUMNS; x++) {
      const place: Placement = [x, row, w, h]
      if (!taken.some((one) => overlaps(place, one))) return place
    }
  return [0, bottom, w, h]
}
