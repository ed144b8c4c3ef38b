/*
 * JSON as bytes, without making values of it: where values end, and what they are. It is as strict as RFC 8259, so that what passes is
 * JSON for every reader, and its own stack is a list: no depth ends the process.
 */

import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

/** Deeper documents are refused: readers behind us (drivers, databases, DuckDB) work with the stack of the process. */
export const deepestJson = 512

/** A fault of a record as a whole. */
export const nowhere = -1

export class JsonFault extends Error {
  /** Offset of the byte in what was scanned, or `nowhere`. */
  readonly at: number
  /** It is JSON, but too deep. */
  readonly deep: boolean
  readonly reason: Message
  constructor(reason: Message, at: number, deep = false) {
    super(reason.message)
    this.reason = reason
    this.at = at
    this.deep = deep
  }
}

export const [quote, comma, colon, openBrace, closeBrace, openBracket, closeBracket, minus, lineFeed] = [
  0x22, 0x2c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d, 0x2d, 0x0a,
] as const
const [backslash, zero, nine, point] = [0x5c, 0x30, 0x39, 0x2e] as const

/** Behind blanks. */
export function skipBlanks(bytes: Uint8Array, at: number, end: number): number {
  while (at < end) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== lineFeed && byte !== 0x0d && byte !== 0x09) break
    at++
  }
  return at
}

/** What follows is cut off: not wrong, but not all there. */
export const unfinished = -1

const open = new Uint8Array(deepestJson + 1)

/**
 * The end of the value that begins at `at`, or `unfinished`. Throws `JsonFault` where it is no JSON or too deep. A number at the very
 * end counts as finished.
 */
export function valueEnd(bytes: Uint8Array, at: number, end: number): number {
  let depth = 0
  for (;;) {
    // A value.
    const byte = bytes[at]
    if (at >= end) return unfinished
    if (byte === openBrace || byte === openBracket) {
      if (++depth > deepestJson) throw new JsonFault(runMessage('json_too_deep', { most: deepestJson }), at, true)
      open[depth] = byte
      at = skipBlanks(bytes, at + 1, end)
      if (at >= end) return unfinished
      if (bytes[at] !== byte + 2) {
        if (byte === openBracket) continue
        at = keyEnd(bytes, at, end)
        if (at === unfinished) return at
        continue
      }
      depth--
      at++
    } else {
      at = scalarEnd(bytes, at, end)
      if (at === unfinished) return at
    }
    // Behind a value.
    for (;;) {
      if (depth === 0) return at
      at = skipBlanks(bytes, at, end)
      if (at >= end) return unfinished
      const next = bytes[at]
      const opened = open[depth] ?? 0
      if (next === comma) {
        at = skipBlanks(bytes, at + 1, end)
        if (opened === openBracket) break
        at = keyEnd(bytes, at, end)
        if (at === unfinished) return at
        break
      }
      if (next !== opened + 2) throw broken(bytes, at)
      depth--
      at++
    }
  }
}

/** From a key to its value. */
function keyEnd(bytes: Uint8Array, at: number, end: number): number {
  if (at >= end) return unfinished
  if (bytes[at] !== quote) throw broken(bytes, at)
  at = stringEnd(bytes, at, end)
  if (at === unfinished) return at
  at = skipBlanks(bytes, at, end)
  if (at >= end) return unfinished
  if (bytes[at] !== colon) throw broken(bytes, at)
  return skipBlanks(bytes, at + 1, end)
}

/** Behind the closing quote. */
export function stringEnd(bytes: Uint8Array, at: number, end: number): number {
  for (at++; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte === quote) return at + 1
    if (byte === backslash) {
      const escaped = bytes[++at]
      if (at >= end) return unfinished
      if (escaped === 0x75) {
        for (const last = at + 4; at < last;) {
          if (++at >= end) return unfinished
          if (!isHex(bytes[at] ?? 0)) throw new JsonFault(runMessage('json_escape'), at)
        }
        const half = surrogateAt(bytes, at - 3)
        if (half === 'low') throw new JsonFault(runMessage('json_half_character'), at - 5)
        if (half === 'high') {
          // The other half, of which less may be there yet.
          if (end - at <= 6 && !bytes.subarray(at + 1, end).includes(quote)) return unfinished
          if (bytes[at + 1] !== backslash || bytes[at + 2] !== 0x75 || surrogateAt(bytes, at + 3) !== 'low')
            throw new JsonFault(runMessage('json_half_character'), at - 5)
          at += 6
        }
      } else if (escaped === undefined || !'"\\/bfnrt'.includes(String.fromCharCode(escaped)))
        throw new JsonFault(runMessage('json_escape'), at)
    } else if (byte < 0x20) throw new JsonFault(runMessage('json_control'), at)
  }
  return unfinished
}

/** Which half of a character of two units four hexadecimal digits are. */
function surrogateAt(bytes: Uint8Array, at: number): 'high' | 'low' | null {
  if (((bytes[at] ?? 0) | 0x20) !== 0x64) return null
  const second = Number.parseInt(String.fromCharCode(bytes[at + 1] ?? 0), 16)
  return second >= 12 ? 'low' : second >= 8 ? 'high' : null
}

function isHex(byte: number): boolean {
  return (byte >= zero && byte <= nine) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)
}

function scalarEnd(bytes: Uint8Array, at: number, end: number): number {
  const byte = bytes[at] ?? 0
  if (byte === quote) return stringEnd(bytes, at, end)
  if (byte === minus || (byte >= zero && byte <= nine)) return numberEnd(bytes, at, end)
  if (byte === 0x74) return wordEnd(bytes, at, end, 'true')
  if (byte === 0x66) return wordEnd(bytes, at, end, 'false')
  if (byte === 0x6e) return wordEnd(bytes, at, end, 'null')
  throw broken(bytes, at)
}

function wordEnd(bytes: Uint8Array, at: number, end: number, word: string): number {
  for (let index = 0; index < word.length; index++) {
    if (at + index >= end) return unfinished
    if (bytes[at + index] !== word.charCodeAt(index)) throw broken(bytes, at)
  }
  return at + word.length
}

function digitsEnd(bytes: Uint8Array, at: number, end: number): number {
  let byte = bytes[at] ?? 0
  while (at < end && byte >= zero && byte <= nine) byte = bytes[++at] ?? 0
  return at
}

function numberEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = bytes[start] === minus ? start + 1 : start
  const first = at
  at = digitsEnd(bytes, at, end)
  if (at >= end) return at === first ? unfinished : at
  if (at === first || (bytes[first] === zero && at > first + 1)) throw broken(bytes, first)
  if (bytes[at] === point) {
    const from = ++at
    at = digitsEnd(bytes, at, end)
    if (at === from) {
      if (at >= end) return unfinished
      throw broken(bytes, at)
    }
  }
  if (at < end && ((bytes[at] ?? 0) | 0x20) === 0x65) {
    at++
    if (at < end && (bytes[at] === minus || bytes[at] === 0x2b)) at++
    const from = at
    at = digitsEnd(bytes, at, end)
    if (at === from) {
      if (at >= end) return unfinished
      throw broken(bytes, at)
    }
  }
  return at
}

export function broken(bytes: Uint8Array, at: number): JsonFault {
  const shown =
    Buffer.from(bytes.subarray(at, at + 12))
      .toString()
      .split(/[\s,\]}]/, 1)[0] ?? ''
  if (/^-?(NaN|Inf)/i.test(shown)) return new JsonFault(runMessage('json_no_number', { text: shown.slice(0, 9) }), at)
  return new JsonFault(runMessage('json_broken'), at)
}
