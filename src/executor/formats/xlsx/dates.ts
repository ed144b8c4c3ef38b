import { TypedText } from '../../sources/record-values.ts'

/** How a number is shown, as far as it makes it another kind of value. */
export type FormatKind = 'number' | 'date' | 'datetime' | 'time'

const builtIn: [from: number, to: number, kind: FormatKind][] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'datetime'],
  // Those of East Asia.
  [27, 31, 'date'],
  [32, 35, 'time'],
  [36, 36, 'date'],
  [45, 45, 'time'],
  [47, 47, 'time'],
  [50, 54, 'date'],
  [55, 56, 'time'],
  [57, 58, 'date'],
]

/** `code`: the workbook's own format of this number. Elapsed times, as `[h]:mm`, are amounts and stay numbers. */
export function numberFormatKind(id: number, code: string | undefined): FormatKind {
  if (code === undefined) return builtIn.find(([from, to]) => id >= from && id <= to)?.[2] ?? 'number'
  const sections = code.replace(/"[^"]*"|\\.|_.|\*./g, '').split(';')
  const lettersOf = (section: string): string => section.replace(/\[[^\]]*\]/g, '').toLowerCase()
  // `[=0]"";dd.mm.yyyy`: a condition that shows no date says nothing of the other numbers.
  const first = sections.find((one) => !/\[[<>=]/.test(one) || /[ydhsm]/.test(lettersOf(one))) ?? ''
  if (/\[(h+|m+|s+)\]/i.test(first)) return 'number'
  const letters = lettersOf(first)
  if (letters.includes('general')) return 'number'
  const time = /[hs]/.test(letters)
  if (/[yd]/.test(letters)) return time ? 'datetime' : 'date'
  if (time) return 'time'
  return letters.includes('m') ? 'date' : 'number'
}

const dayMs = 86_400_000
const first1900 = Date.UTC(1899, 11, 31)
const first1904 = Date.UTC(1904, 0, 1)
/** 9999-12-31, the last day that Excel knows. */
const lastDay = 2_958_466

/** 1900-02-29, which Excel counts and no calendar has. */
const noDay = 60

/** A day's number as the date, moment or time that is shown; null: it is none, and stays a number. */
export function fromSerial(serial: number, kind: FormatKind, date1904: boolean): TypedText | null {
  if (kind === 'number' || !(serial >= 0) || serial >= lastDay) return null
  // Excel shows milliseconds; beyond them there is only what binary fractions leave.
  const total = Math.round(serial * dayMs)
  const day = Math.floor(total / dayMs)
  if (day === noDay && !date1904) return null
  const ofDay = total - day * dayMs
  if (kind === 'time' && day === 0) return new TypedText('time', written(ofDay).slice(11))
  const start = date1904 ? first1904 : first1900
  const real = date1904 || day < noDay ? day : day - 1
  const moment = written(start + real * dayMs + ofDay)
  return kind === 'date' && ofDay === 0 ? new TypedText('date', moment.slice(0, 10)) : new TypedText('datetime', moment)
}

/** A cell that is written as ISO 8601. Excel knows no zones: a moment that has one becomes UTC. */
export function fromIso(text: string): TypedText {
  if (!text.includes('T')) return new TypedText('date', text)
  const [, whole = '', fraction = '', zone] = /^(.*?)(\.\d+)?(Z|[+-]\d\d:\d\d)?$/i.exec(text) ?? []
  const seconds = zone === undefined ? whole : new Date(whole + zone).toISOString().slice(0, 19)
  return new TypedText('datetime', seconds + withoutZeros(fraction))
}

/** Without a zone, as a `cast` writes it: where other values make the column text, this is what arrives. */
function written(ms: number): string {
  return withoutZeros(new Date(ms).toISOString().slice(0, -1))
}

/** Behind the seconds. */
const withoutZeros = (fraction: string): string => fraction.replace(/\.?0+$/, '')
