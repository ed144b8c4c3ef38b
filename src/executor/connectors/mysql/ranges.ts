import type { Partition } from '../../../language/task/sources/source.types.ts'
import { mysqlName, type MysqlSession, type MysqlValue } from './client.ts'
import type { MysqlTable } from './catalog.ts'
import { columnTypes } from './values.ts'
import { EngineError } from '../../engine/errors.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export interface MysqlSelect {
  sql: string
  values: readonly unknown[]
}

/** More connections than this gain nothing here: one process takes all the rows. */
const mostSessions = 4
/** Waiting for the lock keeps others from writing: not for long. */
const lockSeconds = 2

/** All that is read belongs to one moment, and nothing can be written. */
export async function beginReading(session: MysqlSession): Promise<void> {
  await session.run('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ')
  await session.run('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
}

/**
 * Several sessions that see the table as it was at one moment. MySQL cannot hand a snapshot on: nobody may write to the table for the
 * instant in which all of them begin. Where it may not be locked, one session reads all the ranges.
 */
export async function openSnapshot(
  first: MysqlSession,
  table: MysqlTable,
  { parts }: Partition,
  openOne: () => Promise<MysqlSession>,
  open: MysqlSession[],
  context: StageContext,
): Promise<MysqlSession> {
  const locker = await openOne()
  try {
    await locker.run(`SET SESSION lock_wait_timeout = ${lockSeconds}`)
    await locker.run(`LOCK TABLES ${table.sql} READ`)
    while (open.length < Math.min(parts, mostSessions)) open.push(await openOne())
    for (const session of open) await beginReading(session)
    return first
  } catch (error) {
    if (!(error instanceof EngineError) || !['DATABASE_REFUSED', 'DATABASE_LOCKED'].includes(error.code)) throw error
    context.log(
      'info',
      `Ranges are read one after the other: the table cannot be locked for a moment (${error.message})`,
    )
    for (const session of open.splice(1)) session.close()
    await beginReading(first)
    return first
  } finally {
    locker.close()
  }
}

/** The select in ranges of a column that hold together every row once: NULLs are in the first. */
export async function rangesOf(
  session: MysqlSession,
  table: MysqlTable,
  { sql, values }: MysqlSelect,
  { column, parts }: Partition,
  context: StageContext,
): Promise<MysqlSelect[]> {
  const field = mysqlName(column)
  const [described] = await session.columns(`SELECT ${field} FROM ${table.sql}`)
  const kind = kindOf(described?.columnType ?? 0)
  if (kind === null || !described) {
    throw new EngineError('SCHEMA_MISMATCH', runMessage('column_not_for_ranges', { column, table: table.table }), {
      hint: runMessage('column_not_for_ranges_fix'),
    })
  }
  // As numbers, whatever it is: the server cuts the span into equal parts, exactly.
  const position = { number: field, date: `TO_DAYS(${field})`, moment: `TO_SECONDS(${field})` }[kind]
  const [bounds = []] = await session.rows(
    `SELECT FLOOR(MIN(${position})), CEILING(MAX(${position})) FROM ${table.sql}`,
  )
  const cuts = cutsOf(bounds, parts)
  const edges = cuts.map((cut) => ({ at: edge(kind), value: cut }))
  // Only `state.cursor` has values of its own here.
  const where = values.length > 0 ? 'AND' : 'WHERE'
  context.log('debug', `Reading ${table.table} in ${edges.length + 1} ranges of ${column}`)
  return Array.from({ length: edges.length + 1 }, (_, part): MysqlSelect => {
    const [from, to] = [edges[part - 1], edges[part]]
    if (!from && !to) return { sql, values }
    if (!from)
      return { sql: `${sql} ${where} (${field} < ${to?.at} OR ${field} IS NULL)`, values: [...values, to?.value] }
    const upper = to ? ` AND ${field} < ${to.at}` : ''
    return {
      sql: `${sql} ${where} ${field} >= ${from.at}${upper}`,
      values: [...values, from.value, ...(to ? [to.value] : [])],
    }
  })
}

type Kind = 'number' | 'date' | 'moment'

function kindOf(type: number): Kind | null {
  if (type === columnTypes.date) return 'date'
  if (type === columnTypes.datetime || type === columnTypes.timestamp) return 'moment'
  const { tiny, short, int24, long, longlong, year, float, double, decimal } = columnTypes
  const numbers: readonly number[] = [tiny, short, int24, long, longlong, year, float, double, decimal]
  return numbers.includes(type) ? 'number' : null
}

function edge(kind: Kind): string {
  if (kind === 'number') return '?'
  const day = 'FROM_DAYS(?)'
  // TO_SECONDS has no way back of its own.
  return kind === 'date' ? day : "('0001-01-01 00:00:00' + INTERVAL (? - TO_SECONDS('0001-01-01 00:00:00')) SECOND)"
}

/** Where the ranges meet: whole numbers, each greater than the one before. */
function cutsOf([low, high]: readonly (MysqlValue | undefined)[], parts: number): bigint[] {
  if (low == null || high == null) return []
  const whole = (value: MysqlValue): bigint =>
    BigInt(typeof value === 'number' ? Math.trunc(value) : String(value).replace(/\..*$/, ''))
  const [from, to] = [whole(low), whole(high)]
  const cuts = new Set<bigint>()
  for (let part = 1; part < parts; part++) {
    const cut = from + ((to - from) * BigInt(part)) / BigInt(parts)
    if (cut > from) cuts.add(cut)
  }
  return [...cuts]
}
