/** Numbers with their units, as widgets, charts, and metrics show them. */
import { numberText, perLocale, ratioText } from './format.ts'
import { bytesText, durationText } from './time.ts'

export interface NumberLook {
  /** `ms`, `bytes`, and `ratio` are written as durations, sizes, and percents; any other stands behind the number. */
  unit: string | null
  /** Digits after the point; null: as many as there are. */
  decimals: number | null
}

/** Percents stand as the language writes them: `30%` or `30 %`. */
const percentOf = (number: string) =>
  perLocale('percent of', (of) => {
    const parts = new Intl.NumberFormat(of, { style: 'percent' }).formatToParts(0)
    return parts.map(({ type, value }) => (type === 'integer' ? '{}' : value)).join('')
  }).replace('{}', () => number)

/** null: the unit stands behind the number. */
function namedText(value: number, { unit, decimals }: NumberLook): string | null {
  if (unit === 'ms') return durationText(Math.round(value))
  if (unit === 'bytes') return bytesText(value)
  return unit === 'ratio' ? ratioText(value, decimals ?? 1) : null
}

/** A number that needn’t be exact. */
export function measureText(value: number, unit: string, number: (value: number) => string = numberText): string {
  if (unit === '%') return percentOf(number(value))
  return namedText(value, { unit, decimals: null }) ?? `${number(value)}${unit === '' ? '' : ` ${unit}`}`
}

/** The sign of the decimal point in the language of the window. */
const pointOf = () => numberText(1.5, 1).slice(1, 2)

/** The signs that a field writes into its number. */
export const numberSigns = () => ({ group: numberText(10_000).slice(2, 3), point: pointOf() })

/** An exact number, and the unit that stands behind it; null: the number says it, or there is none. */
export function quantityOf(text: string, look: NumberLook): { number: string; unit: string | null } {
  const named = Number.isFinite(Number(text)) && text.trim() !== '' ? namedText(Number(text), look) : null
  if (named !== null) return { number: named, unit: null }
  const number = formatted(text, look.decimals, (integer) => numberText(integer), pointOf())
  return look.unit === '%' ? { number: percentOf(number), unit: null } : { number, unit: look.unit }
}

/** Digits are cut or filled without going through a number: `1234.5` with two is `1234.50`. */
export function formatted(
  text: string,
  decimals: number | null,
  locale: (integer: bigint) => string,
  point: string,
): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (!parts) return text
  const [, sign = '', whole = '0', fraction = ''] = parts
  if (decimals === null) return `${sign}${locale(BigInt(whole))}${fraction ? `${point}${fraction}` : ''}`
  const digits = `${fraction}${'0'.repeat(decimals + 1)}`
  const up = digits.charCodeAt(decimals) >= 53
  const rounded = (BigInt(`${whole}${digits.slice(0, decimals)}`) + (up ? 1n : 0n))
    .toString()
    .padStart(decimals + 1, '0')
  const integer = rounded.slice(0, rounded.length - decimals)
  const rest = decimals > 0 ? `${point}${rounded.slice(-decimals)}` : ''
  const isZero = /^0*$/.test(rounded)
  return `${isZero ? '' : sign}${locale(BigInt(integer))}${rest}`
}
