import type { Column } from '../../contract/common.ts'
import { castReason, strictCast } from './cast-faults.ts'
import { castExpression, tryCast, type CastTarget } from './casts.ts'
import type { StageContext } from './lane.types.ts'
import { numberColumn, placesAmong } from './places.ts'
import { rejectRows } from './reject-rows.ts'
import { numberRows } from './row-numbers.ts'
import { several } from './sql-reasons.ts'
import { name, names } from './sql-text.ts'
import { filteredStream, mapped, projected, type RowStream } from './stream.ts'

/** `lenient`: what does not fit becomes NULL. Else it stops the run, with the value that did not fit; `mark` says where its type is declared. */
export function castColumns(
  stream: RowStream,
  stage: number,
  casts: Map<string, CastTarget>,
  lenient: boolean,
  mark?: string,
): RowStream {
  return castWith(stream, stage, casts, (cast) => (lenient ? castExpression(cast) : strictCast(cast, mark)))
}

/** The stream with its columns in their new types. `made`: SQL of what a column becomes. */
export function castWith(
  stream: RowStream,
  stage: number,
  casts: Map<string, CastTarget>,
  made: (cast: CastTarget) => string,
): RowStream {
  const fields = stream.columns.map((column) => {
    const cast = casts.get(column.name)
    return cast ? `${made(cast)} AS ${name(column.name)}` : name(column.name)
  })
  const columns = stream.columns.map((column) => {
    const cast = casts.get(column.name)
    return cast ? { name: column.name, type: cast.to } : column
  })
  return projected(stream, stage, `SELECT ${fields.join(', ')} FROM (${stream.sql})`, columns)
}

/**
 * Sends the rows with a value that does not fit to the rejects; the others go on, cast. `place`: a further column of the query, which
 * says where each row comes from: it comes before the reason, and ends here.
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
    `SELECT ${place === null ? '*' : `* EXCLUDE (${name(place)})`}, ${place === null ? '' : `${name(place)} || `}nullif(${several(reasons)}, '') AS ${name(reason)} FROM (${stream.sql})`,
    [...stream.columns, { name: reason, type: 'VARCHAR' }],
  )
  const { table, rows } = await context.materialise(flagged)
  const numbered = await numberRows(table, flagged.columns, context)
  const columns = stream.columns.map((column) => column.name)
  const rejecting = { ...numbered, reason: name(reason), columns, shown: 'as read' } as const
  const rejected = await rejectRows(rejecting, place === null ? stream.places : undefined, context)
  const left = `FROM ${name(numbered.table)} WHERE ${name(reason)} IS NULL`
  const good = filteredStream(stage, `SELECT ${names(columns)} ${left}`, stream.columns, (rows ?? 0) - rejected)
  const numbers = `SELECT ${numbered.at} AS ${name(numberColumn)} ${left}`
  const { places } = stream
  const kept = places ? { ...good, places: placesAmong(places, { numbers, decidedBy: [] }, session) } : good
  return castColumns(kept, stage, casts, true)
}

const triedTypes = new Set(['BIGINT', 'DOUBLE', 'DATE', 'TIMESTAMP'])

/** Each column takes memory in every step of the plan. */
const mostTried = 300

/**
 * A relation of these columns with a further one for each text that is cast, of what DuckDB makes of it, and the casts that use those: DuckDB
 * works out what an expression has twice two times.
 */
export function triedFirst<T extends CastTarget>(
  casts: readonly T[],
  relation: string,
  columns: readonly Column[],
): { casts: T[]; relation: string } {
  if (casts.length > mostTried) return { casts: [...casts], relation }
  let prefix = 'headgate_tried_'
  while (columns.some((column) => column.name.toLowerCase().startsWith(prefix))) prefix = `_${prefix}`
  const fields: string[] = []
  const tried = casts.map((cast) => {
    if (cast.from !== 'VARCHAR' || cast.format || !triedTypes.has(cast.to)) return cast
    const column = `${prefix}${fields.length}`
    fields.push(`${tryCast(cast)} AS ${name(column)}`)
    return { ...cast, tried: column }
  })
  if (fields.length === 0) return { casts: tried, relation }
  return { casts: tried, relation: `(SELECT *, ${fields.join(', ')} FROM ${relation})` }
}
