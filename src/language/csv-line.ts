/** How a CSV file sets its values apart: what `CsvReadOptions` says of it. */
export interface CsvDialect {
  delimiter: string
  quote: string
  escape: string
  null_values: string[]
  quoted_nulls: boolean
}

/** A value of a line, and how it is written there. */
export interface CsvField {
  written: string
  value: string | null
}

/** The values of one line, quotes and all; null: it is not one line, or its quotes are broken. */
export function readCsvLine(line: string, dialect: CsvDialect): CsvField[] | null {
  const { delimiter, quote, escape } = dialect
  const fields: CsvField[] = []
  let at = 0
  for (;;) {
    const start = at
    let value = ''
    const isQuoted = quote !== '' && line.startsWith(quote, at)
    if (isQuoted) {
      at += quote.length
      for (;;) {
        if (at >= line.length) return null
        if (escape !== '' && line.startsWith(escape, at) && isEscape(line, at, dialect)) {
          value += line[at + escape.length]
          at += escape.length + 1
        } else if (line.startsWith(quote, at)) {
          at += quote.length
          break
        } else value += line[at++]
      }
      if (at < line.length && !line.startsWith(delimiter, at)) return null
    } else {
      const end = line.indexOf(delimiter, at)
      at = end === -1 ? line.length : end
      value = line.slice(start, at)
      if (/[\r\n]/.test(value)) return null
    }
    const isNull = dialect.null_values.includes(value) && (!isQuoted || dialect.quoted_nulls)
    fields.push({ written: line.slice(start, at), value: isNull ? null : value })
    if (at >= line.length) return fields
    at += delimiter.length
  }
}

/** What follows the character that escapes is what is meant: a quote, or that character itself. */
function isEscape(line: string, at: number, { quote, escape }: CsvDialect): boolean {
  const next = at + escape.length
  return line.startsWith(quote, next) || (escape !== quote && line.startsWith(escape, next))
}

/** How a value is written; null: this file can't hold it. */
export function writeCsvField(value: string | null, dialect: CsvDialect): string | null {
  const { delimiter, quote, escape, null_values: nulls, quoted_nulls: quotedNulls } = dialect
  if (value === null) return nulls[0] === undefined ? null : plainOrQuoted(nulls[0])
  const isWord = nulls.includes(value)
  if (isWord && (quotedNulls || quote === '')) return null
  const needsQuotes =
    isWord || value.includes(delimiter) || /[\r\n]/.test(value) || (quote !== '' && value.includes(quote))
  if (!needsQuotes) return value
  if (quote === '') return null
  return quoted(value)

  function plainOrQuoted(word: string): string | null {
    return word.includes(delimiter) || /[\r\n]/.test(word) ? null : word
  }
  function quoted(inner: string): string | null {
    if (inner.includes(quote) && escape === '') return null
    const safe = [...new Set([escape, quote])].filter((sign) => sign !== '')
    const escaped = safe.reduce((text, sign) => text.replaceAll(sign, `${escape}${sign}`), inner)
    return `${quote}${escaped}${quote}`
  }
}

/** Texts as one line. What the dialect can't hold is written as it is. */
export function csvLine(values: readonly string[], dialect: CsvDialect): string {
  return values.map((value) => writeCsvField(value, { ...dialect, null_values: [] }) ?? value).join(dialect.delimiter)
}
