import type { StageContext } from '../engine/lane.types.ts'
import { messageSql, param, several } from '../engine/sql-reasons.ts'
import { findColumn, name, names } from '../engine/sql-text.ts'
import { queryStream, tableStream, type RowStream } from '../engine/stream.ts'

/** Rows without a key go to the rejects: a NULL equals nothing, so they would be inserted again and again. */
export async function rejectEmptyKeys(
  target: { key: string[] },
  stream: RowStream,
  context: StageContext,
): Promise<RowStream> {
  const keys = target.key.map((key) => findColumn(stream.columns, key).name)
  const { table, rows } = await context.materialise(stream)
  const missing = keys.map((key) => `${name(key)} IS NULL`).join(' OR ')
  const all = names(stream.columns.map((column) => column.name))
  const reason = keys.map(
    (key) => `CASE WHEN ${name(key)} IS NULL THEN ${messageSql('key_column_empty', { column: param(key) })} END`,
  )
  const rejected = await context.reject(`SELECT ${several(reason)}, ${all} FROM ${name(table)} WHERE ${missing}`)
  const kept = (rows ?? 0) - rejected
  if (rejected === 0) return tableStream(table, stream.columns, kept)
  return queryStream(`SELECT ${all} FROM ${name(table)} WHERE NOT (${missing})`, stream.columns, kept)
}
