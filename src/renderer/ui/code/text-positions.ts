import type { Text } from '@codemirror/state'

/** A place as diagnostics give it: 1-based, the end exclusive. */
export interface TextRange {
  line: number
  column: number
  end_line: number
  end_column: number
}

/** Offset of a 1-based place, held inside the document: it may have been typed on since the place was found. */
export function offsetAt(doc: Text, line: number, column: number): number {
  const at = doc.line(Math.min(Math.max(1, line), doc.lines))
  return Math.min(at.from + Math.max(0, column - 1), at.to)
}

/** Offsets of a range, at least one character wide where the line has one to show it on. */
export function offsetsOf(doc: Text, range: TextRange): { from: number; to: number } {
  const from = offsetAt(doc, range.line, range.column)
  const to = Math.max(from, offsetAt(doc, range.end_line, range.end_column))
  if (to > from) return { from, to }
  const line = doc.lineAt(from)
  if (from < line.to) return { from, to: from + 1 }
  return from > line.from ? { from: from - 1, to: from } : { from, to }
}

/** The one stretch in which two texts differ. */
export function changeBetween(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length)
  let from = 0
  while (from < most && before[from] === after[from]) from += 1
  let end = 0
  while (end < most - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) }
}
