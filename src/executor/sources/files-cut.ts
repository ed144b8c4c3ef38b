import { open } from 'node:fs/promises'
import type { CsvReadOptions } from '../../language/task/sources/source.types.ts'

/**
 * The beginning of a file that was not fetched to its end, cut behind its last whole row: a line end outside of quotes. A row that is
 * longer than all that was fetched stays as it is.
 */
export async function keepWholeRows(local: string, csv: CsvReadOptions | null): Promise<void> {
  const handle = await open(local, 'r+')
  try {
    const bytes = await handle.readFile()
    const quote = csv?.quote.codePointAt(0) ?? null
    let quoted = false
    let end = 0
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] === quote) quoted = !quoted
      else if (bytes[at] === 0x0a && !quoted) end = at + 1
    }
    if (end > 0) await handle.truncate(end)
  } finally {
    await handle.close()
  }
}
