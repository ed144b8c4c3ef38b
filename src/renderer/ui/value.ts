import { shortened } from '../../language/shortened.ts'
/** How a value of data is to be shown. Pure. */
export type ShownValue =
  | { kind: 'null' | 'missing' | 'empty' }
  | { kind: 'text'; text: string; before: number; after: number }
  | { kind: 'number' | 'boolean' | 'json'; text: string }

export function describeValue(value: unknown): ShownValue {
  if (value === undefined) return { kind: 'missing' }
  if (value === null) return { kind: 'null' }
  if (typeof value === 'string') return describeText(value)
  if (typeof value === 'number' || typeof value === 'bigint') return { kind: 'number', text: String(value) }
  if (typeof value === 'boolean') return { kind: 'boolean', text: String(value) }
  return { kind: 'json', text: JSON.stringify(value) }
}

function describeText(text: string): ShownValue {
  if (text === '') return { kind: 'empty' }
  const before = text.length - text.trimStart().length
  return { kind: 'text', text, before, after: text.trim() === '' ? 0 : text.length - text.trimEnd().length }
}

/** So many characters are drawn of a long value. */
export const mostShown = 501

/** A piece of a text as it is shown; `at`: behind so many characters; `mark`: it stands for what can't be seen. */
export interface TextPiece {
  at: number
  text: string
  mark: boolean
}

/** Blanks at the ends, and line ends and tabs anywhere, by signs that no font leaves blank. Of a long text, its beginning. */
export function piecesOf({ text: all, before, after }: { text: string; before: number; after: number }): TextPiece[] {
  const text = shortened(all, mostShown)
  const unseen = all.length - after
  const pieces: TextPiece[] = []
  let at = 0
  const add = (piece: string, mark: boolean) => {
    const last = pieces.at(-1)
    if (last?.mark === mark) last.text += piece
    else if (piece !== '') pieces.push({ at, text: piece, mark })
    at += piece.length
  }
  for (const { 0: piece, index } of text.matchAll(/[\r\n\t]|[^\r\n\t]+/g)) {
    const sign = signs.get(piece)
    if (sign !== undefined) add(sign, true)
    else {
      const within = (place: number) => Math.min(Math.max(place - index, 0), piece.length)
      const from = within(before)
      const to = Math.max(from, within(unseen))
      add('·'.repeat(from), true)
      add(piece.slice(from, to), false)
      add('·'.repeat(piece.length - to), true)
    }
  }
  return pieces
}

const signs: ReadonlyMap<string, string> = new Map([
  ['\n', '↵'],
  ['\r', '␍'],
  ['\t', '⇥'],
])

const numericTypes =
  /^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER|[0-9]+)?|FLOAT[0-9]*|DOUBLE( PRECISION)?|REAL|DECIMAL|NUMERIC|MONEY|SERIAL|BIGSERIAL|NUMBER)\b/i

/** Whether a column of this type (the source system's own name) holds numbers, which are aligned right. */
export const isNumericType = (type: string) => numericTypes.test(type.trim())

/** Titles are for looking, not for reading a megabyte. */
export const bigText = (text: string) => shortened(text, 2001)
