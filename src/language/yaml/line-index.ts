export interface Position {
  line: number
  column: number
}

/** Offset → 1-based line and column. Lines end at `\n`; a leading byte order mark takes no column. */
export type LineIndex = (offset: number) => Position

export function indexLines(text: string): LineIndex {
  const starts = [text.startsWith('\u{FEFF}') ? 1 : 0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: Math.max(0, offset - (starts[low] ?? 0)) + 1 }
  }
}
