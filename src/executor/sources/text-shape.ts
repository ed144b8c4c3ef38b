/** What texts of JSON may be: a day, a moment (with an offset other than UTC: `ZONED`), a time of day, a UUID; all of them as ISO 8601 and RFC 9562 write them. */
export type TextShape = 'DATE' | 'TIMESTAMP' | 'ZONED' | 'TIME' | 'UUID'

const [zero, nine, dash, sign] = [0x30, 0x39, 0x2d, 0x2b] as const

/** null: anything else. DuckDB keeps microseconds: a finer moment stays text. */
export function shapeOfText(bytes: Uint8Array, from: number, to: number): TextShape | null {
  const length = to - from
  if (length < 5 || length > 36) return null
  if (bytes[from + 4] === dash && bytes[from + 7] === dash) {
    if (!isDay(bytes, from, length)) return null
    if (length === 10) return 'DATE'
    const parted = bytes[from + 10]
    if (parted !== 0x54 && parted !== 0x20) return null
    const end = timeEnd(bytes, from + 11, to, true)
    if (end === -1) return null
    if (end === to || (end === to - 1 && bytes[end] === 0x5a)) return 'TIMESTAMP'
    return parted === 0x54 && isOffset(bytes, end, to) ? 'ZONED' : null
  }
  if (length === 36) return isUuid(bytes, from) ? 'UUID' : null
  return bytes[from + 2] === 0x3a && timeEnd(bytes, from, to, false) === to ? 'TIME' : null
}

/** Both together; null: text. */
export function commonShape(one: TextShape, other: TextShape): TextShape | null {
  if (one === other) return one
  const moments = [one, other].every((shape) => shape === 'TIMESTAMP' || shape === 'ZONED')
  return moments ? 'ZONED' : null
}

function two(bytes: Uint8Array, at: number): number {
  const [tens = 0, ones = 0] = [bytes[at], bytes[at + 1]]
  return tens < zero || tens > nine || ones < zero || ones > nine ? NaN : (tens - zero) * 10 + ones - zero
}

const days = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

function isDay(bytes: Uint8Array, from: number, length: number): boolean {
  if (length < 10) return false
  const year = two(bytes, from) * 100 + two(bytes, from + 2)
  const month = two(bytes, from + 5)
  const day = two(bytes, from + 8)
  if (!(year >= 1) || !(day >= 1) || !(day <= (days[month - 1] ?? 0))) return false
  return month !== 2 || day < 29 || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0))
}

/** Behind `hh:mm:ss.ffffff`; -1: that is not there. */
function timeEnd(bytes: Uint8Array, from: number, to: number, seconds: boolean): number {
  if (to - from < 5 || !(two(bytes, from) < 24) || bytes[from + 2] !== 0x3a || !(two(bytes, from + 3) < 60)) return -1
  if (bytes[from + 5] !== 0x3a || from + 8 > to) return seconds ? -1 : from + 5
  if (!(two(bytes, from + 6) < 60)) return -1
  if (bytes[from + 8] !== 0x2e || from + 8 >= to) return from + 8
  let at = from + 9
  while (at < to && (bytes[at] ?? 0) >= zero && (bytes[at] ?? 0) <= nine) at++
  return at === from + 9 || at > from + 15 ? -1 : at
}

function isOffset(bytes: Uint8Array, at: number, to: number): boolean {
  if (bytes[at] !== sign && bytes[at] !== dash) return false
  if (!(two(bytes, at + 1) < 16) || to < at + 3) return false
  if (to === at + 3) return true
  const minutes = bytes[at + 3] === 0x3a ? at + 4 : at + 3
  return to === minutes + 2 && two(bytes, minutes) < 60
}

function isUuid(bytes: Uint8Array, from: number): boolean {
  for (let at = 0; at < 36; at++) {
    const byte = bytes[from + at] ?? 0
    const wanted = at === 8 || at === 13 || at === 18 || at === 23
    const lower = byte | 0x20
    if (wanted ? byte !== dash : !((byte >= zero && byte <= nine) || (lower >= 0x61 && lower <= 0x66))) return false
  }
  return true
}
