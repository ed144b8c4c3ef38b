import type pg from 'pg'
import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import { EngineError } from '../../engine/errors.ts'
import { name, names } from '../../engine/sql-text.ts'
import type { ColumnPlan } from '../../targets/column-plan.ts'
import { keysTakenForEqual, refuseOtherKeys, type EqualKeys } from '../../targets/equal-keys.ts'
import type { PgColumn, PgTable } from './table.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** A key column, as an index compares it. */
interface ComparedColumn {
  column: string
  /** Quoted, with its schema; null: the type has none. */
  collation: string | null
  /** Whether the collation tells apart whatever differs. */
  exact: boolean
}

export interface PgKeys {
  target: TableTarget
  table: PgTable
  /** The rows that come in, of the table's types. */
  stage: string
  /** The key columns, as the table names them. */
  columns: readonly string[]
  /** Each way in which the table may take different keys for equal; mostly none. */
  loose: readonly (readonly ComparedColumn[])[]
  /** Key columns in which it may do so because of their collation. */
  spelled: ReadonlySet<string>
}

/** How the table compares the keys of an upsert or `delete_insert`. An upsert needs a unique index on them. */
export async function keysOf(
  client: pg.Client,
  place: Pick<PgKeys, 'target' | 'table' | 'stage'>,
  { writes }: ColumnPlan,
  existing: readonly PgColumn[],
): Promise<PgKeys> {
  const { target, table } = place
  const wanted = new Set(target.key.map((key) => key.toLowerCase()))
  const keys = writes.flatMap(({ from, to }) => {
    const column = existing.find((candidate) => candidate.name === to)
    return column && wanted.has(to.toLowerCase()) ? [{ column, given: from.type }] : []
  })
  const own = keys.map(({ column }) => ({ column: column.name, collation: null, exact: column.bitwise }))
  const comparisons = target.mode === 'upsert' ? await uniqueKeys(client, target, table) : [own]
  const isLoose = ({ column, exact }: ComparedColumn): boolean =>
    keys.some((key) => key.column.name === column && !isDistinguished(key.column, key.given, exact))
  const loose = comparisons.filter((columns) => columns.some(isLoose))
  const spelled = keys.filter(
    ({ column }) => column.collated && loose.flat().some((one) => one.column === column.name && isLoose(one)),
  )
  return {
    ...place,
    columns: keys.map(({ column }) => column.name),
    loose,
    spelled: new Set(spelled.map(({ column }) => column.name)),
  }
}

/** Whether values of a type that differ are different ones to a key column. `exact`: by its collation. */
function isDistinguished({ type, kind }: PgColumn, given: string, exact: boolean): boolean {
  if (kind === 'text') return exact && /^(text|character varying(\(\d+\))?|name)$/.test(type)
  if (type === 'uuid') return given === 'UUID'
  if (type === 'real') return given !== 'DOUBLE'
  return kind !== null && kind !== 'json'
}

/** By the unique indexes on the key. */
async function uniqueKeys(client: pg.Client, target: TableTarget, table: PgTable): Promise<ComparedColumn[][]> {
  const { rows } = await client.query<{ columns: string }>(
    `SELECT (SELECT json_agg(json_build_object('column', a.attname, 'exact', coalesce(l.collisdeterministic, true),
               'collation', quote_ident(n.nspname) || '.' || quote_ident(l.collname)))
             FROM unnest(i.indkey::int2[], i.indcollation::oid[]) WITH ORDINALITY AS k(attnum, collated, at)
               JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
               LEFT JOIN pg_collation l ON l.oid = k.collated LEFT JOIN pg_namespace n ON n.oid = l.collnamespace
             WHERE k.at <= i.indnkeyatts) AS columns
     FROM pg_index i
     WHERE i.indrelid = $1::regclass AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL`,
    [table.sql],
  )
  const fold = (columns: readonly string[]): string =>
    columns
      .map((column) => column.toLowerCase())
      .toSorted()
      .join('\n')
  const indexes = rows.map(({ columns }) => JSON.parse(columns) as ComparedColumn[]) // as the query builds it
  const found = indexes.filter((index) => fold(index.map(({ column }) => column)) === fold(target.key))
  if (found.length > 0) return found
  throw new EngineError('KEY_NOT_UNIQUE', runMessage('no_unique_index', { table: target.table, key: target.key }), {
    hint: runMessage('no_unique_index_fix_postgres', { sql: table.sql, key: names(target.key) }),
  })
}

/** Before an upsert: each row that comes in stands for one of the table, and none for that of another key. */
export async function requireOwnRows(client: pg.Client, keys: PgKeys): Promise<void> {
  const { target, table, stage, columns, loose, spelled } = keys
  for (const compared of loose) {
    const by = (from: string): string[] => compared.map((column) => comparedAs(from, column))
    const { rows: merged } = await client.query<EqualKeys>(
      `SELECT (array_agg(${shown('s', columns)}))[1] AS one, (array_agg(${shown('s', columns)}))[2] AS other
       FROM ${stage} AS s GROUP BY ${by('s').join(', ')} HAVING count(*) > 1 LIMIT 1`,
    )
    if (merged[0]) throw keysTakenForEqual(target.table, columns, merged[0])
    if (spelled.size === 0) continue
    const same = by('s').map((column, at) => `${column} = ${by('t')[at] ?? ''}`)
    const { rows: met } = await client.query<EqualKeys>(
      `SELECT ${shown('s', columns)} AS one, ${shown('t', columns)} AS other
       FROM ${stage} AS s JOIN ${table.sql} AS t ON ${same.join(' AND ')} WHERE ${shown('s', columns)} <> ${shown('t', columns)}`,
    )
    refuseOtherKeys(target.table, columns, met)
  }
}

/** After `delete_insert`, which deletes by the keys' own bytes: the rows of a key are found by no other one. */
export async function requireOneSpelling(client: pg.Client, keys: PgKeys): Promise<void> {
  const { target, table, stage, columns, loose } = keys
  if (loose.length === 0) return
  const list = columns.map((column) => `t.${name(column)}`).join(', ')
  const { rows } = await client.query<EqualKeys>(
    `SELECT min(${shown('t', columns)}) AS one, max(${shown('t', columns)}) AS other FROM ${table.sql} AS t
     WHERE EXISTS (SELECT FROM ${stage} AS s WHERE ${matching(columns)})
     GROUP BY ${list} HAVING count(DISTINCT ${shown('t', columns)}) > 1 LIMIT 1`,
  )
  if (rows[0]) throw keysTakenForEqual(target.table, columns, rows[0])
}

/** Joins `t` and `s` by the key, as the table compares it; where that is loose, by its bytes as well. */
export function matchingKeys({ columns, loose }: PgKeys): string {
  return loose.length === 0
    ? matching(columns)
    : `${matching(columns)} AND ${shown('t', columns)} = ${shown('s', columns)}`
}

function matching(columns: readonly string[]): string {
  return columns.map((column) => `t.${name(column)} = s.${name(column)}`).join(' AND ')
}

function comparedAs(from: string, { column, collation }: ComparedColumn): string {
  return `${from}.${name(column)}${collation === null ? '' : ` COLLATE ${collation}`}`
}

/** The key as text, which is compared by its bytes. */
function shown(from: string, columns: readonly string[]): string {
  return `concat_ws(', ', ${columns.map((column) => `${from}.${name(column)}::text`).join(', ')}) COLLATE "C"`
}
