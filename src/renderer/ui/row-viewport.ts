/** Rows of one height, so that any of a million is found by arithmetic. Browsers draw elements only up to some 16 to 33 million pixels: longer ones scroll in proportion. */
const maxHeight = 15_000_000

export interface Viewport {
  /** Height of the scrolled content, in pixels. */
  contentHeight: number
  /** Index of the first row to draw. */
  first: number
  /** Rows to draw. */
  count: number
  /** Where the first drawn row stands, in pixels from the top of the content. */
  offset: number
}

const overscan = 12

interface Scales {
  contentHeight: number
  /** Pixels of rows per pixel of scrolling: 1 until they are higher than a browser can draw. */
  ratio: number
}

function scales(rows: number, height: number, rowHeight: number): Scales {
  const real = rows * rowHeight
  const contentHeight = Math.min(real, maxHeight)
  if (real <= maxHeight || contentHeight <= height) return { contentHeight, ratio: 1 }
  return { contentHeight, ratio: (real - height) / (contentHeight - height) }
}

/** What is to be drawn of `rows` rows, each `rowHeight` pixels high, when a window of `height` pixels stands at `scrollTop`. */
export function viewportOf(scrollTop: number, height: number, rows: number, rowHeight: number): Viewport {
  const { contentHeight, ratio } = scales(rows, height, rowHeight)
  const top = Math.max(0, Math.min(scrollTop, contentHeight - height))
  const realTop = top * ratio
  const visible = Math.floor(realTop / rowHeight)
  const first = Math.max(0, visible - overscan)
  const last = Math.min(rows, visible + Math.ceil(height / rowHeight) + 1 + overscan)
  const offset = top - (realTop - first * rowHeight)
  return { contentHeight, first, count: Math.max(0, last - first), offset }
}

/** The `scrollTop` that brings a row to the given share of the window's height (0 top, 0.5 middle). */
export function scrollTopOf(row: number, height: number, rows: number, share: number, rowHeight: number): number {
  const { contentHeight, ratio } = scales(rows, height, rowHeight)
  const realTop = row * rowHeight - (height - rowHeight) * share
  return Math.max(0, Math.min(realTop / ratio, contentHeight - height))
}

/** Whether the window stands at the end, give or take a row: then new lines are followed. */
export function atEnd(scrollTop: number, height: number, contentHeight: number, rowHeight: number): boolean {
  return scrollTop + height >= contentHeight - rowHeight * 1.5
}
