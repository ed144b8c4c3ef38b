import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'
import { readCastFailure } from './cast-faults.ts'
import type { DuckSession } from './duckdb.ts'
import { asEngineError, EngineError } from './errors.ts'
import { keepsOrder, type Places } from './places.ts'
import { name } from './sql-text.ts'

/** Rows as they enter a step. */
export interface RowsBefore {
  sql: string
  places?: Places
}

/**
 * Of a value that an expression of the user's own can't take DuckDB says no more than the value: this finds the first row that fails also by
 * itself, and the column that the step makes of it. Only after a failure. The same error where no single row is to blame, as for a sum.
 * `sql`: the step's query over `before`.
 */
export async function inFirstRow(
  session: DuckSession,
  before: RowsBefore,
  sql: string,
  error: EngineError,
): Promise<EngineError> {
  if (!isOfValue(readCastFailure(error))) return error
  const table = session.newName('failed')
  try {
    const rows = await session.createTable(table, before.sql)
    return await firstOf(session, { table, rows, before, sql }, error)
  } catch (thrown) {
    // Not even that: the first error says more.
    if (thrown instanceof EngineError) return thrown.code === 'CANCELLED' ? thrown : error
    throw thrown
  } finally {
    await session.rows(`DROP TABLE IF EXISTS ${name(table)}`).catch(() => undefined)
  }
}

/** A cast of ours, or a conversion of DuckDB's; not what a person has raised by `error()`. */
function isOfValue(error: EngineError): boolean {
  if (error.code === 'CAST_FAILED') return !error.vague
  return error.code === 'VALUE_INVALID' && ['use_try_cast', 'cast_wider'].includes(error.fix?.code ?? '')
}

interface Failed {
  /** Holds the rows of `before`. */
  table: string
  rows: number
  before: RowsBefore
  sql: string
}

async function firstOf(session: DuckSession, failed: Failed, error: EngineError): Promise<EngineError> {
  const { table, rows, before, sql } = failed
  const [read, ...more] = sql.split(`(${before.sql})`)
  if (read === undefined || more.length !== 1 || rows === 0) return error
  // The limit keeps a filter of the step behind the choice of the rows.
  const over = (first: number, last: number): string =>
    `${read}(SELECT * FROM ${name(table)} WHERE rowid BETWEEN ${first} AND ${last} LIMIT ${last - first + 1})${more[0]}`
  const failure = async (query: string): Promise<EngineError | null> => {
    try {
      await session.rows(query)
      return null
    } catch (thrown) {
      const again = readCastFailure(asEngineError(thrown))
      if (isOfValue(again)) return again
      throw again
    }
  }
  const ofRows = (first: number, last: number): Promise<EngineError | null> =>
    failure(`SELECT sum(hash(headgate_row)) FROM (${over(first, last)}) headgate_row`)
  let [first, last] = [0, rows - 1]
  while (first < last) {
    const middle = Math.floor((first + last) / 2)
    if (await ofRows(first, middle)) last = middle
    else first = middle + 1
  }
  const own = await ofRows(first, first)
  if (!own) return error
  const one = over(first, first)
  // Casts of ours name the column; a filter fails for no column.
  const hasNone = own.code === 'CAST_FAILED' || (await failure(`SELECT count(*) FROM (${one})`)) !== null
  const column = hasNone ? null : await columnOf()
  return new EngineError(own.code, await placed(session, before, first, inColumn(column, own.reason)), {
    hint: own.fix,
    stage: own.stage,
    cause: own,
  })

  async function columnOf(): Promise<string | null> {
    for (const column of await session.describe(one))
      if (await failure(`SELECT hash(${name(column.name)}) FROM (${one})`)) return column.name
    return null
  }
}

function inColumn(column: string | null, cause: Message): Message {
  return column === null ? cause : runMessage('in_column', { column, cause })
}

/** By file and line where they are known, else by the number of the row that entered the step. */
async function placed(session: DuckSession, { places }: RowsBefore, row: number, cause: Message): Promise<Message> {
  const found = places && (await keepsOrder(places, session)) ? await places.of(new Set([row])) : undefined
  const { code, params } = found?.get(row)?.where ?? {}
  const file = String(params?.['file'])
  if (code === 'at_line') return runMessage('at_line', { file, line: Number(params?.['line']), cause })
  if (code === 'at_row') return runMessage('at_row', { file, row: Number(params?.['row']), cause })
  return runMessage('in_row', { row: row + 1, cause })
}
