import { castExpression, castReason, strictCast, type CastTarget } from './casts.ts'
import type { StageContext } from './lane.types.ts'
import { name } from './sql-text.ts'
import { mapped, projected, queryStream, type PlacesOf, type RowStream } from './stream.ts'

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
  const rejected = stream.placesOf
    ? await rejectPlaced(stream.placesOf, table, reason, context)
    : await context.reject(
        `SELECT ${name(reason)}, * EXCLUDE (${name(reason)}) FROM ${name(table)} WHERE ${name(reason)} IS NOT NULL`,
      )
  const good = queryStream(
    `SELECT * EXCLUDE (${name(reason)}) FROM ${name(table)} WHERE ${name(reason)} IS NULL`,
    stream.columns,
    (rows ?? 0) - rejected,
  )
  return castColumns(good, stage, casts, true)
}

const placedAtOnce = 10_000

/** Rows that stand as they were read: each is rejected as its line has it, where a value may look otherwise than in the row. */
async function rejectPlaced(placesOf: PlacesOf, table: string, reason: string, context: StageContext): Promise<number> {
  const bad = `FROM ${name(table)} WHERE ${name(reason)} IS NOT NULL`
  let rejected = 0
  for (let after = -1; ;) {
    const page = await context.session.rows(
      `SELECT rowid, ${name(reason)} ${bad} AND rowid > ${after} ORDER BY rowid LIMIT ${placedAtOnce}`,
    )
    const last = page.at(-1)
    if (!last) return rejected
    const places = await placesOf(new Set(page.map(([row]) => Number(row))))
    await context.rejectEntries(
      page.map(([row, why]) => {
        const place = places.get(Number(row))
        return place
          ? { reason: `${place.where}: ${String(why)}`, row: { line: place.line, text: place.text } }
          : { reason: String(why), row: {} }
      }),
    )
    rejected += page.length
    after = Number(last[0])
  }
}
