/** How values may be written, as a list to choose from: shown by the same number and the same moment. Pure. */
import { type ColumnWriting, type NumberStyle, isoDate, isoMoment, numberStyles } from './written-sniff.rules.ts'

export const numberKey = ({ decimal, thousands }: NumberStyle) => `${decimal}${thousands ?? ''}`
const numberExample = ({ decimal, thousands }: NumberStyle) => `1${thousands ?? ''}234${decimal}56`
export const numberChoices = numberStyles.map((style) => ({ value: numberKey(style), label: numberExample(style) }))
export const styleOf = (key: string) => numberStyles.find((style) => numberKey(style) === key)

/** The end of a year: day and month cannot be mistaken. */
const moment: Readonly<Record<string, string>> = {
  d: '31',
  m: '12',
  b: 'Dec',
  B: 'December',
  Y: '2024',
  y: '24',
  H: '14',
  I: '02',
  M: '05',
  S: '09',
  f: '5',
  p: 'PM',
  z: '+02:00',
}
export const momentExample = (pattern: string) =>
  pattern.replaceAll(/%(.)/g, (whole, part: string) => (part === '%' ? '%' : (moment[part] ?? whole)))

const dates = [
  '%d.%m.%Y',
  '%d/%m/%Y',
  '%m/%d/%Y',
  '%d-%m-%Y',
  '%m-%d-%Y',
  '%Y/%m/%d',
  '%Y.%m.%d',
  '%d.%m.%y',
  '%d/%m/%y',
  '%m/%d/%y',
  '%d-%b-%Y',
  '%Y%m%d',
  '%Y年%m月%d日',
]
const moments = [
  '%d.%m.%Y %H:%M',
  '%d.%m.%Y %H:%M:%S',
  '%d/%m/%Y %H:%M',
  '%d/%m/%Y %H:%M:%S',
  '%m/%d/%Y %H:%M',
  '%m/%d/%Y %I:%M %p',
  '%Y/%m/%d %H:%M',
  '%Y/%m/%d %H:%M:%S',
]

const choicesOf = (patterns: readonly string[], iso: string, found: string | null) =>
  [iso, ...new Set([...patterns, ...(found === null ? [] : [found])])].map((pattern) => ({
    value: pattern === iso ? 'iso' : pattern,
    label: momentExample(pattern),
  }))

/** `found`: the pattern of the file, whatever it is. The value `iso` stands for none. */
export const dateChoices = (found: string | null) => choicesOf(dates, isoDate, found)
export const momentChoices = (found: string | null) => choicesOf(moments, isoMoment, found)

/** A way to write a column as one text, and back. */
export const writingKey = (as: ColumnWriting): string =>
  as.kind === 'text' ? 'text' : as.kind === 'number' ? `number ${numberKey(as)}` : `${as.kind} ${as.pattern}`

export function writingOf(key: string): ColumnWriting | null {
  const at = key.indexOf(' ')
  const [kind, rest] = at === -1 ? [key, ''] : [key.slice(0, at), key.slice(at + 1)]
  if (kind === 'text') return { kind }
  if (kind === 'date' || kind === 'datetime') return { kind, pattern: rest }
  const style = kind === 'number' ? styleOf(rest) : undefined
  return style ? { kind: 'number', ...style } : null
}

/** What a column may be instead of what its file is. */
export function columnChoices(of: { number: string; date: string; datetime: string }, now: ColumnWriting | undefined) {
  const pattern = (kind: 'date' | 'datetime') => (now?.kind === kind ? now.pattern : null)
  const momentsOf = (kind: 'date' | 'datetime', patterns: readonly string[], iso: string) =>
    choicesOf(patterns, iso, pattern(kind)).map(({ value, label }) => ({
      value: `${kind} ${value === 'iso' ? iso : value}`,
      label,
    }))
  return [
    { group: of.number, items: numberChoices.map(({ value, label }) => ({ value: `number ${value}`, label })) },
    { group: of.date, items: momentsOf('date', dates, isoDate) },
    { group: of.datetime, items: momentsOf('datetime', moments, isoMoment) },
  ]
}
