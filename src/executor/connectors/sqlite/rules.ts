import type { Database } from 'better-sqlite3'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { TableTarget } from '../../../language/task/targets/target.types.ts'
import { sqliteError } from './database.ts'
import { EngineError, codeOf, messageOf } from '../../engine/errors.ts'
import { name } from '../../engine/sql-text.ts'
import { refused, requireDeleted, requireTaken } from '../../targets/left-out.ts'

/** What a table does by itself with the rows of a statement. */
export interface SqliteRules {
  /** What may leave out rows: `a trigger`; null: nothing. */
  leavesOut: string | null
  /** Triggers may keep rows that are deleted. */
  triggers: boolean
  /** `ON CONFLICT REPLACE`: a row that comes in may take away others. */
  replaces: boolean
  /** A statement that fails may keep its first rows, or end the transaction: `FAIL` and `ROLLBACK`, of a constraint or in any trigger. */
  stopsMidway: boolean
  /** Text may be compared by another collation than by its bytes. */
  collates: boolean
}

/** Asked once per run. */
export function tableRules(database: Database, table: string): SqliteRules {
  const found = database
    .prepare(
      `SELECT type, sql, lower(tbl_name) = lower(?) AS own FROM sqlite_schema WHERE sql IS NOT NULL AND (own OR type = 'trigger')`,
    )
    .all(table) as { type: string; sql: string; own: number }[] // the columns of this query
  const own = found.filter((entry) => entry.own === 1)
  const ddl = own.filter(({ type }) => type !== 'trigger').map(({ sql }) => sql)
  const triggers = own.some(({ type }) => type === 'trigger')
  const conflicts = ddl.some((sql) => /\bON\s+CONFLICT\b/i.test(sql))
  return {
    leavesOut: triggers ? 'a trigger' : conflicts ? 'an ON CONFLICT clause' : null,
    triggers,
    replaces: ddl.some((sql) => /\bON\s+CONFLICT\s+REPLACE\b/i.test(sql)),
    stopsMidway:
      ddl.some((sql) => /\bON\s+CONFLICT\s+(FAIL|ROLLBACK)\b/i.test(sql)) ||
      found.some(({ type, sql }) => type === 'trigger' && /\bRAISE\s*\(\s*(FAIL|ROLLBACK)\b/i.test(sql)),
    collates: ddl.some((sql) => /\bCOLLATE\s+(?!["'`[]?BINARY\b)/i.test(sql)),
  }
}

export function countRows(database: Database, table: string): number {
  return Number(
    database
      .prepare(`SELECT count(*) FROM main.${name(table)}`)
      .pluck()
      .get(),
  )
}

/** Deletes all rows; how many there were. */
export function emptyTable(database: Database, target: TableTarget, table: string, { triggers }: SqliteRules): number {
  const { changes } = database.prepare(`DELETE FROM main.${name(table)}`).run()
  if (triggers) requireDeleted(target, countRows(database, table), 'a trigger')
  return changes
}

/** What an upsert has found of its rows, where it has to be counted: its statement calls these functions. */
export interface Outcomes {
  updated: number
  unchanged: number
}

export const outcomeCalls = { updated: 'headgate_updated()', unchanged: 'headgate_unchanged()' }

export function countOutcomes(database: Database): Outcomes {
  const outcomes: Outcomes = { updated: 0, unchanged: 0 }
  database.function('headgate_updated', () => {
    outcomes.updated++
    return 1
  })
  database.function('headgate_unchanged', () => {
    outcomes.unchanged++
    return 0
  })
  return outcomes
}

export interface SqliteWrite {
  database: Database
  target: TableTarget
  table: string
  rules: SqliteRules
  /** Null: nothing of the table leaves out rows. */
  outcomes: Outcomes | null
  /** Rows of the table before any were inserted; 0 where that does not matter. */
  before: number
  warn(message: string): void
}

export interface SqliteCounts {
  /** Rows that the table has taken, or holds as they are. */
  rows: number
  inserted: number
}

/** Before the commit: of the rows that were sent, `changed` have changed something by SQLite's own count. */
export function accountFor(write: SqliteWrite, sent: number, changed: number): SqliteCounts {
  const { database, target, table, rules, outcomes, before, warn } = write
  const upserts = target.mode === 'upsert'
  const unchanged = upserts ? (outcomes?.unchanged ?? sent - changed) : 0
  const rows = changed + unchanged
  requireTaken({ table: target.table, sent, taken: rows, leavesOut: rules.leavesOut }, warn)
  if (!upserts && !rules.replaces) return { rows, inserted: changed }
  const more = countRows(database, table) - before
  if (!rules.replaces) return { rows, inserted: more }
  const inserted = changed - (outcomes?.updated ?? 0)
  const replaced = inserted - more
  if (replaced > 0)
    warn(
      `Table ${target.table} replaced ${replaced.toLocaleString('en')} ${replaced === 1 ? 'row' : 'rows'} that conflicted with new ones: it has an ON CONFLICT clause`,
    )
  return { rows, inserted }
}

/** What SQLite says of a statement that wrote to the table. */
export function refusalOf(error: unknown, table: string, connector: BoundConnector): EngineError {
  const translated = sqliteError(error, connector)
  if (codeOf(error) !== 'SQLITE_CONSTRAINT_TRIGGER') return translated
  return new EngineError(translated.code, refused(table, 'a row', messageOf(error)), {
    hint: translated.fix,
    cause: error,
  })
}
