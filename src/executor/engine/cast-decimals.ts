import type { Rounding } from '../../language/task/steps/step.types.ts'

/** Decimal digits that floating point keeps of any number. */
export const exactDigits = 15

/** Digits and places of `DECIMAL(p,s)`; null: another type. */
export const decimalOf = (type: string): { digits: number; places: number } | null => {
  const [, digits, places] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? []
  return digits === undefined ? null : { digits: Number(digits), places: Number(places) }
}

/** The widest type of as many places that DuckDB keeps in 64 bits; null: none keeps so many. */
export function narrowDecimal(type: string): string | null {
  const decimal = decimalOf(type)
  if (decimal === null || decimal.places > 18) return null
  return decimal.digits <= 18 ? type : `DECIMAL(18,${decimal.places})`
}

/** A text without an exponent as a decimal, NULL where it does not fit. Of an exponent the narrower type would keep fewer digits. */
export function decimalText(value: string, type: string): string {
  const fits = `TRY_CAST(${value} AS ${type})`
  const ways = waysTo(value, type)
  return ways === null ? fits : ways.narrow(`CASE WHEN ${ways.isPlain} THEN ${ways.wide} ELSE ${fits} END`)
}

/** The same of any text that DuckDB casts to the type, which may be no decimal: a text that it does not cast stops the query, or gives NULL. */
export function castText(value: string, type: string, cast: 'CAST' | 'TRY_CAST' = 'CAST'): string {
  const fits = `${cast}(${value} AS ${type})`
  const ways = waysTo(value, type)
  return ways === null ? fits : `CASE WHEN ${ways.isPlain} THEN ${ways.narrow(ways.wide)} ELSE ${fits} END`
}

interface Ways {
  /** The text is digits, with a point between them at most, that the type has room for. */
  isPlain: string
  /** Of a plain text. */
  wide: string
  /** Of a text without an exponent; `others`: where it has more digits than the narrower type. */
  narrow(others: string): string
}

/**
 * DuckDB takes 8 to 70 µs to read a text into a decimal of more than 64 bits, a hundred times as long as into others. Most do not need as
 * many; of the rest all digits are read as one integer, in less than a µs, which times one unit of the last place is the decimal. null: for
 * DuckDB itself.
 */
function waysTo(value: string, type: string): Ways | null {
  const decimal = decimalOf(type)
  if (decimal === null || decimal.digits <= 18 || decimal.digits === decimal.places) return null
  const { digits, places } = decimal
  const narrow = narrowDecimal(type)
  const part = (number: number): string => `split_part(${value}, '.', ${number})`
  const fraction = places === 0 ? '' : `(\\.[0-9]{1,${places}})?`
  const all = places === 0 ? value : `concat(${part(1)}, rpad(${part(2)}, ${places}, '0'))`
  const unit = places === 0 ? '' : ` * CAST('0.${'1'.padStart(places, '0')}' AS DECIMAL(${places},${places}))`
  return {
    isPlain: `regexp_full_match(${value}, '[+-]?[0-9]{1,${digits - places}}${fraction}')`,
    wide: `CAST(CAST(CAST(${all} AS HUGEINT) AS DECIMAL(38,0))${unit} AS ${type})`,
    narrow: (others) =>
      narrow === null ? others : `coalesce(CAST(TRY_CAST(${value} AS ${narrow}) AS ${type}), ${others})`,
  }
}

/** DuckDB makes no DECIMAL(5,5) of the text 1e-5, only a type with a digit before the point: that type. */
export function decimalOfExponent(value: string, type: string): string {
  const decimal = decimalOf(type)
  const isTight = decimal !== null && decimal.digits === decimal.places && decimal.digits < 38
  return castText(value, isTight ? `DECIMAL(${decimal.digits + 1},${decimal.places})` : type, 'TRY_CAST')
}

/** `digits`: so many of a number with an exponent say all of it. */
export function decimalOfText(
  value: string,
  places: number,
  to: string,
  rounding: Rounding | null,
  digits: number,
): string {
  const whole = '[+-]?[0-9]*'
  const plain = `regexp_full_match(${value}, '${whole}(\\.[0-9]*)?')`
  const exact = `regexp_full_match(${value}, '${whole}(\\.[0-9]{0,${places}}0*)?')`
  const cut = places === 0 ? `'^${whole}'` : `'^${whole}(\\.[0-9]{0,${places}})?'`
  const written = `regexp_full_match(${value}, '[+-]?[0-9]*\\.?[0-9]*[eE][+-]?[0-9]{1,3}')`
  const fits = `TRY_CAST(${value} AS ${to})`
  const digitsFit = decimalText(value, to)
  const mantissa = `ltrim(split_part(lower(${value}), 'e', 1), '+-')`
  // By way of its text a decimal becomes the nearest number; DuckDB's own cast may miss that by one bit.
  const scaled = `TRY_CAST(${decimalOfExponent(value, to)} AS ${to})`
  const same = `${written} AND strlen(${mantissa}) <= ${digits + 1} AND CAST(CAST(${scaled} AS VARCHAR) AS DOUBLE) = TRY_CAST(${value} AS DOUBLE)`
  const whens = [`WHEN ${exact} THEN ${digitsFit}`, `WHEN ${same} THEN ${scaled}`]
  if (rounding === 'round') {
    whens.push(`WHEN ${plain} THEN ${digitsFit}`)
    // Of an exponent DuckDB rounds digit by digit: 0.00004499e0 would become 0.0001.
    const number = `TRY_CAST(${value} AS DOUBLE)`
    const isNear = `abs(CAST(${fits} AS DOUBLE) - ${number}) <= 0.5000000001e-${places}`
    const nearest = `TRY_CAST(format('{:.${places}f}', ${number}) AS ${to})`
    // A number without places is what its text says, as everywhere: its binary value may fit where the text does not.
    whens.push(`WHEN ${written} THEN CASE WHEN ${isNear} OR abs(${number}) >= 1e17 THEN ${fits} ELSE ${nearest} END`)
  }
  if (rounding === 'truncate') {
    whens.push(`WHEN ${plain} THEN TRY_CAST(regexp_extract(${value}, ${cut}) AS ${to})`)
    // So many digits are exact in one of the two, and what the first rounds is far behind the places.
    const all = `coalesce(TRY_CAST(${value} AS DECIMAL(38,37)), TRY_CAST(${value} AS DECIMAL(38,19)))`
    if (places <= 18)
      whens.push(
        `WHEN ${written} AND strlen(${mantissa}) <= 18 THEN TRY_CAST(${places === 0 ? `trunc(${all})` : `trunc(${all}, ${places})`} AS ${to})`,
      )
  }
  return `CASE ${whens.join(' ')} END`
}
