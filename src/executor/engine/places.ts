import type { Column } from '../../contract/common.ts'
import type { Message } from '../../language/message.ts'
import type { DuckSession } from './duckdb.ts'
import { EngineError } from './errors.ts'
import { name, text } from './sql-text.ts'
import type { ScalarUse } from './user-sql.ts'

/** Where the rows of a stream were read. Asked for rejected rows only: rows carry no numbers on their way. */
export interface Places {
  /** Of some rows, counted from 0 in their order. One that is missing was read nobody knows where. */
  of(rows: ReadonlySet<number>): Promise<ReadonlyMap<number, RowPlace>>
  /** Functions in the expressions that have made the rows' values: the stream has its order if each gives one value of one row. */
  calls: readonly string[]
}

export type Place = Omit<Message, 'message'>

export const placeOf = (file: string, line: number): Place => ({ code: 'at_line', params: { file, line } })

export interface RowPlace {
  /** File and line: a message that lacks what is wrong there. */
  where: Place
  /** The row as it was read: its line, or its values. */
  row: Record<string, unknown>
  /** `line`: the row is a line of a file, as the file has it. */
  form?: 'line'
}

/** Of a step that makes one row of each row by these expressions. */
export function placesAfter({ places, columns }: Placed, uses: readonly (ScalarUse | null)[]): { places?: Places } {
  const calls = uses.map((use) => use && callsOf(use, columns))
  return places && !calls.includes(null)
    ? { places: { ...places, calls: [...places.calls, ...calls.flatMap((own) => own ?? [])] } }
    : {}
}

/** Of a step that leaves rows out by an expression. */
export function placesWhere(
  { places, columns, sql }: Placed & { sql: string },
  where: string,
  use: ScalarUse | null,
  session: DuckSession,
): { places?: Places } {
  if (!places || !use) return {}
  const decidedBy = [...places.calls, ...callsOf(use, columns)]
  const number = name(numberColumn)
  const numbers = `SELECT ${number} FROM (SELECT *, row_number() OVER () - 1 AS ${number} FROM (${sql})) WHERE (${where}\n)`
  return { places: placesAmong(places, { numbers, decidedBy }, session) }
}

interface Placed {
  places?: Places
  columns: readonly Column[]
}

/** What is named and is no column is a function without brackets, or nothing that can be known. */
function callsOf({ calls, reads }: ScalarUse, columns: readonly Column[]): string[] {
  const own = new Set(columns.map((column) => column.name.toLowerCase()))
  return [...calls, ...reads.filter((read) => !own.has(read))]
}

interface Left {
  /** A query of the rows' numbers before, from 0, in the order of the rows that are left. Run once, if at all. */
  numbers: string
  /** What decides on which rows are left: it must do so in the same way when asked again. */
  decidedBy: readonly string[]
}

/** Of a step that has left some of the rows out. */
export function placesAmong(places: Places, { numbers, decidedBy }: Left, session: DuckSession): Places {
  let kept: Promise<string | null> | null = null
  async function putDown(): Promise<string | null> {
    if (!(await areFunctions(decidedBy, repeatable, session))) return null
    const table = session.newName('kept')
    try {
      await session.createTable(table, numbers)
      return table
    } catch (error) {
      // Rows that were left out may have values at which this fails.
      if (error instanceof EngineError && error.code !== 'CANCELLED') return null
      throw error
    }
  }
  return {
    calls: places.calls,
    async of(rows) {
      const table = await (kept ??= putDown())
      if (table === null || rows.size === 0) return new Map()
      const before = (
        await session.rows(
          `SELECT rowid, ${name(numberColumn)} FROM ${name(table)} WHERE rowid IN (${[...rows].join(', ')})`,
        )
      ).map(([row, number]) => [Number(row), Number(number)] as const)
      const found = await places.of(new Set(before.map(([, number]) => number)))
      return new Map(
        before.flatMap(([row, number]) => {
          const place = found.get(number)
          return place ? [[row, place] as const] : []
        }),
      )
    },
  }
}

/** What a query of `numbers` calls its column. No header is called that. */
export const numberColumn = '\u0001number'

/** Whether each row's values still stand in the order in which the rows were read. */
export function keepsOrder({ calls }: Places, session: DuckSession): Promise<boolean> {
  return areFunctions(calls, ofOneRow, session)
}

const ofOneRow = `bool_and(function_type = 'scalar')`
const repeatable = `bool_and(function_type = 'scalar' AND stability = 'CONSISTENT')`
/** Macros of DuckDB that call nothing but such functions. */
const plainMacros = new Set(['nullif', 'split_part'])

async function areFunctions(calls: readonly string[], all: string, session: DuckSession): Promise<boolean> {
  const asked = [...new Set(calls)].filter((call) => !plainMacros.has(call))
  if (asked.length === 0) return true
  const [row] = await session.rows(
    `SELECT count(*) FROM (SELECT function_name FROM duckdb_functions() WHERE function_name IN (${asked.map(text).join(', ')}) GROUP BY function_name HAVING ${all})`,
  )
  return Number(row?.[0]) === asked.length
}
