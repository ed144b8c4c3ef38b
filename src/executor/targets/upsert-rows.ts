import type { Column } from '../../contract/common.ts'
import type { TableTarget } from '../../language/task/targets/target.types.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { rowsUnaccounted } from '../engine/row-accounts.ts'
import { messageSql, param, several } from '../engine/sql-reasons.ts'
import { findColumn, name, names } from '../engine/sql-text.ts'
import { queryStream, tableStream, type RowStream } from '../engine/stream.ts'
import { numberRows } from '../engine/row-numbers.ts'
import { runMessage } from '../../contract/run-messages.ts'

/**
 * Makes the rows of an upsert unambiguous, so that the same input gives the same table twice: rows without a key go to the rejects (a
 * NULL equals nothing, they would be inserted again and again), and of rows with the same key the last one wins. With `delete_insert`
 * a key may stand for many rows: all of them stay.
 */
export async function prepareUpsert(
  target: Pick<TableTarget, 'key'> & { mode?: TableTarget['mode'] },
  stream: RowStream,
  context: StageContext,
): Promise<RowStream> {
  const keys = target.key.map((key) => findColumn(stream.columns, key).name)
  const { table, rows } = await context.materialise(stream)
  const missing = keys.map((key) => `${name(key)} IS NULL`).join(' OR ')
  const [counts] = await context.session.rows(
    `SELECT count(*) FILTER (${missing}), count(*) FILTER (NOT (${missing})) - count(DISTINCT (${names(keys)})) FILTER (NOT (${missing})) FROM ${name(table)}`,
  )
  const [keyless, repeated] = [Number(counts?.[0] ?? 0), Number(counts?.[1] ?? 0)]
  const all = columnList(stream.columns)
  if (keyless > 0) {
    const reason = keys.map(
      (key) => `CASE WHEN ${name(key)} IS NULL THEN ${messageSql('key_column_empty', { column: param(key) })} END`,
    )
    await context.reject(`SELECT ${several(reason)}, ${all} FROM ${name(table)} WHERE ${missing}`)
  }
  const where = keyless > 0 ? ` WHERE NOT (${missing})` : ''
  if (repeated === 0 || target.mode === 'delete_insert') {
    return queryStream(`SELECT ${all} FROM ${name(table)}${where}`, stream.columns, (rows ?? 0) - keyless)
  }
  context.log('warn', `${repeated.toLocaleString('en')} rows have the key of a later row; the last of each was taken`)
  const unique = context.session.newName('unique')
  const order = name(context.session.newName('order'))
  const numbered = await numberRows(table, stream.columns, context)
  const count = await context.session.createTable(
    unique,
    `SELECT ${all} FROM (SELECT *, ${numbered.at} AS ${order} FROM ${name(numbered.table)}${where})
     QUALIFY row_number() OVER (PARTITION BY ${names(keys)} ORDER BY ${order} DESC) = 1 ORDER BY ${order}`,
  )
  const expected = (rows ?? 0) - keyless - repeated
  if (count !== expected) throw rowsUnaccounted(runMessage('distinct_keys_differ', { count, expected }))
  return tableStream(unique, stream.columns, count)
}

function columnList(columns: readonly Column[]): string {
  return names(columns.map((column) => column.name))
}
