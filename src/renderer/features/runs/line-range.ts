/** Chosen lines of a log as the address carries them: `?line=120` or `?line=120-140`. */
export interface LineRange {
  from: number
  to: number
}

export function parseLineRange(text: string | null): LineRange | null {
  const parts = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(text ?? '')
  if (!parts) return null
  const first = Number(parts[1])
  const second = Number(parts[2] ?? parts[1])
  if (first < 1 || second < 1) return null
  return { from: Math.min(first, second), to: Math.max(first, second) }
}

export const formatLineRange = (range: LineRange) =>
  range.from === range.to ? String(range.from) : `${range.from}-${range.to}`

/** The range from the line chosen first to the one chosen now. */
export const extendRange = (anchor: number, line: number): LineRange => ({
  from: Math.min(anchor, line),
  to: Math.max(anchor, line),
})
