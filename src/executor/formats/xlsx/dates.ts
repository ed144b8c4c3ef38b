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
  const first = code.replace(/"[^"]*"|\\.|_.|\*./g, '').split(';')[0] ?? ''
  if (/\[(h+|m+|s+)\]/i.test(first)) return 'number'
  const letters = first.replace(/\[[^\]]*\]/g, '').toLowerCase()
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

/** A day's number as the date, moment or time that is shown; null: it is none, and stays a number. */
export function fromSerial(serial: number, kind: FormatKind, date1904: boolean): TypedText | null {
  if (kind === 'number' || !(serial >= 0) || serial >= lastDay) return null
  // Excel shows milliseconds; beyond them there is only what binary fractions leave.
  const total = Math.round(serial * dayMs)
  const day = Math.floor(total / dayMs)
  const ofDay = total - day * dayMs
  if (kind === 'time' && day === 0) return new TypedText('time', iso(ofDay).slice(11, -1))
  const start = date1904 ? first1904 : first1900
  // The calendar of 1900 counts a 29 February that there was not: day 60.
  const real = date1904 || day < 60 ? day : day - 1
  const written = iso(start + real * dayMs + ofDay)
  return kind === 'date' && ofDay === 0
    ? new TypedText('date', written.slice(0, 10))
    : new TypedText('datetime', written)
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
