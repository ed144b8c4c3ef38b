import type pg from 'pg'
import { name, names } from '../../engine/sql-text.ts'
import type { PgRules } from './rules.ts'
import type { PgColumn, PgTable } from './table.ts'

export interface PgUpsert {
  table: PgTable
  /** The staged rows, of the table's types. */
  stage: string
  /** Columns that are written. */
  columns: readonly PgColumn[]
  keys: readonly string[]
  /** Key columns that another spelling finds as well: they take the one that comes in. */
  spelled: ReadonlySet<string>
  rules: PgRules
}

export interface UpsertCounts {
  inserted: number
  updated: number
  unchanged: number
}

/** Merges `rows` staged rows. Together the counts are less than the rows where a rule of the table leaves out some. */
export async function upsert(client: pg.Client, rows: number, merge: PgUpsert): Promise<UpsertCounts> {
  if (merge.rules.inserts !== null || merge.rules.updates !== null) return countedUpsert(client, merge)
  const partitioned = await countNewIfPartitioned(client, merge)
  const others = changing(merge)
  const action =
    others.length === 0 ? 'DO NOTHING' : `DO UPDATE SET ${assignments(others)} WHERE ${differs(others, 'excluded')}`
  // xmax is 0 in rows that were inserted, not in those that were updated.
  const { rows: found } = await client.query<{ inserted: string; changed: string }>(
    `WITH written AS (${insert(merge)} ${action} RETURNING ${partitioned === null ? '(xmax = 0)' : 'true'} AS fresh)
     SELECT count(*) FILTER (WHERE fresh) AS inserted, count(*) AS changed FROM written`,
  )
  const changed = Number(found[0]?.changed ?? 0)
  const inserted = partitioned ?? Number(found[0]?.inserted ?? 0)
  return { inserted, updated: changed - inserted, unchanged: rows - changed }
}

const unchangedRows = name('headgate_unchanged')

/**
 * Where a trigger may drop a row, or undo its update, each outcome is counted by itself: a sequence counts the rows that were found to be
 * as they should be, and the rows as they were are joined, which the statement's snapshot still shows.
 */
async function countedUpsert(client: pg.Client, merge: PgUpsert): Promise<UpsertCounts> {
  const { table, columns, keys } = merge
  const others = changing(merge)
  const set = assignments(others.length === 0 ? columns.filter((column) => keys.includes(column.name)) : others)
  const changes = others.length === 0 ? 'false' : differs(others, 'excluded')
  const compared = others.length === 0 ? columns : others
  await client.query(`CREATE TEMP SEQUENCE ${unchangedRows}`)
  const { rows } = await client.query<{ inserted: string; updated: string }>(
    `WITH written AS (${insert(merge)} DO UPDATE SET ${set}
         WHERE CASE WHEN ${changes} THEN true ELSE nextval('${unchangedRows}') IS NULL END RETURNING t.*)
     SELECT count(*) FILTER (WHERE was.headgate_found IS NULL) AS inserted,
            count(*) FILTER (WHERE was.headgate_found AND (${differs(compared, 'was')})) AS updated
     FROM written AS t LEFT JOIN (SELECT true AS headgate_found, * FROM ${table.sql}) AS was ON ${matches(keys, 'was')}`,
  )
  const { rows: counted } = await client.query<{ unchanged: string }>(
    `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS unchanged FROM ${unchangedRows}`,
  )
  await client.query(`DROP SEQUENCE ${unchangedRows}`)
  return {
    inserted: Number(rows[0]?.inserted ?? 0),
    updated: Number(rows[0]?.updated ?? 0),
    unchanged: Number(counted[0]?.unchanged ?? 0),
  }
}

function insert({ table, stage, columns, keys }: PgUpsert): string {
  const list = names(columns.map((column) => column.name))
  return `INSERT INTO ${table.sql} AS t (${list}) SELECT ${list} FROM ${stage} ON CONFLICT (${names(keys)})`
}

/** What a row that is there already takes of the one that comes in. */
function changing({ columns, keys, spelled }: PgUpsert): PgColumn[] {
  return columns.filter((column) => !keys.includes(column.name) || spelled.has(column.name))
}

function assignments(columns: readonly PgColumn[]): string {
  return columns.map((column) => `${name(column.name)} = excluded.${name(column.name)}`).join(', ')
}

/** By bytes: `ABC` and `abc`, 1.0 and 1.00, 0 and -0 may be equal to the table. A row that is as it should be is not touched. */
function differs(columns: readonly PgColumn[], from: string): string {
  const others = columns.filter((column) => !column.bitwise && !isFloat(column)).map((column) => name(column.name))
  const record = (of: string): string => `ROW(${others.map((column) => `${of}.${column}`).join(', ')})::record`
  return [
    ...columns.flatMap((column) => (column.bitwise || isFloat(column) ? [valueDiffers(column, from)] : [])),
    ...(others.length === 0 ? [] : [`${record('t')} *<> ${record(from)}`]),
  ].join(' OR ')
}

function isFloat({ type }: PgColumn): boolean {
  return type === 'real' || type === 'double precision'
}

function valueDiffers(column: PgColumn, from: string): string {
  const [old, next] = [`t.${name(column.name)}`, `${from}.${name(column.name)}`]
  // Measured: for a number this costs less than a comparison of records.
  const sign = isFloat(column) ? ` OR (${old} = 0 AND ${old}::text <> ${next}::text)` : ''
  return `${old} IS DISTINCT FROM ${next}${sign}`
}

function matches(keys: readonly string[], from: string): string {
  return keys.map((key) => `t.${name(key)} = ${from}.${name(key)}`).join(' AND ')
}

/** Partitions show no xmax: how many of the rows are new is counted before. Null: the table has none. */
async function countNewIfPartitioned(client: pg.Client, { table, stage, keys }: PgUpsert): Promise<number | null> {
  const { rowCount } = await client.query(`SELECT FROM pg_class WHERE oid = $1::regclass AND relkind = 'p'`, [
    table.sql,
  ])
  if (rowCount === 0) return null
  const { rows } = await client.query<{ fresh: string }>(
    `SELECT count(*) AS fresh FROM ${stage} AS s WHERE NOT EXISTS (SELECT FROM ${table.sql} AS t WHERE ${matches(keys, 's')})`,
  )
  return Number(rows[0]?.fresh ?? 0)
}
