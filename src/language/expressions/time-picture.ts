import { ExpressionError } from './machine.ts'
import { msg } from '../messages.ts'

/** A picture that was read: texts, and parts of a time. */
export type Picture = readonly (string | ((date: Date) => string))[]

/** The parts of fixed width of XPath's pictures, always in UTC. */
export const pictureParts: Readonly<Record<string, (date: Date) => string>> = {
  Y0001: (date) => String(date.getUTCFullYear()).padStart(4, '0'),
  M01: (date) => String(date.getUTCMonth() + 1).padStart(2, '0'),
  D01: (date) => String(date.getUTCDate()).padStart(2, '0'),
  H01: (date) => String(date.getUTCHours()).padStart(2, '0'),
  m01: (date) => String(date.getUTCMinutes()).padStart(2, '0'),
  s01: (date) => String(date.getUTCSeconds()).padStart(2, '0'),
  f001: (date) => String(date.getUTCMilliseconds()).padStart(3, '0'),
}

/** `[[` and `]]` are the brackets themselves. Throws ExpressionError for a part that is not known. */
export function readPicture(picture: string): Picture {
  const parts: Picture[number][] = []
  let at = 0
  for (const match of picture.matchAll(/\[\[|\[([^\]]*)\]|\[/g)) {
    parts.push(literal(picture.slice(at, match.index)))
    at = match.index + match[0].length
    parts.push(match[0] === '[[' ? '[' : partOf(match[0], match[1]))
  }
  parts.push(literal(picture.slice(at)))
  return parts
}

export function formatPicture(picture: Picture, date: Date): string {
  return picture.map((part) => (typeof part === 'string' ? part : part(date))).join('')
}

const literal = (text: string): string => text.replaceAll(']]', ']')

function partOf(written: string, inner: string | undefined): Picture[number] {
  if (inner === undefined) throw new ExpressionError(msg('picture_bracket_open'))
  // Blanks inside of the brackets mean nothing.
  const name = inner.replaceAll(/\s+/g, '')
  const part = Object.hasOwn(pictureParts, name) ? pictureParts[name] : undefined
  if (part) return part
  const known = Object.keys(pictureParts).map((key) => `[${key}]`)
  throw new ExpressionError(msg('picture_part_unknown', { part: written, parts: known }))
}
