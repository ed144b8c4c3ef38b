import { runMessage } from '../../../contract/run-messages.ts'
import {
  JsonFault,
  closeBrace,
  closeBracket,
  openBrace,
  openBracket,
  skipBlanks,
  stringEnd,
  unfinished,
  valueEnd,
} from './scan.ts'

/** Where values stand in a JSON document that is in memory as a whole. */
export interface Place {
  at: number
  end: number
}

/** The document itself, looked through from end to end. Throws `JsonFault` where it is none. */
export function documentPlace(bytes: Buffer): Place {
  const at = skipBlanks(bytes, 0, bytes.length)
  const end = valueEnd(bytes, at, bytes.length)
  if (end === unfinished) throw new JsonFault(runMessage('json_cut_off'), bytes.length)
  const rest = skipBlanks(bytes, end, bytes.length)
  if (rest < bytes.length) throw new JsonFault(runMessage('json_broken'), rest)
  return { at, end }
}

/** What stands at a dotted path of a sound document; keys that hold points themselves are found, too. null: nothing. */
export function placeAt(bytes: Buffer, { at, end }: Place, path: readonly string[]): Place | null {
  if (path.length === 0) return { at, end }
  for (const { key, value } of membersOf(bytes, at, end)) {
    const taken = path.findIndex((_, index) => path.slice(0, index + 1).join('.') === key)
    const found = taken === -1 ? null : placeAt(bytes, value, path.slice(taken + 1))
    if (found) return found
  }
  return null
}

/** Members of an object, and items of a list under their numbers. */
function* membersOf(bytes: Buffer, start: number, end: number): Generator<{ key: string; value: Place }> {
  if (bytes[start] === openBracket) {
    let number = 0
    for (const value of itemsOf(bytes, start, end)) yield { key: String(number++), value }
    return
  }
  if (bytes[start] !== openBrace) return
  let at = skipBlanks(bytes, start + 1, end)
  while (bytes[at] !== closeBrace) {
    const from = at
    at = stringEnd(bytes, at, end)
    const key = JSON.parse(bytes.toString('utf8', from, at)) as string
    // Over the colon.
    const value = skipBlanks(bytes, skipBlanks(bytes, at, end) + 1, end)
    at = valueEnd(bytes, value, end)
    yield { key, value: { at: value, end: at } }
    at = behindComma(bytes, at, end)
  }
}

/** The items of a list of a sound document. */
export function* itemsOf(bytes: Buffer, start: number, end: number): Generator<Place> {
  let at = skipBlanks(bytes, start + 1, end)
  while (bytes[at] !== closeBracket) {
    const item = { at, end: valueEnd(bytes, at, end) }
    yield item
    at = behindComma(bytes, item.end, end)
  }
}

function behindComma(bytes: Buffer, from: number, end: number): number {
  const at = skipBlanks(bytes, from, end)
  return bytes[at] === 0x2c ? skipBlanks(bytes, at + 1, end) : at
}
