/** What the first bytes of a text file tell: its encoding, what stands between values, whether its first line names the columns. Pure. */

export type Encoding = 'utf-8' | 'utf-16' | 'latin-1'
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
  if (bytes.includes(0)) return null
  try {
    // `stream` lets a character that was cut in two pass.
    return { encoding: 'utf-8', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !whole }) }
  } catch {
    return { encoding: 'latin-1', text: new TextDecoder('windows-1252').decode(bytes) }
  }
}

const sampledLines = 50

/** Records of delimited text, by quotes as RFC 4180 has them. The last one is left out unless the text is `whole`. */
export function recordsOf(text: string, delimiter: string, whole: boolean): string[][] {
  const records: string[][] = []
  let fields: string[] = []
  let field = ''
  let quoted = false
  for (let at = 0; at < text.length && records.length < sampledLines; at += 1) {
    const character = text.charAt(at)
    if (quoted) {
      if (character !== '"') field += character
      else if (text[at + 1] === '"') {
        field += '"'
        at += 1
      } else quoted = false
    } else if (character === '"' && field === '') quoted = true
    else if (character === delimiter) {
      fields.push(field)
      field = ''
    } else if (character === '\n') {
      fields.push(field.replace(/\r$/, ''))
      if (fields.length > 1 || fields[0] !== '') records.push(fields)
      fields = []
      field = ''
    } else field += character
  }
  const rest = [...fields, field]
  if (whole && records.length < sampledLines && (rest.length > 1 || field !== '')) records.push(rest)
  return records
}

/** How many records agree with the first on the number of their fields; nothing where it has one only. */
function agreement(records: readonly string[][]): number {
  const width = records[0]?.length ?? 0
  if (width < 2) return 0
  return (records.filter((record) => record.length === width).length / records.length) * (1 + Math.log2(width) / 10)
}

/** The character that cuts the lines most evenly; null where none does. */
export function delimiterOf(text: string, whole: boolean): Delimiter | null {
  const found = delimiters
    .map((delimiter) => ({ delimiter, score: agreement(recordsOf(text, delimiter, whole)) }))
    .toSorted((a, b) => b.score - a.score)[0]
  return found && found.score >= 0.5 ? found.delimiter : null
}

const isValue = (field: string) =>
  /^\s*[-+]?[\d.,]*\d[\d.,]*\s*%?\s*$/.test(field) ||
  /^\s*\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([ T].*)?$/.test(field) ||
  /^(true|false)$/i.test(field.trim())

/** Whether the first record names the columns: names are no numbers, no dates, not empty, and each is there once. */
export function hasHeader(records: readonly string[][]): boolean {
  const [first, ...others] = records
  if (!first) return true
  const named = first.every((field) => field.trim() !== '' && !isValue(field))
  if (!named) return false
  const distinct = new Set(first.map((field) => field.trim().toLowerCase())).size === first.length
  // Texts everywhere: a first line that comes again below is a row.
  return distinct && !others.some((record) => record.join('\n') === first.join('\n'))
}
