import { shortened } from '../../../language/shortened.ts'
import Anser from 'anser'

/** A piece of a log line, drawn in one style. */
export interface TextPiece {
  /** Place in the line. */
  at: number
  text: string
  /** CSS class of an ANSI colour: `ansi-red`, `ansi-bright-blue`. */
  fg?: string
  bg?: string
  /** 24-bit colour: `rgb(…)`. */
  color?: string
  background?: string
  bold?: boolean
  dim?: boolean
  italic?: boolean
  underline?: boolean
  /** Part of what is searched for. */
  match?: boolean
}

const escape = '\u001b'

/** A row has one line; what a message has more is shown below the log when it is chosen. */
const oneLine = (text: string) => text.replace(/\r?\n|\r/g, ' ⏎ ')

/** Characters of a message that its row shows. */
export const longest = 4000

/** Whether all of a log's rows are drawn: then long messages wrap. In a longer log, rows are found by their height. */
export const isWrapped = (rows: number): boolean => rows <= 100

function ansiPieces(text: string): TextPiece[] {
  let at = 0
  return Anser.ansiToJson(text, { json: true, remove_empty: true, use_classes: true }).map((entry) => {
    const piece: TextPiece = {
      at,
      text: entry.content,
      ...(entry.fg_truecolor ? { color: `rgb(${entry.fg_truecolor})` } : entry.fg ? { fg: entry.fg } : {}),
      ...(entry.bg_truecolor ? { background: `rgb(${entry.bg_truecolor})` } : entry.bg ? { bg: entry.bg } : {}),
      ...(entry.decorations.includes('bold') ? { bold: true } : {}),
      ...(entry.decorations.includes('dim') ? { dim: true } : {}),
      ...(entry.decorations.includes('italic') ? { italic: true } : {}),
      ...(entry.decorations.includes('underline') ? { underline: true } : {}),
    }
    at += entry.content.length
    return piece
  })
}

/** Splits pieces where the searched text begins and ends; it may reach over several of them. */
function markMatches(pieces: readonly TextPiece[], search: string): TextPiece[] {
  const whole = pieces.map((piece) => piece.text).join('')
  const marks = matchesIn(whole, search)
  if (marks.length === 0) return [...pieces]
  const split: TextPiece[] = []
  let position = 0
  for (const piece of pieces) {
    const end = position + piece.text.length
    let from = position
    for (const mark of marks) {
      const start = Math.max(mark.from, from)
      const stop = Math.min(mark.to, end)
      if (start >= stop) continue
      if (start > from) split.push({ ...piece, at: from, text: whole.slice(from, start) })
      split.push({ ...piece, at: start, text: whole.slice(start, stop), match: true })
      from = stop
    }
    if (from < end) split.push({ ...piece, at: from, text: whole.slice(from, end) })
    position = end
  }
  return split
}

/** Places of the searched text, whatever its case. */
export function matchesIn(text: string, search: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = []
  const lower = text.toLowerCase()
  const wanted = search.toLowerCase()
  // Lower-casing may change the length of a text (İ); then the places would not fit and nothing is marked.
  if (wanted === '' || lower.length !== text.length) return found
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + wanted.length)) {
    found.push({ from: at, to: at + wanted.length })
  }
  return found
}

/** The pieces of a message: ANSI colours taken apart, matches marked, very long ones cut. */
export function piecesOf(message: string, search = ''): TextPiece[] {
  const cut = shortened(message, longest)
  const text = oneLine(cut)
  const pieces = text.includes(escape) ? ansiPieces(text) : [{ at: 0, text }]
  return search ? markMatches(pieces, search) : pieces
}

/** A message without its ANSI codes, as it is copied. */
export const plainText = (message: string) => (message.includes(escape) ? Anser.ansiToText(message) : message)
