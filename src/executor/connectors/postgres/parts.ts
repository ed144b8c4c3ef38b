import type pg from 'pg'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { Partition } from '../../../language/task/sources/source.types.ts'
import { withPostgres } from './client.ts'
import { EngineError } from '../../engine/errors.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { name } from '../../engine/sql-text.ts'
import { setBinds } from './binds.ts'
import { copyOut } from './copy-out.ts'
import type { BinaryRows } from './rows.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export interface PartedRead {
  /** `SELECT …` */
  select: string
  /** ` FROM …`, with a WHERE where there are binds. Without parameters. */
  tail: string
  binds: string[]
  partition: Partition
  /** A select whose columns can be read in binary form. */
  readable(sql: string): string
}

/**
 * Reads the ranges of a column at once, each over a connection of its own that sees what the first one sees. The first range has no lower
 * bound, the last none above and the NULLs: every row is in exactly one.
 */
export async function readParts(
  client: pg.Client,
  connector: BoundConnector,
  read: PartedRead,
  into: BinaryRows,
  context: StageContext,
): Promise<void> {
  await setBinds(client, read.binds)
  const { type, bounds } = await boundsOf(client, read)
  const { rows } = await client.query<{ id: string }>('SELECT pg_export_snapshot() AS id')
  const snapshot = rows[0]?.id ?? ''
  const parts = Array.from({ length: bounds.length + 1 }, (_, part) => part)
  // The others stop when one fails.
  const failed = new AbortController()
  const signal = AbortSignal.any([context.signal, failed.signal])
  let first: unknown
  await Promise.all(
    parts.map((part) =>
      withPostgres(connector, signal, async (own) => {
        await own.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
        await own.query(`SET TRANSACTION SNAPSHOT '${snapshot.replaceAll("'", "''")}'`)
        await setBinds(own, read.binds)
        await own.query(`SELECT set_config('headgate.from', $1, true), set_config('headgate.to', $2, true)`, [
          bounds[part - 1] ?? '',
          bounds[part] ?? '',
        ])
        const range = rangeOf(part, bounds.length, read.partition, type)
        const sql = `${read.select}${read.tail} ${read.binds.length > 0 ? 'AND' : 'WHERE'} (${range})`
        await copyOut(own, read.readable(sql), into, signal)
      }).catch((error: unknown) => {
        first ??= error
        failed.abort()
      }),
    ),
  )
  if (first !== undefined) throw first
  context.log('info', `Read in ${parts.length} ranges of ${read.partition.column} at once`)
}

function rangeOf(part: number, last: number, { column }: Partition, type: string): string {
  const value = name(column)
  const from = `${value} >= current_setting('headgate.from')::${type}`
  const to = `${value} < current_setting('headgate.to')::${type}`
  if (last === 0) return 'true'
  if (part === 0) return to
  return part === last ? `(${from} OR ${value} IS NULL)` : `${from} AND ${to}`
}

const numbers = /^(smallint|integer|bigint|numeric|real|double precision)/
const moments = /^(date|timestamp)/

/** Values that split what there is into parts of the same width, in order, each once. */
async function boundsOf(
  client: pg.Client,
  { tail, partition }: PartedRead,
): Promise<{ type: string; bounds: string[] }> {
  const value = name(partition.column)
  const described = await client.query<{ type: string }>(
    `SELECT pg_typeof(${value})::text AS type FROM (SELECT NULL) AS one LEFT JOIN (SELECT ${value}${tail} LIMIT 0) AS none ON true`,
  )
  const type = described.rows[0]?.type ?? ''
  const isNumber = numbers.test(type)
  if (!isNumber && !moments.test(type)) {
    throw new EngineError('SCHEMA_MISMATCH', runMessage('partition_column_type', { column: partition.column, type }), {
      hint: runMessage('partition_column_type_fix'),
    })
  }
  // Infinities and what is no number are no ends: the outer ranges have them.
  const finite = isNumber ? `${value}::text !~ '[a-zA-Z]{3}'` : `isfinite(${value})`
  const between = isNumber
    ? `(low::numeric + (high::numeric - low::numeric) * i / ${partition.parts})${/int/.test(type) ? '::bigint' : ''}`
    : type === 'date'
      ? `low + ((high - low)::bigint * i / ${partition.parts})::int`
      : `low + (high - low) * (i::float8 / ${partition.parts})`
  const { rows } = await client.query<{ bound: string }>(
    `SELECT bound::text AS bound FROM (
       SELECT DISTINCT (${between})::${type} AS bound FROM
         (SELECT min(${value}) FILTER (WHERE ${finite}) AS low, max(${value}) FILTER (WHERE ${finite}) AS high${tail}) AS ends,
         generate_series(1, ${partition.parts - 1}) AS i
     ) AS bounds WHERE bound IS NOT NULL ORDER BY bounds.bound`,
  )
  return { type, bounds: rows.map((row) => row.bound) }
}
