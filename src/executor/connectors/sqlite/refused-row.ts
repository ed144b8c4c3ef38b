import type { DuckDBValue } from '@duckdb/node-api'
import type { Database } from 'better-sqlite3'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'
import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import { EngineError, codeOf } from '../../engine/errors.ts'
import { refused } from '../../targets/left-out.ts'
import { constraintHint } from '../../targets/refusal.ts'
import { orphanFinder, shownValue } from './orphans.ts'

/** Rows that one statement was to insert, and how to insert them again. */
export interface RefusedRows {
  database: Database
  target: TableTarget
  table: string
  /** The table's columns that are written. */
  columns: readonly string[]
  count: number
  /** Number of the first of them among all rows, from 0. */
  first: number
  /** What was bound. */
  value(row: number, column: number): DuckDBValue
  insertOne(row: number): void
  insertAll(): void
}

/** A statement of many rows says what was violated, not by which row: it is looked for, to name it. The transaction ends after that. */
export function refusedRow(rows: RefusedRows, error: unknown): unknown {
  if (!isConstraint(error)) return error
  if (codeOf(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY') return orphanAmong(rows, error)
  if (rows.count === 1) return refusal(rows, 0, error)
  for (let row = 0; row < rows.count; row++) {
    try {
      rows.insertOne(row)
    } catch (own) {
      return isConstraint(own) ? refusal(rows, row, own) : own
    }
  }
  return error
}

export function isConstraint(error: unknown): error is Error {
  return error instanceof Error && codeOf(error)?.startsWith('SQLITE_CONSTRAINT') === true
}

/** Rows of one statement may refer to each other in any order: all are inserted before each is asked for what it refers to. */
function orphanAmong(rows: RefusedRows, error: Error): unknown {
  rows.database.pragma('defer_foreign_keys = ON')
  rows.insertAll()
  const find = orphanFinder(rows.database, rows.table)
  for (let row = 0; row < rows.count; row++) {
    const value = (column: string): unknown => {
      const at = rows.columns.findIndex((one) => one.toLowerCase() === column.toLowerCase())
      return at === -1 ? undefined : rows.value(row, at)
    }
    const orphan = find(value)
    if (orphan === null) continue
    const refers = orphan.columns.map((column) => `\`${column}\` = ${shownValue(value(column))}`).join(', ')
    const cause = runMessage('refers_to_nothing', { cause: error.message, parent: orphan.parent, row: refers })
    return refusal(rows, row, error, cause)
  }
  // A row of another table refers to one that an update has changed.
  return rows.count === 1 ? refusal(rows, 0, error) : error
}

function refusal(rows: RefusedRows, row: number, error: Error, more?: Message): EngineError {
  const { columns, target, first } = rows
  const values = columns.slice(0, 30).map((column, at) => `${column} = ${shownValue(rows.value(row, at))}`)
  const isTrigger = codeOf(error) === 'SQLITE_CONSTRAINT_TRIGGER'
  // A trigger's own words name neither table nor reason.
  const cause = more ?? (isTrigger ? refused(target.table, 'it', error.message) : error.message)
  return new EngineError(
    'CONSTRAINT_VIOLATED',
    runMessage('row_refused_of_values', { row: first + row + 1, cause, table: target.table, values }),
    {
      hint: constraintHint(target.mode !== 'upsert' && /_(UNIQUE|PRIMARYKEY|ROWID)$/.test(codeOf(error) ?? '')),
      cause: error,
    },
  )
}
