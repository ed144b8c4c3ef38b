/** What the first bytes of a text file tell: its encoding, what stands between values, whether its first line names the columns. Pure. */

import type { CsvEncoding } from '../../../language/task/sources/source.types.ts'
import { legacyEncoding } from './encoding-sniff.rules.ts'
import { usualWidth } from './table-start.rules.ts'

export type Encoding = CsvEncoding
/** In the order in which they are offered. */
export const encodings = [
  'utf-8',
  'utf-16',
  'utf-16be',
  'windows-1252',
  'latin-1',
  'iso-8859-15',
  'windows-1250',
  'iso-8859-2',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'big5',
] as const satisfies readonly Encoding[]
export const delimiters = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof delimiters)[number]

export interface SniffedText {
  encoding: Encoding
  text: string
}

const startsWith = (bytes: Uint8Array, ...wanted: number[]) => wanted.every((byte, at) => bytes[at] === byte)

/** The text of a file's head. `whole`: the file ends with it, so that its last character is not cut. Null: no text at all. */
export function readHead(bytes: Uint8Array, whole: boolean): SniffedText | null {
  if (startsWith(bytes, 0xff, 0xfe)) return { encoding: 'utf-16', text: new TextDecoder('utf-16le').decode(bytes) }
  if (startsWith(bytes, 0xfe, 0xff)) return { encoding: 'utf-16', text: new TextDecoder('utf-16be').decode(bytes) }
  if (bytes.includes(0)) return unmarked(bytes, whole)
  try {
    // `stream` lets a character that was cut in two pass.
    return { encoding: 'utf-8', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !whole }) }
  } catch {
    const encoding = legacyEncoding(bytes)
    return { encoding, text: textIn(bytes, encoding) }
  }
}

/** UTF-16 without a byte order mark: letters of most languages have a zero on one side of each pair. Null: no text. */
function unmarked(bytes: Uint8Array, whole: boolean): SniffedText | null {
  const zeros = [0, 0]
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2]! += 1
  const [even = 0, odd = 0] = zeros
  const big = even > odd
  const pairs = bytes.length / 2
  if (Math.max(even, odd) < Math.max(3, pairs / 4) || Math.min(even, odd) > pairs / 100) return null
  try {
    const text = new TextDecoder(big ? 'utf-16be' : 'utf-16le', { fatal: true }).decode(bytes, { stream: !whole })
    return /[^\P{Cc}\t\r\n]/u.test(text) ? null : { encoding: big ? 'utf-16be' : 'utf-16', text }
  } catch {
    return null
  }
}

/** The text of bytes in an encoding that somebody chose; what it does not have shows as such. */
export function textIn(bytes: Uint8Array, encoding: Encoding): string {
  const big = encoding === 'utf-16' && startsWith(bytes, 0xfe, 0xff)
  return new TextDecoder(big ? 'utf-16be' : encoding === 'latin-1' ? 'windows-1252' : encoding).decode(bytes)
}

const sampledLines = 500

export interface TextRecord {
  /** Where it begins, counted from 1. */
  line: number
  fields: string[]
}

/** Records of delimited text, by quotes as RFC 4180 has them. The last one is left out unless the text is `whole`. */
export const recordsOf = (text: string, delimiter: string, whole: boolean, quote = '"'): string[][] =>
  placedRecords(text, delimiter, whole, quote).map(({ fields }) => fields)

/** The same with their lines. `quote`: empty for none. */
export function placedRecords(text: string, delimiter: string, whole: boolean, quote: string): TextRecord[] {
  const records: TextRecord[] = []
  let line = 1
  let begun = 1
  let fields: string[] = []
  let field = ''
  let quoted = false
  for (let at = 0; at < text.length && records.length < sampledLines; at += 1) {
    const character = text.charAt(at)
    if (character === '\n') line += 1
    if (quoted) {
      if (character !== quote) field += character
      else if (text[at + 1] === quote) {
        field += quote
        at += 1
      } else quoted = false
    } else if (character === quote && field === '') quoted = true
    else if (character === delimiter) {
      fields.push(field)
      field = ''
    } else if (character === '\n') {
      fields.push(field.replace(/\r$/, ''))
      if (fields.length > 1 || fields[0] !== '') records.push({ line: begun, fields })
      fields = []
      field = ''
      begun = line
    } else field += character
  }
  const rest = [...fields, field]
  if (whole && records.length < sampledLines && (rest.length > 1 || field !== ''))
    records.push({ line: begun, fields: rest })
  return records
}

/** How many records have so many fields; nothing where that is one only. */
function agreement(records: readonly string[][], width: number): number {
  if (width < 2) return 0
  return (records.filter((record) => record.length === width).length / records.length) * (1 + Math.log2(width) / 10)
}

/** The character that cuts the lines most evenly, as the first one or, where that is a title, as most of them; null where none does. */
export function delimiterOf(text: string, whole: boolean): Delimiter | null {
  const cut = delimiters.map((delimiter) => ({ delimiter, records: recordsOf(text, delimiter, whole) }))
  const widths = [
    (records: readonly string[][]) => records[0]?.length ?? 0,
    (records: readonly string[][]) => usualWidth(records.map(({ length }) => ({ width: length }))),
  ]
  for (const widthOf of widths) {
    const found = cut
      .map(({ delimiter, records }) => ({ delimiter, score: agreement(records, widthOf(records)) }))
      .toSorted((a, b) => b.score - a.score)[0]
    if (found && found.score >= 0.5) return found.delimiter
  }
  return null
}

export interface Ragged {
  /** Records with another number of values than the first one. */
  count: number
  first: { line: number; fields: number }
  expected: number
}

/** Null: all have as many values as the first. */
export function raggedOf(records: readonly TextRecord[]): Ragged | null {
  const expected = records[0]?.fields.length ?? 0
  const odd = records.filter(({ fields }) => fields.length !== expected)
  const [first] = odd
  return first ? { count: odd.length, first: { line: first.line, fields: first.fields.length }, expected } : null
}

const isValue = (field: string) =>
  /^\s*[-+]?[\d.,]*\d[\d.,]*\s*%?\s*$/.test(field) ||
  /^\s*\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([ T].*)?$/.test(field) ||
  /^(true|false)$/i.test(field.trim())

/** Whether the first record names the columns: names are no numbers, no dates, and not empty. One that is there twice is renamed. */
export function hasHeader(records: readonly string[][]): boolean {
  const [first, ...others] = records
  if (!first) return true
  const named = first.every((field) => field.trim() !== '' && !isValue(field))
  if (!named) return false
  // Texts everywhere: a first line that comes again below is a row, and so is one that says the same everywhere.
  const alike = first.length > 1 && new Set(first.map((field) => field.trim().toLowerCase())).size === 1
  return !alike && !others.some((record) => record.join('\n') === first.join('\n'))
}
