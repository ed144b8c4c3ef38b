import type { StageContext } from '../../engine/lane.types.ts'
import type { Places, RowPlace } from '../../engine/places.ts'
import { numberRows } from '../../engine/row-numbers.ts'
import { name, names } from '../../engine/sql-text.ts'
import type { RowStream } from '../../engine/stream.ts'

/** Rows that lie below each other in a sheet. */
interface Run {
  /** The first one: its number among all rows, from 0, and in the sheet. */
  first: number
  number: number
  where: string
}

/** Notes where rows of sheets lie: only where they do not follow each other. */
export class SheetPlaces {
  readonly #runs: Run[] = []

  add(row: number, where: string, number: number): void {
    const last = this.#runs.at(-1)
    if (last?.where === where && number - last.number === row - last.first) return
    this.#runs.push({ first: row, number, where })
  }

  /** Of the table with all of them. A row is shown with the values that it has there. */
  of({ table, columns }: RowStream & { table: string }, context: StageContext): Places {
    return {
      calls: [],
      of: async (rows) => {
        const found = new Map<number, RowPlace>()
        if (rows.size === 0) return found
        const all = columns.map((column) => column.name)
        const numbered = await numberRows(table, columns, context)
        const read = await context.session.shownRows(
          `SELECT ${numbered.at}, ${names(all)} FROM ${name(numbered.table)} WHERE ${numbered.at} IN (${[...rows].join(', ')})`,
        )
        for (const [at, ...values] of read) {
          const row = Number(at)
          const run = this.#runs[this.#runAt(row)]
          if (!run) continue
          const where = { code: 'at_row', params: { file: run.where, row: run.number + row - run.first } }
          found.set(row, { where, row: Object.fromEntries(all.map((column, index) => [column, values[index]])) })
        }
        return found
      },
    }
  }

  /** The last one that does not begin behind the row. */
  #runAt(row: number): number {
    let [low, high] = [0, this.#runs.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#runs[middle]?.first ?? Infinity) <= row) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}
