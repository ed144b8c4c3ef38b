import type { StageContext } from './lane.types.ts'
import { keepsOrder, type Place, type Places } from './places.ts'
import type { NumberedTable } from './row-numbers.ts'
import { jsonOf, messageIn } from './sql-reasons.ts'
import { name, names, text } from './sql-text.ts'

/** Rows of a table, of which some are rejected. Their numbers are those of the stream that `places` belong to. */
export interface Rejecting extends NumberedTable {
  /** SQL over the table: why a row is rejected, as messages; NULL: it is not. */
  reason: string
  /** The row's columns. */
  columns: readonly string[]
  /** A row whose place is known is shown as it was read, where a value may have looked different, or with its values here. */
  shown: 'as read' | 'as here'
}

/** Rows whose places are looked up together: each time the files are read from their start. */
const placedAtOnce = 10_000

/** Sends the rows that have a reason to the rejects, each with its place where that is known. Their number. */
export async function rejectRows(
  rejecting: Rejecting,
  places: Places | undefined,
  context: StageContext,
): Promise<number> {
  const { table, at, reason } = rejecting
  if (!places) return context.reject(rowsBehind(rejecting, -1))
  let rejected = 0
  for (let after = -1; ;) {
    const page = (
      await context.session.rows(
        `SELECT ${at}, ${reason} FROM ${name(table)} WHERE (${reason}) IS NOT NULL AND ${at} > ${after} ORDER BY ${at} LIMIT ${placedAtOnce}`,
      )
    ).map(([row, why]) => ({ row: Number(row), why: String(why) }))
    const last = page.at(-1)
    if (!last) return rejected
    const isPlaced = context.keepsRejects() && (rejected > 0 || (await keepsOrder(places, context.session)))
    if (!isPlaced) return rejected + (await context.reject(rowsBehind(rejecting, after)))
    const found = await places.of(new Set(page.map(({ row }) => row)))
    if (rejecting.shown === 'as here') {
      const where = new Map([...found].map(([row, place]) => [row, place.where]))
      await context.reject(rowsAmong(rejecting, page, where))
    } else {
      await context.rejectEntries(
        page.flatMap(({ row, why }) => {
          const place = found.get(row)
          return place ? [{ ...place, reason: messageIn(`${jsonOf(place.where)},${why}`) }] : []
        }),
      )
      const others = page.filter(({ row }) => !found.has(row))
      if (others.length > 0) await context.reject(rowsAmong(rejecting, others, new Map()))
    }
    rejected += page.length
    after = last.row
  }
}

function rowsBehind({ table, at, reason, columns }: Rejecting, after: number): string {
  return `SELECT ${reason}, ${names(columns)} FROM ${name(table)} WHERE (${reason}) IS NOT NULL AND ${at} > ${after}`
}

/** No header is called that. */
const [rowColumn, whereColumn] = [name('\u0001row'), name('\u0001where')]

/** `where`: places of rows, which come before their reasons. */
function rowsAmong(
  { table, at, reason, columns }: Rejecting,
  among: readonly { row: number }[],
  where: ReadonlyMap<number, Place>,
): string {
  const values = among.map(({ row }) => {
    const place = where.get(row)
    return `(${row}, ${text(place ? `${jsonOf(place)},` : '')})`
  })
  return `SELECT ${whereColumn} || ${reason}, ${names(columns)} FROM ${name(table)} JOIN (VALUES ${values.join(', ')}) AS place(${rowColumn}, ${whereColumn}) ON ${at} = ${rowColumn} ORDER BY ${at}`
}
