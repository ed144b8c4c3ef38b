import { castReason, strictCast } from './cast-faults.ts'
import { castExpression, type CastTarget } from './casts.ts'
import type { StageContext } from './lane.types.ts'
import { keepsOrder, numberColumn, placesAmong, type Places } from './places.ts'
import { numberRows, type NumberedTable } from './row-numbers.ts'
import { name, names } from './sql-text.ts'
import { mapped, projected, queryStream, type RowStream } from './stream.ts'

/** `lenient`: what does not fit becomes NULL. Else it stops the run, with the value that did not fit. */
export function castColumns(
  stream: RowStream,
  stage: number,
  casts: Map<string, CastTarget>,
  lenient: boolean,
): RowStream {
  const fields = stream.columns.map((column) => {
    const cast = casts.get(column.name)
    if (!cast) return name(column.name)
    return `${lenient ? castExpression(cast) : strictCast(cast)} AS ${name(column.name)}`
  })
  const columns = stream.columns.map((column) => {
    const cast = casts.get(column.name)
    return cast ? { name: column.name, type: cast.to } : column
  })
  return projected(stream, stage, `SELECT ${fields.join(', ')} FROM (${stream.sql})`, columns)
}

/**
 * Sends the rows with a value that does not fit to the rejects; the others go on, cast. `place`: a further column of the query, which
 * says where each row comes from: it begins the reason, and ends here.
 */
export async function quarantineCasts(
  stream: RowStream,
  context: StageContext,
  casts: Map<string, CastTarget>,
  place: string | null = null,
): Promise<RowStream> {
  const { session, stage } = context
  const reason = session.newName('reason')
  const reasons = [...casts.values()].map(castReason)
  const flagged = mapped(
    stream,
    stage,
    `SELECT ${place === null ? '*' : `* EXCLUDE (${name(place)})`}, ${place === null ? '' : `${name(place)} || `}nullif(concat_ws('; ', ${reasons.join(', ')}), '') AS ${name(reason)} FROM (${stream.sql})`,
    [...stream.columns, { name: reason, type: 'VARCHAR' }],
  )
  const { table, rows } = await context.materialise(flagged)
  const numbered = await numberRows(table, flagged.columns, context)
  const columns = stream.columns.map((column) => column.name)
  const bad: Rejecting = { ...numbered, reason, columns }
  const rejected =
    place === null && stream.places
      ? await rejectPlaced(stream.places, bad, context)
      : await context.reject(rejectedRows(bad))
  const left = `FROM ${name(numbered.table)} WHERE ${name(reason)} IS NULL`
  const good = queryStream(`SELECT ${names(columns)} ${left}`, stream.columns, (rows ?? 0) - rejected)
  const numbers = `SELECT ${numbered.at} AS ${name(numberColumn)} ${left}`
  const { places } = stream
  const kept = places ? { ...good, places: placesAmong(places, { numbers, decidedBy: [] }, session) } : good
  return castColumns(kept, stage, casts, true)
}

interface Rejecting extends NumberedTable {
  /** A column: why a row is rejected; NULL: it is not. */
  reason: string
  /** The others. */
  columns: string[]
}

/** `among`: the numbers of some; null: all. */
function rejectedRows({ table, at, reason, columns }: Rejecting, among: readonly number[] | null = null): string {
  const some = among === null ? '' : ` AND ${at} IN (${among.join(', ')})`
  return `SELECT ${name(reason)}, ${names(columns)} FROM ${name(table)} WHERE ${name(reason)} IS NOT NULL${some}`
}

const placedAtOnce = 10_000

/** Each is rejected as it was read, where a value may look otherwise than in the row; as it is where nobody knows that. */
async function rejectPlaced(places: Places, bad: Rejecting, context: StageContext): Promise<number> {
  const { table, at, reason } = bad
  let rejected = 0
  for (let after = -1; ;) {
    const page = await context.session.rows(
      `SELECT ${at}, ${name(reason)} FROM ${name(table)} WHERE ${name(reason)} IS NOT NULL AND ${at} > ${after} ORDER BY ${at} LIMIT ${placedAtOnce}`,
    )
    const last = page.at(-1)
    if (!last) return rejected
    if (rejected === 0 && !(await keepsOrder(places, context.session))) return context.reject(rejectedRows(bad))
    const found = await places.of(new Set(page.map(([row]) => Number(row))))
    await context.rejectEntries(
      page.flatMap(([row, why]) => {
        const place = found.get(Number(row))
        return place ? [{ reason: `${place.where}: ${String(why)}`, row: place.row }] : []
      }),
    )
    const others = page.map(([row]) => Number(row)).filter((row) => !found.has(row))
    if (others.length > 0) await context.reject(rejectedRows(bad, others))
    rejected += page.length
    after = Number(last[0])
  }
}
