import { text } from '../../engine/sql-text.ts'

/**
 * What PostgreSQL does without a word to texts that it reads as dates, times and intervals: it rounds them, drops what the type has no
 * place for, and takes the time zone of the session for one that is missing.
 */
export interface MomentTexts {
  /** SQL: whether a text stays what it is. */
  fits: string
  /** SQL: whether it lacks the zone that the type has. */
  lacksZone: string | null
  /** SQL: whether it says UTC to a type that has no zone. */
  dropsUtc: string | null
}

const declaredMoment =
  /^(?:(date|time|timestamp)|(date|ts|tstz)(?:multi)?range)(?:\((\d)\))?( with time zone| without time zone)?(\[\])*$/

/** The same of any type that is read as moments, lists and ranges of them included; null: it is none. `value`: SQL of the text. */
export function momentTexts(declared: string, value: string): MomentTexts | null {
  const found = declaredMoment.exec(declared)
  if (!found) return null
  const [, scalar, range, places = '6', zone, list] = found
  const isZoned = zone === ' with time zone' || range === 'tstz'
  const kind = scalar ?? (range === 'date' ? 'date' : 'timestamp')
  const each = scalar !== undefined && list === undefined ? `[${value}]` : elementsOf(value)
  const some = (test: string): string => `len(list_filter(${each}, lambda one: ${test})) > 0`
  const isIn = (pattern: string): string => `regexp_matches(one, ${text(`(?i)${pattern}`)})`
  const saysZone = `(${isIn(String.raw`\d`)} AND regexp_matches(${bare}, ${text(zones)}))`
  const saysOther = `(${saysZone} AND regexp_matches(regexp_replace(${bare}, ${text(utc)}, '', 'g'), ${text(zones)}))`
  const lost = [
    isIn(String.raw`\.\d{${places}}\d*[1-9]|\d[eE]-|\b(?:now|today|tomorrow|yesterday)\b`),
    ...(kind === 'date' ? [isIn(midday)] : []),
    ...(kind === 'time' ? [isIn(day)] : []),
    ...(isZoned ? [] : [saysOther]),
  ]
  return {
    fits: `NOT ${some(lost.join(' OR '))}`,
    lacksZone: isZoned ? some(`${isIn(String.raw`\d`)} AND NOT ${saysZone}`) : null,
    dropsUtc: isZoned || kind === 'date' ? null : some(`${saysZone} AND NOT ${saysOther}`),
  }
}

/** Without what quotes quotes inside of lists of ranges. */
function elementsOf(value: string): string {
  return String.raw`regexp_extract_all(replace(${value}, '\', ''), '"[^"]*"|[^{}\[\](),"]+')`
}

/** A time of day other than midnight. */
const midday = String.raw`[1-9]\d*:\d|\d:[0:.]*[1-9]|\dt[0:.]*[1-9]|[1-9] ?[ap]m\b|\b\d{8}\s+0*[1-9]`
const day = String.raw`\w+-\w+-\d+|\w+/\w+/\d+|\d+\.\w+\.\d+|\b\d{4}[-.]\d{3}(?:\b|t)`
/** Letters that are no zone. */
const words = String.raw`\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?|[ap]m|bc|ad|t|j)\b`
/** In a text without its day, and with letters and digits apart. */
const zones = String.raw`[a-z]|[+-]\s*\d`
const utc = String.raw`\b(?:z|zulu|utc|gmt)\b|[+-]00?(?::?00)*\s*$`

/** SQL of a text without its day and what else is no zone. */
const bare = [
  [day, ' '],
  [String.raw`(\d)([a-z])`, String.raw`\1 \2`],
  [String.raw`([a-z])(\d)`, String.raw`\1 \2`],
  [words, ' '],
  [String.raw`["\s]+$`, ''],
].reduce((sql, [from = '', to = '']) => `regexp_replace(${sql}, ${text(from)}, ${text(to)}, 'g')`, 'lower(one)')

/** Of a unit in microseconds; of a year, in months. Others are seconds. */
const units = [
  ['y', 12],
  ['dec', 120],
  ['c', 1200],
  ['mil(s?$|lenn)', 12_000],
  ['mon', 2_592_000_000_000],
  ['w', 604_800_000_000],
  ['d', 86_400_000_000],
  ['h', 3_600_000_000],
  ['m(t|in|$)', 60_000_000],
  ['(ms|millis)', 1000],
  ['(us|micro)', 1],
] as const

/**
 * SQL: whether the server keeps all that a text says which it reads as intervals: years come to months, and everything else to
 * microseconds, part by part. null: the type is none.
 */
export function intervalFits(declared: string, value: string): string | null {
  if (!declared.startsWith('interval')) return null
  const places = Number(/\((\d)\)/.exec(declared)?.[1] ?? 6)
  const unit = `regexp_extract(one, '[a-z]*$')`
  const size = `CASE ${units.map(([start, of]) => `WHEN regexp_matches(${unit}, '^${start}') THEN ${of}`).join(' ')} ELSE 1000000 END::HUGEINT`
  const whole = `coalesce(TRY_CAST(regexp_extract(one, '^\\d+') AS BIGINT), 0)`
  const part = String.raw`regexp_extract(one, '\.(\d*?)0*[^\d]*$', 1)`
  // Decimal places beyond those of the largest unit are never exact.
  const isWhole = `${part} = '' OR (length(${part}) < 18 AND coalesce(TRY_CAST(${part} AS BIGINT), 0) * ${size} % CAST('1' || repeat('0', length(${part})${places < 6 ? ` + ${step(unit, places)}` : ''}) AS HUGEINT) = 0)`
  const isKept =
    places < 6 ? `${whole} * ${size} % CAST('1' || repeat('0', ${step(unit, places)}) AS HUGEINT) = 0 AND ` : ''
  const parts = String.raw`regexp_extract_all(lower(${value}), '(?:\d+\.?\d*|\.\d+)\s*[a-z]*')`
  const fits = `len(list_filter(${parts}, lambda one: NOT (${isKept}(${isWhole})))) = 0 AND NOT regexp_matches(${value}, '\\d[eE]-')`
  return places < 6 ? fits : `(NOT regexp_matches(${value}, '\\.|\\d[eE]-') OR (${fits}))`
}

/** Zeros that a number of microseconds ends with in a type of fewer places. */
function step(unit: string, places: number): string {
  return `CASE WHEN regexp_matches(${unit}, '^(y|dec|c|mil(s?$|lenn))') THEN 0 ELSE ${6 - places} END`
}
