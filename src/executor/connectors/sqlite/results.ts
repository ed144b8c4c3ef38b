import Database from 'better-sqlite3'
import type { QueryField, ValueType, WireValue } from '../../../contract/query-values.ts'
import { compileBinds, writtenOffset } from '../../../language/sql-binds.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { messageOf } from '../../engine/errors.ts'
import { mustBeginWith, mustHaveValues, notAllowed, outlineOf } from '../read-only.ts'
import type { MistakeAt, StreamResult } from '../results.types.ts'
import { refuseTooLong, wireBytes, wireDouble, wireTagged } from '../wire-values.ts'
import { openSqlite, sqliteError, whenUnlocked } from './database.ts'
import { affinityOf } from './table.ts'
import { bindValues } from './values.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** The process hears that it is to stop between so many milliseconds of rows. */
const sliceMs = 20
const reading = ['select', 'with', 'values']

/** The file is opened read-only, and SQLite itself says that the statement changes nothing. */
export const streamSqlite: StreamResult = async ({ connector, query, parameters }, sink, { signal }) => {
  const { sql, names } = compileBinds(query, 'sqlite')
  mustHaveValues(names, parameters)
  const outline = outlineOf(sql, 'sqlite')
  mustBeginWith(['select', 'with', 'values', 'explain'], outline)
  // Preparing a pragma can be enough for it to act.
  if (outline.words[0] === 'explain')
    mustBeginWith(reading, { ...outline, words: outline.words.slice(outline.words[1] === 'query' ? 3 : 1) })
  const database = openSqlite(connector, 'read')
  try {
    database.pragma('query_only = ON')
    // Views and computed columns of the file may call nothing that acts.
    database.pragma('trusted_schema = OFF')
    const statement = await whenUnlocked(connector, signal, () => database.prepare(sql))
    if (!statement.reader || !statement.readonly) throw notAllowed(runMessage('statement_not_reading'))
    const fields = statement.columns().map(fieldOf)
    const rows = await whenUnlocked(connector, signal, () =>
      statement.raw().safeIntegers().iterate(bindValues(names, parameters)),
    )
    sink.start(fields, sql)
    let until = performance.now() + sliceMs
    for (const row of rows as IterableIterator<unknown[]>) {
      const wait = sink.row(row.map((value, at) => wireValue(value, fields[at]?.type ?? 'any')))
      if (wait) await wait
      if (performance.now() < until) continue
      await new Promise(setImmediate)
      if (signal.aborted) throw cancelled()
      until = performance.now() + sliceMs
    }
  } catch (error) {
    throw signal.aborted ? cancelled() : sqliteError(error, connector)
  } finally {
    database.close()
  }
}

/**
 * The driver doesn’t tell where. SQLite reads from left to right, so the query up to and with the word in question fails in the same
 * way, and up to one that stands earlier it doesn’t.
 */
export const mistakeAtSqlite: MistakeAt = ({ cause }, query) => {
  const message = messageOf(cause)
  const word = /^near "([^]+)": syntax error$/.exec(message)?.[1]
  if (word === undefined) return null
  const { sql } = compileBinds(query, 'sqlite')
  const empty = new Database(':memory:')
  try {
    for (let at = sql.indexOf(word); at >= 0; at = sql.indexOf(word, at + 1)) {
      if (refusalOf(empty, sql.slice(0, at + word.length)) === message) return writtenOffset(query, 'sqlite', at)
    }
    return null
  } finally {
    empty.close()
  }
}

function refusalOf(database: Database.Database, sql: string): string | null {
  try {
    database.prepare(sql)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

export const fieldOf = ({ name, type }: { name: string; type: string | null }): QueryField => ({
  name,
  type: typeOf(type),
  native: type ?? '',
})

/** What most values of a column are, by its affinity; every value says itself what it is. */
function typeOf(declared: string | null): ValueType {
  if (declared === null || declared === '') return 'any'
  const affinity = affinityOf(declared)
  if (affinity === 'INTEGER') return 'bigint'
  if (affinity === 'REAL') return 'double'
  return affinity === 'TEXT' ? 'text' : affinity === 'BLOB' ? 'bytes' : 'any'
}

export function wireValue(value: unknown, type: ValueType): WireValue {
  if (value === null) return null
  const [own, form] = stored(value)
  return own === type ? form : wireTagged(own, form)
}

function stored(value: unknown): [ValueType, WireValue] {
  if (typeof value === 'bigint') return ['bigint', value.toString()]
  if (typeof value === 'number') return ['double', wireDouble(value)]
  if (value instanceof Uint8Array) return ['bytes', wireBytes(value)]
  const text = String(value)
  refuseTooLong(text.length)
  return ['text', text]
}
