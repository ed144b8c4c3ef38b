import { exactDigits } from '../../engine/cast-decimals.ts'

/**
 * PostgreSQL's binary form of a numeric: the number of its digits to the base of 10,000, the weight of the first one, a sign, how many
 * decimal places are shown, and the digits.
 */
const head = 8
const base = 10_000
const [negative, notANumber, infinite, negativeInfinite] = [0x4000, 0xc000, 0xd000, 0xf000]

/** Decimal places that the value shows. */
export function placesOf(buffer: Buffer, at: number): number {
  return buffer.readUInt16BE(at + 6)
}

/** Digits in front of the point, at least one; null: it is no finite number. */
export function wholeDigitsOf(buffer: Buffer, at: number): number | null {
  const sign = buffer.readUInt16BE(at + 4)
  if (sign !== 0 && sign !== negative) return null
  const weight = buffer.readInt16BE(at + 2)
  if (buffer.readUInt16BE(at) === 0 || weight < 0) return 1
  const first = buffer.readUInt16BE(at + head)
  return weight * 4 + (first < 10 ? 1 : first < 100 ? 2 : first < 1000 ? 3 : 4)
}

const powers = [1, 10, 100, 1000]
const word = 2 ** 32

/**
 * A finite value as a whole number of units of its `scale`-th decimal place, into `words`: the lower 32 bits first, `size` of them, as
 * two's complement. It must fit, and show no more than `scale` places.
 */
export function writeUnscaled(
  buffer: Buffer,
  at: number,
  scale: number,
  words: Int32Array,
  to: number,
  size: number,
): void {
  const count = buffer.readUInt16BE(at)
  const weight = buffer.readInt16BE(at + 2)
  const isNegative = buffer.readUInt16BE(at + 4) === negative
  if ((weight + 1) * 4 + scale > exactDigits) {
    writeLarge(buffer, at, scale, words, to, size)
    return
  }
  let value = 0
  const last = at + head + (count - 1) * 2
  for (let digit = at + head; digit < last; digit += 2) value = value * base + buffer.readUInt16BE(digit)
  // What the digits are multiplied by; of the last one, zeros behind the scale are cut off.
  const exponent = (weight + 1 - count) * 4 + scale
  if (count > 0 && exponent >= 0) value = (value * base + buffer.readUInt16BE(last)) * 10 ** exponent
  else if (count > 0) {
    const power = powerOf(-exponent)
    value = value * (base / power) + buffer.readUInt16BE(last) / power
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

function writeLarge(buffer: Buffer, at: number, scale: number, words: Int32Array, to: number, size: number): void {
  const count = buffer.readUInt16BE(at)
  const exponent = (buffer.readInt16BE(at + 2) + 1 - count) * 4 + scale
  limbs.fill(0)
  for (let digit = 0; digit < count; digit++) {
    const value = buffer.readUInt16BE(at + head + digit * 2)
    const power = digit === count - 1 ? powerOf(Math.max(0, -exponent)) : 1
    shift(base / power, value / power)
  }
  for (let left = exponent; left > 0; left -= 4) shift(powers[left] ?? base, 0)
  let carry = buffer.readUInt16BE(at + 4) === negative ? 1 : 0
  const flip = carry === 1
  for (let limb = 0; limb < size; limb++) {
    let value = limbs[limb] ?? 0
    if (flip) value = word - 1 - value + carry
    carry = value >= word ? 1 : 0
    words[to + limb] = carry ? 0 : value
  }
}

/** `limbs * factor + plus` */
function shift(factor: number, plus: number): void {
  let carry = plus
  for (let limb = 0; limb < 4; limb++) {
    const value = (limbs[limb] ?? 0) * factor + carry
    carry = Math.floor(value / word)
    limbs[limb] = value - carry * word
  }
}

/** The value as PostgreSQL writes it. */
export function numericText(buffer: Buffer, at: number): string {
  const count = buffer.readUInt16BE(at)
  const weight = buffer.readInt16BE(at + 2)
  const sign = buffer.readUInt16BE(at + 4)
  if (sign === notANumber) return 'NaN'
  if (sign === infinite) return 'Infinity'
  if (sign === negativeInfinite) return '-Infinity'
  const places = placesOf(buffer, at)
  const digit = (place: number): string =>
    String(place >= 0 && place < count ? buffer.readUInt16BE(at + head + place * 2) : 0).padStart(4, '0')
  let whole = ''
  for (let place = 0; place <= weight; place++) whole += digit(place)
  let fraction = ''
  for (let place = weight + 1; fraction.length < places; place++) fraction += digit(place)
  const minus = sign === negative ? '-' : ''
  return `${minus}${whole.replace(/^0+(?=.)/, '') || '0'}${places === 0 ? '' : `.${fraction.slice(0, places)}`}`
}
