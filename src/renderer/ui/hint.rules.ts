/** Where the tooltip stands, and whether the pointer is on it. Pure. */
export type HintSide = 'bottom' | 'left' | 'right' | 'top'

interface Size {
  width: number
  height: number
}

export interface Box extends Size {
  left: number
  top: number
}

/** Between a control and its tooltip, and from the edge of the window. */
const gap = 4

const opposite = { bottom: 'top', top: 'bottom', left: 'right', right: 'left' } as const

function beside(anchor: Box, tip: Size, side: HintSide): { left: number; top: number } {
  const left = anchor.left + (anchor.width - tip.width) / 2
  const top = anchor.top + (anchor.height - tip.height) / 2
  if (side === 'top') return { left, top: anchor.top - gap - tip.height }
  if (side === 'bottom') return { left, top: anchor.top + anchor.height + gap }
  if (side === 'left') return { left: anchor.left - gap - tip.width, top }
  return { left: anchor.left + anchor.width + gap, top }
}

/** On the wished side, or on the opposite one where only that has room; never over the edge of the window. */
export function placeHint(anchor: Box, tip: Size, room: Size, wished: HintSide): { left: number; top: number } {
  const sides = [wished, opposite[wished]]
  const fitting = sides.find((side) => {
    const { left, top } = beside(anchor, tip, side)
    return side === 'top' || side === 'bottom'
      ? top >= 0 && top + tip.height <= room.height
      : left >= 0 && left + tip.width <= room.width
  })
  const { left, top } = beside(anchor, tip, fitting ?? wished)
  const within = (at: number, size: number, most: number) => Math.max(gap, Math.min(at, most - size - gap))
  return {
    left: Math.round(within(left, tip.width, room.width)),
    top: Math.round(within(top, tip.height, room.height)),
  }
}

/** On the tooltip or in the gap before it: the pointer may go there without losing it. */
export const reaches = ({ left, top, width, height }: Box, x: number, y: number): boolean =>
  x >= left - gap - 1 && x <= left + width + gap + 1 && y >= top - gap - 1 && y <= top + height + gap + 1
