import { createReadStream } from 'node:fs'

const quote = 34
const feed = 10
const carriage = 13
/** Bytes of a row that are kept to name it. */
const mostBytes = 65_536

/** A row of a CSV file that COPY has read. */
export interface CopiedRow {
  /** From 1. */
  number: number
  /** null: NULL. The last one may be cut off. */
  values: (string | null)[]
}

/**
 * The row that ends at a line of a CSV file, by COPY's own count: a line break inside a value counts as well. Until the end of the first
 * row has shown how lines end, COPY takes a carriage return for one. null: the file has no such line.
 */
export async function copiedRow(file: string, line: number): Promise<CopiedRow | null> {
  let number = 0
  let lines = 1
  let inQuotes = false
  let kept: number[] = []
  for await (const block of createReadStream(file) as AsyncIterable<Buffer>) {
    // without an encoding it gives buffers
    for (const byte of block) {
      if (byte === quote) inQuotes = !inQuotes
      else if (byte === feed && !inQuotes) {
        number++
        if (lines >= line) return { number, values: valuesOf(Buffer.from(kept).toString()) }
        lines++
        kept = []
        continue
      } else if (inQuotes && byte === (number === 0 ? carriage : feed)) lines++
      if (kept.length < mostBytes) kept.push(byte)
    }
  }
  return null
}

/** Of a row that DuckDB has written: quotes are doubled, and nothing stands around them. */
function valuesOf(row: string): (string | null)[] {
  return [...`,${row}`.matchAll(/,(?:"((?:[^"]|"")*)"?|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plain || null : quoted.replaceAll('""', '"'),
  )
}
