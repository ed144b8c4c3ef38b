import { isUtf8 } from 'node:buffer'
import type { ResultFormat } from '../../contract/executor-results.ts'
import { guarded } from '../../contract/formula.ts'
import type { QueryField, ValueType, WireValue } from '../../contract/query-values.ts'
import { createNumbering } from '../../language/numbering.ts'

/** Forms of a result that are text, row by row. */
export type LinesFormat = Exclude<ResultFormat, { kind: 'parquet' | 'xlsx' }>

/** Rows as text, in one of the forms of a result. */
export interface ResultLines {
  /** Before the first row. */
  head: string
  /** After the last one. */
  foot: string
  /** `cut` is told of each value that is not given whole. */
  row(values: readonly WireValue[], cut: (field: number, length: number) => void): string
  /** The same, from the text of values; absent: values are not written as texts. */
  texts?: TextLines
}

interface TextLines {
  /** What stands before a value that is not the first: a character of ASCII. */
  between: number
  /** The longest text that `write` makes of so many bytes. */
  room(bytes: number): number
  /** Writes the text of a value, `from` to `to`, at `at` of `into`, where there is room; where it ends. */
  write(bytes: Buffer, from: number, to: number, into: Buffer, at: number): number
  /** What is written of a value. */
  value(value: WireValue, field: number): string
  end: Uint8Array
}

export function resultLines(format: LinesFormat, fields: readonly QueryField[]): ResultLines {
  switch (format.kind) {
    case 'rows':
      return { head: '', foot: '', row: pageRow }
    case 'ndjson':
      return ndjson(uniqueNames(fields))
    case 'json':
      return json(ndjson(uniqueNames(fields)))
    case 'csv':
      return csv(fields, format)
  }
}

/** Characters of a row in a page, at most, and what of a value is given then. */
const mostRowChars = 600 * 1024
const mostValueChars = 256 * 1024

function pageRow(values: readonly WireValue[], cut: (field: number, length: number) => void): string {
  const line = `${JSON.stringify(values)}\n`
  if (line.length <= mostRowChars) return line
  // Escapes take up to six characters for one.
  const most = Math.floor(Math.min(mostValueChars, mostRowChars / values.length) / 6)
  const short = values.map((value, field) => {
    const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : value
    if (typeof text !== 'string' || text.length <= most) return value
    cut(field, text.length)
    // A part of base64 is still base64.
    return text.slice(0, most - (most % 4)).toWellFormed()
  })
  return `${JSON.stringify(short)}\n`
}

/** Fields that share a name are numbered. */
export function uniqueNames(fields: readonly QueryField[]): string[] {
  const taken = new Set(fields.map(({ name }) => name))
  const seen = new Set<string>()
  const numbered = createNumbering((name) => taken.has(name))
  return fields.map(({ name }) => {
    if (!seen.has(name)) {
      seen.add(name)
      return name
    }
    const free = numbered(name)
    taken.add(free)
    return free
  })
}

function ndjson(names: readonly string[]): ResultLines {
  const keys = names.map((name, at) => `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`)
  return {
    head: '',
    foot: '',
    row: (values) => `${keys.map((key, at) => key + JSON.stringify(values[at])).join('')}}\n`,
  }
}

/** The same lines as one array. */
function json({ row }: ResultLines): ResultLines {
  let before = ''
  return {
    head: '[\n',
    foot: ']\n',
    row(values, cut) {
      const line = before + row(values, cut).trimEnd()
      before = ',\n'
      return line
    },
  }
}

type CsvFormat = Extract<ResultFormat, { kind: 'csv' }>

function csv(fields: readonly QueryField[], { delimiter, header, formula_guard: guard }: CsvFormat): ResultLines {
  const special = new RegExp(`["\\r\\n${delimiter === '|' ? '\\|' : delimiter}]|^$|^\\s|\\s$`)
  const quoted = (text: string): string => {
    const safe = guard ? guarded(text, delimiter) : text
    return special.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  const end = '\r\n'
  const line = (texts: string[]): string => `${texts.join(delimiter)}${end}`
  const value = (given: WireValue, field: number): string => csvText(given, fields[field]?.type ?? 'text', quoted)
  return {
    head: header ? line(uniqueNames(fields).map(quoted)) : '',
    foot: '',
    row: (values) => line(values.map(value)),
    texts: {
      between: delimiter.charCodeAt(0),
      room: mostQuoted,
      write: csvWriter(delimiter, guard, quoted),
      value,
      end: Buffer.from(end),
    },
  }
}

/** Every character could be a quote, or one that is replaced; and then there are quotes around it, and a guard. */
const mostQuoted = (bytes: number): number => bytes * 3 + 3
const [lineFeed, carriageReturn, blank, quote, lastAscii] = [10, 13, 32, 34, 127]
/** Kinds of bytes: nothing to look at, a part of a character that is not ASCII, and what may need quotes. */
const [plain, wide, special] = [0, 1, 2]
const formulaStarts: ReadonlySet<number> = new Set(Buffer.from('=+-@\t\r'))

/** Copies what needs no look at its characters; everything else is made by `quoted`. */
function csvWriter(delimiter: string, guard: boolean, quoted: (text: string) => string): TextLines['write'] {
  const between = delimiter.charCodeAt(0)
  /** What a value may begin or end with, and what it may have within, where it needs no quotes. */
  const edge = new Uint8Array(256).map((_, code) => (code <= blank || code > lastAscii ? special : plain))
  const start = edge.map((kind, code) => (guard && formulaStarts.has(code) ? special : kind))
  const inner = new Uint8Array(256).map((_, code) => (code > lastAscii ? wide : plain))
  const splits = guard ? Buffer.from(';,') : []
  for (const code of [between, quote, lineFeed, carriageReturn, ...splits])
    edge[code] = start[code] = inner[code] = special
  return (bytes, from, to, into, at) => {
    let found = from < to ? (start[bytes[from]!] ?? 0) | (edge[bytes[to - 1]!] ?? 0) : special
    let end = at
    // Without a branch inside: most of an export's time goes here.
    if (found === plain) {
      for (let next = from; next < to; next++) {
        const code = bytes[next]!
        found |= inner[code]!
        into[end++] = code
      }
    }
    if (found === plain || (found === wide && isUtf8(bytes.subarray(from, to)))) return end
    return at + into.write(quoted(bytes.toString('utf8', from, to)), at)
  }
}

function csvText(value: WireValue, type: ValueType, quoted: (text: string) => string): string {
  if (value === null) return ''
  if (typeof value !== 'object') {
    return quoted(type === 'bytes' ? `\\x${Buffer.from(String(value), 'base64').toString('hex')}` : String(value))
  }
  if (type === 'document') return quoted(JSON.stringify(value))
  const [inner] = Object.entries(value)
  // A tag of `wireTagged`, whose value is of that type.
  return inner ? csvText(inner[1] as WireValue, inner[0] as ValueType, quoted) : ''
}
