import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { ValueChange } from '../../../contract/value-change.ts'
import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import { asEngineError, type EngineError } from '../../engine/errors.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import type { RowStream } from '../../engine/stream.ts'
import type { ColumnPlan } from '../../targets/column-plan.ts'
import { copyField } from '../../targets/encode.ts'
import { withPostgres } from './client.ts'
import { postgresError } from './errors.ts'
import { exactField } from './exact.ts'
import { doubtedColumns, readBack, textsOf } from './read-back.ts'
import type { PgColumn } from './table.ts'

/** What a table makes of rows that aren't written to it. */
export interface Trial {
  changes: ValueChange[]
  /** The first value that it refuses. */
  refused: EngineError | null
}

/** The same tests that a run makes of what the server changes without a word. Reads only. */
export async function tryRows(
  target: TableTarget,
  connector: BoundConnector,
  { writes, table }: { writes: ColumnPlan['writes']; table: readonly PgColumn[] },
  rows: RowStream,
  context: StageContext,
): Promise<Trial> {
  const { session, signal } = context
  const of = { table: target.table, key: target.key, columns: rows.columns }
  const fields = writes.flatMap(({ from, to }) => {
    const { sql } = copyField(from)
    const type = table.find((column) => column.name === to)?.base
    const field = type === undefined ? sql : exactField(from, { name: to, type }, sql, of)
    return field === sql ? [] : [`count(${field})`]
  })
  const trial: Trial = { changes: [], refused: null }
  const refuse = (thrown: unknown): void => {
    const error = asEngineError(thrown)
    if (error.code === 'CANCELLED') throw error
    trial.refused ??= error
  }
  if (fields.length > 0) await session.rows(`SELECT ${fields.join(', ')} FROM (${rows.sql})`).catch(refuse)
  const doubted = doubtedColumns(writes, table)
  if (doubted.length === 0) return trial
  const texts = await session.rows(textsOf(doubted, target, rows))
  await withPostgres(connector, signal, async (client) => {
    for (const [at, column] of doubted.entries()) {
      // A text that the server refuses ends the transaction, and says nothing of other columns.
      await client.query('BEGIN READ ONLY')
      try {
        const values = [texts.map((row) => row[0]), texts.map((row) => row[at + 1])]
        const change = await readBack(
          client,
          column,
          'SELECT * FROM unnest($1::text[], $2::text[]) AS t(words, v)',
          values,
        )
        if (change) trial.changes.push(change)
      } catch (thrown) {
        if (signal.aborted) throw thrown
        refuse(postgresError(thrown, connector))
      }
      await client.query('ROLLBACK')
    }
  })
  return trial
}
