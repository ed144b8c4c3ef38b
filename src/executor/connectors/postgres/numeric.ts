import { exactDigits } from '../../engine/cast-decimals.ts'

/**
 * PostgreSQL's binary form of a numeric: the number of its digits to the base of 10,000, the weight of the first one, a sign, how many
 * decimal places are shown, and the digits.
 */
const head = 8
const base = 10_000
const [negative, notANumber, infinite, negativeInfinite] = [0x4000, 0xc000, 0xd000, 0xf000]

/** Decimal places that the value shows. */
export function placesOf(view: DataView, at: number): number {
  return view.getUint16(at + 6)
}

export function isFinite(view: DataView, at: number): boolean {
  const sign = view.getUint16(at + 4)
  return sign === 0 || sign === negative
}

/** Digits in front of the point, at least one; null: it is no finite number. */
export function wholeDigitsOf(view: DataView, at: number): number | null {
  if (!isFinite(view, at)) return null
  const weight = view.getInt16(at + 2)
  if (view.getUint16(at) === 0 || weight < 0) return 1
  const first = view.getUint16(at + head)
  return weight * 4 + (first < 10 ? 1 : first < 100 ? 2 : first < 1000 ? 3 : 4)
}

const powers = [1, 10, 100, 1000]
/** All that numbers of floating point hold exactly, with every digit in front of them. */
const exactPowers = Float64Array.from({ length: exactDigits + 1 }, (_, zeros) => 10 ** zeros)
const word = 2 ** 32

/**
 * A finite value as a whole number of units of its `scale`-th decimal place, into `words`: the lower 32 bits first, `size` of them, as
 * two's complement. It must fit, and show no more than `scale` places.
 */
export function writeUnscaled(
  view: DataView,
  at: number,
  scale: number,
  words: Int32Array,
  to: number,
  size: number,
): void {
  const count = view.getUint16(at)
  const weight = view.getInt16(at + 2)
  const isNegative = view.getUint16(at + 4) === negative
  if ((weight + 1) * 4 + scale > exactDigits) {
    writeLarge(view, at, scale, words, to, size)
    return
  }
  let value = 0
  const last = at + head + (count - 1) * 2
  for (let digit = at + head; digit < last; digit += 2) value = value * base + view.getUint16(digit)
  // What the digits are multiplied by; of the last one, zeros behind the scale are cut off.
  const exponent = (weight + 1 - count) * 4 + scale
  if (count > 0 && exponent >= 0) value = (value * base + view.getUint16(last)) * (exactPowers[exponent] ?? NaN)
  else if (count > 0) {
    const power = powerOf(-exponent)
    value = value * (base / power) + view.getUint16(last) / power
  }
  if (isNegative) value = -value
  const high = Math.floor(value / word)
  words[to] = value - high * word
  if (size > 1) words[to + 1] = high
  if (size > 2) {
    words[to + 2] = isNegative && value !== 0 ? -1 : 0
    words[to + 3] = isNegative && value !== 0 ? -1 : 0
  }
}

function powerOf(zeros: number): number {
  const power = powers[zeros]
  if (power === undefined) throw new Error('A numeric has more places than its column')
  return power
}

const limbs = new Float64Array(4)
/** Digits whose number is exact in floating point. */
const leading = 3

function writeLarge(view: DataView, at: number, scale: number, words: Int32Array, to: number, size: number): void {
  const count = view.getUint16(at)
  const exponent = (view.getInt16(at + 2) + 1 - count) * 4 + scale
  const last = count - 1
  let value = 0
  let digit = 0
  for (; digit < last && digit < leading; digit++) value = value * base + view.getUint16(at + head + digit * 2)
  limbs[1] = Math.floor(value / word)
  limbs[0] = value % word
  limbs[2] = 0
  limbs[3] = 0
  for (; digit < last; digit++) shift(base, view.getUint16(at + head + digit * 2), size)
  if (count > 0) {
    const power = powerOf(Math.max(0, -exponent))
    shift(base / power, view.getUint16(at + head + last * 2) / power, size)
  }
  for (let left = exponent; left > 0; left -= 4) shift(powers[left] ?? base, 0, size)
  let carry = view.getUint16(at + 4) === negative ? 1 : 0
  const flip = carry === 1
  for (let limb = 0; limb < size; limb++) {
    let value = limbs[limb] ?? 0
    if (flip) value = word - 1 - value + carry
    carry = value >= word ? 1 : 0
    words[to + limb] = carry ? 0 : value
  }
}

/** `limbs * factor + plus`, which fits into `size` of them. */
function shift(factor: number, plus: number, size: number): void {
  let carry = plus
  for (let limb = 0; limb < size; limb++) {
    const value = (limbs[limb] ?? 0) * factor + carry
    carry = Math.floor(value / word)
    limbs[limb] = value - carry * word
  }
}

const [zero, point, minus] = [0x30, 0x2e, 0x2d]
const named = new Map([
  [notANumber, 'NaN'],
  [infinite, 'Infinity'],
  [negativeInfinite, '-Infinity'],
])

/** Bytes that `writeNumericText` may write to. */
export function roomForNumericText(view: DataView, at: number): number {
  const groups = Math.max(view.getInt16(at + 2) + 1, 1) + Math.ceil(placesOf(view, at) / 4)
  return groups * 4 + '-Infinity'.length
}

/** Writes the value as PostgreSQL does, in ASCII; its length. */
export function writeNumericText(view: DataView, at: number, bytes: Buffer, to: number): number {
  const count = view.getUint16(at)
  const weight = view.getInt16(at + 2)
  const sign = view.getUint16(at + 4)
  const places = placesOf(view, at)
  const name = named.get(sign)
  if (name !== undefined) return bytes.write(name, to)
  const group = (place: number): number => (place >= 0 && place < count ? view.getUint16(at + head + place * 2) : 0)
  let end = to
  if (sign === negative) bytes[end++] = minus
  let place = 0
  while (place < weight && group(place) === 0) place++
  // The first group has no zeros in front.
  const first = weight < 0 ? 0 : group(place)
  for (let power = first < 10 ? 1 : first < 100 ? 10 : first < 1000 ? 100 : 1000; power >= 1; power /= 10)
    bytes[end++] = zero + (Math.floor(first / power) % 10)
  for (place++; place <= weight; place++, end += 4) writeGroup(bytes, end, group(place))
  if (places === 0) return end - to
  bytes[end++] = point
  // What the last group has behind the places is written over by the next value.
  for (let done = 0, behind = weight + 1; done < places; done += 4, behind++)
    writeGroup(bytes, end + done, group(behind))
  return end + places - to
}

function writeGroup(bytes: Buffer, to: number, group: number): void {
  bytes[to] = zero + Math.floor(group / 1000)
  bytes[to + 1] = zero + (Math.floor(group / 100) % 10)
  bytes[to + 2] = zero + (Math.floor(group / 10) % 10)
  bytes[to + 3] = zero + (group % 10)
}

/** The value as PostgreSQL writes it. */
export function numericText(view: DataView, at: number): string {
  const bytes = Buffer.alloc(roomForNumericText(view, at))
  return bytes.toString('latin1', 0, writeNumericText(view, at, bytes, 0))
}
