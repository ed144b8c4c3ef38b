import { shortened } from '../../../language/shortened.ts'
import { cancelled } from '../../engine/duckdb.ts'

import { placeOf, type Places, type RowPlace } from '../../engine/places.ts'
import { walkLines } from './walk.ts'

interface ReadLines {
  local: string
  /** For messages. */
  shown: string
  /** Lines that are no rows. */
  faulty: ReadonlySet<number>
}

const longestText = 10_000

/** Finds the lines of rows of JSON Lines by their number, counted over all files in their order; as far as the last of them. */
export function linePlaces(files: readonly ReadLines[], signal: AbortSignal): Places {
  return {
    calls: [],
    async of(rows) {
      const found = new Map<number, RowPlace>()
      let row = 0
      for (const { local, shown, faulty } of files) {
        if (found.size === rows.size) break
        const take = (bytes: Buffer, at: number, end: number, line: number): number => {
          if (faulty.has(line)) return end
          if (rows.has(row)) {
            const text = shortened(bytes.toString('utf8', at, end).trimEnd(), longestText)
            found.set(row, { where: placeOf(shown, line), row: { line, text }, form: 'line' })
          }
          row++
          return end
        }
        const between = async () => {
          if (signal.aborted) throw cancelled()
          return found.size === rows.size ? 'enough' : 'go on'
        }
        await walkLines(local, signal, take, between, null)
      }
      return found
    },
  }
}
