/** How the values of a delimited file are written: numbers, days and times. Pure. What has two meanings is said, and not chosen. */
import type { DecimalMark, ThousandsMark } from '../../../language/task/value-formats.ts'

export const isoDate = '%Y-%m-%d'
export const isoMoment = '%Y-%m-%d %H:%M:%S'

export interface NumberStyle {
  decimal: DecimalMark
  thousands: ThousandsMark | null
}

/** How one column is written where it is not as its file. */
export type ColumnWriting =
  | { kind: 'text' }
  | ({ kind: 'number' } & NumberStyle)
  | { kind: 'date' | 'datetime'; pattern: string }

export interface Written {
  numbers: NumberStyle
  date: string | null
  datetime: string | null
  /** Only those that differ from the rest. */
  columns: Readonly<Record<string, ColumnWriting>>
  /** A number and a day that may be read in two ways, as they stand there; null: there is none. */
  unclear: { number: string | null; day: string | null }
}

export const numberStyles: readonly NumberStyle[] = [
  { decimal: '.', thousands: null },
  { decimal: ',', thousands: null },
  { decimal: ',', thousands: '.' },
  { decimal: '.', thousands: ',' },
  { decimal: ',', thousands: ' ' },
  { decimal: '.', thousands: ' ' },
  { decimal: '.', thousands: "'" },
  { decimal: ',', thousands: "'" },
]
const plain: NumberStyle = { decimal: '.', thousands: null }
const marks = { '.': String.raw`\.`, ',': ',', ' ': ' \u00a0\u202f\u2009', "'": "'\u2019" } as const

function fits({ decimal, thousands }: NumberStyle): RegExp {
  const groups = thousands === null ? '' : String.raw`|\d{1,3}([${marks[thousands]}]\d{2,3})*[${marks[thousands]}]\d{3}`
  return new RegExp(String.raw`^\s*[+-]?(\d+${groups})?(${marks[decimal]}\d+)?([eE][+-]?\d+)?\s*$`)
}
const tests = new Map(numberStyles.map((style) => [style, fits(style)]))
const isStyle = (style: NumberStyle, values: readonly string[]) => {
  const test = [...tests].find(([one]) => sameStyle(one, style))?.[1] ?? fits(style)
  return values.every((value) => test.test(value))
}
export const sameStyle = (a: NumberStyle, b: NumberStyle) => a.decimal === b.decimal && a.thousands === b.thousands

/** `1,234`: a thousand and more, or one and a fraction. */
const either = /^\s*[+-]?[1-9]\d{0,2}([.,])\d{3}\s*$/
const whole = /^\s*[+-]?\d+\s*$/
/** The sign whose meaning these values leave open; null: they do not, or have none. */
function openMark(values: readonly string[]): '.' | ',' | null {
  const marks = new Set(values.filter((value) => !whole.test(value)).map((value) => either.exec(value)?.[1] ?? ''))
  const [mark] = marks
  return marks.size === 1 && (mark === '.' || mark === ',') ? mark : null
}

/** Of all numbers of the file that leave no doubt; null: there are none that say more than whole numbers do. */
function clearStyle(columns: readonly (readonly string[])[]): NumberStyle | null {
  const clear = columns.filter((values) => openMark(values) === null && !values.every((value) => whole.test(value)))
  const counted = numberStyles
    .map((style) => ({ style, count: clear.filter((values) => isStyle(style, values)).length }))
    .toSorted((a, b) => b.count - a.count)
  const best = counted[0]
  if (!best || best.count === 0) return null
  // What one column leaves open, another one makes clear: where fractions begin with a comma, points stand between thousands.
  const { decimal, thousands } = best.style
  const group = decimal === ',' ? '.' : ','
  const hasGroups = columns.some((values) => openMark(values) === group)
  return thousands === null && hasGroups ? { decimal, thousands: group } : best.style
}

/** `delimiter`: where a comma stands between values, none begins a fraction. */
function fileStyle(columns: readonly (readonly string[])[], delimiter: string): NumberStyle | null {
  const clear = clearStyle(columns)
  if (clear || delimiter !== ',') return clear
  return columns.some((values) => openMark(values) === ',') ? { decimal: '.', thousands: ',' } : null
}

const dayForm =
  /^\s*(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:([ T])(\d{1,2}):\d{2}(:\d{2}(\.\d{1,6})?)?( ?)([AaPp][Mm])?)?\s*$/
const named = /^\s*\d{1,2}([- ])[A-Za-z]{3}\1(\d{4}|\d{2})\s*$/
const eastern = /^\s*\d{4}年\d{1,2}月\d{1,2}日\s*$/

type Day = { kind: 'date' | 'datetime'; pattern: string | null; clear: boolean; example: string; sep: string }

/** The pattern of a column of days; `pattern` null: as ISO 8601 has it. Null: it holds no days, or not alike. */
function dayOf(values: readonly string[], dayFirst: (sep: string) => boolean | null): Day | null {
  const [first = ''] = values
  if (values.length === 0) return null
  if (values.every((value) => eastern.test(value)))
    return { kind: 'date', pattern: '%Y年%m月%d日', clear: true, example: first, sep: '年' }
  const month = named.exec(first)
  if (month && values.every((value) => named.exec(value)?.[1] === month[1])) {
    const year = month[2]?.length === 4 ? '%Y' : '%y'
    return {
      kind: 'date',
      pattern: `%d${month[1]}%b${month[1]}${year}`,
      clear: true,
      example: first,
      sep: month[1] ?? '',
    }
  }
  const parts = values.map((value) => dayForm.exec(value))
  if (!parts.every((one): one is RegExpExecArray => one !== null)) return null
  const shape = (one: RegExpExecArray) =>
    [one[2], one[5], one[7] && 's', one[8] && 'f', one[9], one[10] && 'p', one[1]?.length === 4, one[4]?.length].join(
      '|',
    )
  const [begin] = parts
  if (!begin || !parts.every((one) => shape(one) === shape(begin))) return null
  const [, a = '', sep = '', , c = '', gap] = begin
  const clock = gap === undefined ? '' : gap + timeOf(begin)
  const kind = gap === undefined ? 'date' : 'datetime'
  if (a.length === 4) {
    if (c.length > 2) return null
    const isIso = sep === '-' && !begin[10]
    return { kind, pattern: isIso ? null : `%Y${sep}%m${sep}%d${clock}`, clear: true, example: first, sep }
  }
  if (c.length !== 4 && c.length !== 2) return null
  const year = c.length === 4 ? '%Y' : '%y'
  const numbers = (at: 1 | 3) => Math.max(...parts.map((one) => Number(one[at])))
  const [one, two] = [numbers(1), numbers(3)]
  if ((one > 12 && two > 12) || one > 31 || two > 31) return null
  const decided = one > 12 ? true : two > 12 ? false : dayFirst(sep)
  const pattern = decided === false ? `%m${sep}%d${sep}${year}${clock}` : `%d${sep}%m${sep}${year}${clock}`
  return { kind, pattern, clear: decided !== null, example: first.trim(), sep }
}

function timeOf(parts: RegExpExecArray): string {
  const half = parts[10] !== undefined
  return `${half ? '%I' : '%H'}:%M${parts[7] ? ':%S' : ''}${parts[8] ? '.%f' : ''}${half ? `${parts[9] ?? ''}%p` : ''}`
}

/** What most columns have; of as many the first. */
function mostOf(patterns: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const pattern of patterns) counts.set(pattern, (counts.get(pattern) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null
}

export interface Delimited {
  /** Of the columns. */
  names: readonly string[]
  /** Without the header. */
  records: readonly (readonly string[])[]
  /** What stands below them and is no row, such as a sum. */
  below?: readonly (readonly string[])[]
  delimiter: string
  /** What somebody has chosen for the file. */
  chosen?: NumberStyle | undefined
}

export function writtenOf({ names, records, below = [], delimiter, chosen }: Delimited): Written {
  const columns = names.map((name, at) => ({
    name,
    values: records.map((record) => record[at] ?? '').filter((value) => value.trim() !== ''),
  }))
  const filled = columns.filter(({ values }) => values.length > 0)
  const isNumbers = ({ values }: { values: readonly string[] }) => numberStyles.some((style) => isStyle(style, values))
  const numeric = filled.filter(isNumbers)
  const found =
    chosen ??
    fileStyle(
      numeric.map(({ values }) => values),
      delimiter,
    )
  const numbers = found ?? plain
  // Where clear columns disagree, they say nothing of the others.
  const disagree = numeric.some(({ values }) => openMark(values) === null && !isStyle(numbers, values))
  const isOpen = chosen === undefined && delimiter !== ',' && (found === null || disagree)
  const open = numeric.filter(({ values }) => isOpen && openMark(values) !== null)
  const own: Record<string, ColumnWriting> = {}
  const twice = new Set(names.filter((name, at) => names.indexOf(name) !== at))
  const keep = (name: string, writing: ColumnWriting) => {
    // Nor is a name written that a task has no key for.
    if (!twice.has(name) && name !== '' && name !== '__proto__' && !/[\p{Cc}\u2028\u2029]|\{\{/u.test(name))
      own[name] = writing
  }
  for (const { name, values } of numeric) {
    if (open.some((one) => one.name === name)) keep(name, { kind: 'text' })
    if (isStyle(numbers, values) || openMark(values) !== null) continue
    const style = numberStyles.find((one) => isStyle(one, values))
    if (style) keep(name, { kind: 'number', ...style })
  }
  const others = filled.filter((column) => !isNumbers(column))
  // What one column makes clear holds for the others with the same sign between the numbers.
  const decided = new Map<string, boolean>()
  for (const { values } of others) {
    const day = dayOf(values, () => null)
    if (day?.clear && day.pattern !== null && /^%[dm]/.test(day.pattern))
      decided.set(day.sep, day.pattern.startsWith('%d'))
  }
  const days = others.flatMap(({ name, values }) => {
    const day = dayOf(values, (sep) => decided.get(sep) ?? (sep === '.' ? true : null))
    return day === null ? [] : [{ name, ...day }]
  })
  const clear = days.filter((day) => day.clear)
  const fileOf = (kind: Day['kind']) =>
    mostOf(clear.flatMap((day) => (day.kind === kind && day.pattern ? [day.pattern] : [])))
  const [date, datetime] = [fileOf('date'), fileOf('datetime')]
  for (const { name, kind, pattern } of clear) {
    if (pattern !== null && pattern !== (kind === 'date' ? date : datetime)) keep(name, { kind, pattern })
  }
  // The executor would take such a column for text: its type is said, so that only what stands below does not fit.
  for (const [at, name] of names.entries()) {
    const odd = below.map((record) => record[at] ?? '').filter((value) => value.trim() !== '')
    const day = clear.find((one) => one.name === name)
    const isNumeric = numeric.some((one) => one.name === name) && own[name] === undefined
    if (day && odd.some((value) => !dayForm.test(value)))
      keep(name, { kind: day.kind, pattern: day.pattern ?? (day.kind === 'date' ? isoDate : isoMoment) })
    if (isNumeric && !isStyle(numbers, odd)) keep(name, { kind: 'number', ...numbers })
  }
  return {
    numbers,
    date,
    datetime,
    columns: own,
    unclear: {
      number: open[0]?.values.find((value) => !whole.test(value)) ?? null,
      day: days.find((day) => !day.clear)?.example ?? null,
    },
  }
}
