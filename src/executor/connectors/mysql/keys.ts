import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import { mysqlName, type MysqlSession, type MysqlValue } from './client.ts'
import type { MysqlColumn } from './catalog.ts'
import { cancelled } from '../../engine/duckdb.ts'
import type { EngineError } from '../../engine/errors.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { findColumn, name } from '../../engine/sql-text.ts'
import type { RowStream } from '../../engine/stream.ts'
import { columnValues } from '../../engine/vectors.ts'
import type { ColumnPlan } from '../../targets/column-plan.ts'
import { keysTakenForEqual } from '../../targets/equal-keys.ts'
import { mysqlRow } from './literals.ts'
import { valueKindOf } from '../../targets/type-map.ts'

export interface MysqlKeys {
  target: TableTarget
  /** The table’s name, quoted. */
  table: string
  writes: ColumnPlan['writes']
  /** Declared types of the table's columns, by name in lower case. */
  types: ReadonlyMap<string, string>
  /** Columns that may take keys for equal that differ: by case, accents, blanks at the end, or characters that the collation does not know. */
  loose: ReadonlySet<string>
}

/** Keys that one statement names. */
const keysPerStatement = 1000
/** Collations by which every difference is one. */
const exactCollation = /_(nopad|0900)_bin$/

/** How the table compares the keys of an upsert or `delete_insert`. */
export function keysOf(
  target: TableTarget,
  place: Pick<MysqlKeys, 'table' | 'types'>,
  { writes }: ColumnPlan,
  columns: readonly MysqlColumn[],
): MysqlKeys {
  const given = writes.map(({ from }) => from)
  const keys = target.key.flatMap((key) => writes.find(({ from }) => from === findColumn(given, key)) ?? [])
  const loose = keys.filter(({ from, to }) => {
    const column = columns.find((candidate) => candidate.name === to)
    if (!column || column.collation === null || from.type === 'UUID') return false
    if (!['text', 'json'].includes(valueKindOf(from.type))) return false
    // What is declared with a length alone drops blanks at the end.
    return !exactCollation.test(column.collation) || !/^(varchar|(tiny|medium|long)?text)/.test(column.type)
  })
  return { ...place, target, writes: keys, loose: new Set(loose.map(({ to }) => to)) }
}

/** Keys as lists of literals: `('a',1),('b',2)`. */
interface KeyBatch {
  keys: string
  /** In lower case, where the table may take keys for equal that differ. */
  folded: string
  each: readonly string[]
}

/** `prepare` has put the stream down: reading it several times gives the same rows. */
async function eachBatch(
  { target, writes, types, loose }: MysqlKeys,
  stream: RowStream,
  { session, signal }: StageContext,
  work: (batch: KeyBatch) => Promise<void>,
): Promise<void> {
  const lower = writes.map(({ from, to }, at) =>
    // As text, whatever the column is: in lower case it may be no member of an ENUM.
    loose.has(to) ? { from: { name: `headgate_lower_${at}`, type: 'VARCHAR' }, to: '' } : { from, to },
  )
  const columns = writes.map(({ from }, at) =>
    lower[at]?.from === from
      ? name(from.name)
      : `${name(from.name)}, lower(${name(from.name)}) AS headgate_lower_${at}`,
  )
  const shown = { table: target.table, key: target.key, columns: writes.map(({ from }) => from) }
  const rows = `SELECT DISTINCT ${columns.join(', ')} FROM (${stream.sql})`
  for await (const chunk of session.chunks(
    `SELECT ${mysqlRow(writes, types, shown)}, ${mysqlRow(lower, types, shown)} FROM (${rows})`,
  )) {
    const [keys, folded] = [0, 1].map((column) => columnValues(chunk, column).map(String))
    for (let from = 0; from < chunk.rowCount; from += keysPerStatement) {
      const each = keys?.slice(from, from + keysPerStatement) ?? []
      const lowered = folded?.slice(from, from + keysPerStatement) ?? []
      await work({ keys: each.join(','), folded: lowered.join(','), each })
      if (signal.aborted) throw cancelled()
    }
  }
}

/** SQL of the key columns: as the table compares them, by their bytes, by those of their lower case, and as text. */
function expressions({ writes, loose }: MysqlKeys) {
  const list = (of: (column: string, isLoose: boolean) => string): string =>
    writes.map(({ to }) => of(mysqlName(to), loose.has(to))).join(', ')
  const text = (column: string): string => `CONVERT(${column} USING utf8mb4)`
  return {
    compared: list((column) => column),
    bytes: list((column, isLoose) => (isLoose ? `CAST(${text(column)} AS BINARY)` : column)),
    folded: list((column, isLoose) => (isLoose ? `CAST(LOWER(${text(column)}) AS BINARY)` : column)),
    shown: `CAST(concat_ws(', ', ${list((column, isLoose) => (isLoose ? text(column) : column))}) AS BINARY)`,
  }
}

/** Deletes the rows of the table whose keys come in, by the keys' own bytes; how many. */
export async function deleteKeys(
  database: MysqlSession,
  keys: MysqlKeys,
  stream: RowStream,
  context: StageContext,
): Promise<number> {
  const { compared, bytes } = expressions(keys)
  let deleted = 0
  await eachBatch(keys, stream, context, async (batch) => {
    const exactly = keys.loose.size === 0 ? '' : ` AND (${bytes}) IN (${batch.keys})`
    deleted += (await database.run(`DELETE FROM ${keys.table} WHERE (${compared}) IN (${batch.keys})${exactly}`))
      .affectedRows
  })
  return deleted
}

/** After `delete_insert`: the rows of a key are found by no other one. */
export async function requireOneSpelling(
  database: MysqlSession,
  keys: MysqlKeys,
  stream: RowStream,
  context: StageContext,
): Promise<void> {
  if (keys.loose.size === 0) return
  const { compared, shown } = expressions(keys)
  await eachBatch(keys, stream, context, async (batch) => {
    const [pair] = await database.rows(
      `SELECT min(${shown}), max(${shown}) FROM ${keys.table} WHERE (${compared}) IN (${batch.keys})
       GROUP BY ${compared} HAVING count(DISTINCT ${shown}) > 1 LIMIT 1`,
    )
    if (pair) throw takenForEqual(keys, pair[0], pair[1])
  })
}

/**
 * Before an upsert: no key finds the row of another one. One in another case is the same key, as the table compares it; what differs by
 * more is not.
 */
export async function requireSameKeys(
  database: MysqlSession,
  keys: MysqlKeys,
  stream: RowStream,
  context: StageContext,
): Promise<void> {
  if (keys.loose.size === 0) return
  const { compared, folded, shown } = expressions(keys)
  await eachBatch(keys, stream, context, async (batch) => {
    const others = (literals: string): string =>
      `FROM ${keys.table} WHERE (${compared}) IN (${literals}) AND NOT (${folded}) IN (${batch.folded})`
    const [other] = await database.rows(`SELECT ${shown} ${others(batch.keys)} LIMIT 1`)
    if (!other) return
    const met = await search(
      batch.each,
      async (some) => (await database.rows(`SELECT 1 ${others(some)} LIMIT 1`)).length > 0,
    )
    const [found] = await database.rows(`SELECT ${shown} ${others(met)} LIMIT 1`)
    throw takenForEqual(keys, await shownLiteral(database, met), found?.[0])
  })
}

/** After an upsert, in which each row has written its key: none has taken the place of another one that came in. */
export async function requireOwnRows(
  database: MysqlSession,
  keys: MysqlKeys,
  stream: RowStream,
  context: StageContext,
): Promise<void> {
  if (keys.loose.size === 0) return
  await eachBatch(keys, stream, context, ({ each }) => requireStored(database, keys, each))
}

/** Each of these keys is there as it came in. */
export async function requireStored(
  database: MysqlSession,
  keys: MysqlKeys,
  literals: readonly string[],
): Promise<void> {
  if (keys.loose.size === 0) return
  const { compared, bytes, shown } = expressions(keys)
  const lacks = async (some: string, count: number): Promise<boolean> => {
    const [row] = await database.rows(
      `SELECT count(*) FROM ${keys.table} WHERE (${compared}) IN (${some}) AND (${bytes}) IN (${some})`,
    )
    return Number(row?.[0] ?? 0) < count
  }
  if (!(await lacks(literals.join(','), literals.length))) return
  const lost = await search(literals, lacks)
  const [found] = await database.rows(`SELECT ${shown} FROM ${keys.table} WHERE (${compared}) IN (${lost})`)
  throw takenForEqual(keys, await shownLiteral(database, lost), found?.[0])
}

/** The first of the literals that is so, where one of them is: each question halves them. */
async function search(
  literals: readonly string[],
  isAmong: (some: string, count: number) => Promise<boolean>,
): Promise<string> {
  let left = literals
  while (left.length > 1) {
    const half = left.slice(0, Math.ceil(left.length / 2))
    left = (await isAmong(half.join(','), half.length)) ? half : left.slice(half.length)
  }
  return left[0] ?? ''
}

async function shownLiteral(database: MysqlSession, literal: string): Promise<MysqlValue | undefined> {
  const [row] = await database.rows(`SELECT concat_ws(', ', ${literal.slice(1)}`)
  return row?.[0]
}

function takenForEqual(
  { target, writes }: MysqlKeys,
  one: MysqlValue | undefined,
  other: MysqlValue | undefined,
): EngineError {
  const columns = writes.map(({ to }) => to)
  return keysTakenForEqual(target.table, columns, { one: String(one ?? ''), other: String(other ?? '') })
}
