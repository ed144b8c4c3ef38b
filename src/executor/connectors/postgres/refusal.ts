import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { postgresError } from './errors.ts'
import { EngineError, codeOf, messageOf } from '../../engine/errors.ts'
import { refused } from '../../targets/left-out.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

/** Raised by PL/pgSQL, or with a code that PostgreSQL leaves to its users. */
const raised = /^(P0|[I-OQ-WYZ])/

/** A row as it is named to a person. */
export interface NamedRow {
  /** From 1. */
  number: number
  /** Table and key: `table orders, id = 5`. */
  words: string
}

const copyPlace = /^COPY .*?, line (\d+)(?:, column ([^:\n]+))?/m

/** The line of COPY’s data that the server refuses; null: it names none. */
export function copyLine(thrown: unknown): number | null {
  const place = copyPlace.exec(whereOf(thrown))
  return place ? Number(place[1]) : null
}

/**
 * What the server says of rows that it refuses. COPY tells the line, which is `row`, or else its number; a trigger’s own words come before that,
 * with lines of its own. `reads`: the statement reads the rows as well, so that it may be the source that raised the error.
 */
export function refusalOf(
  thrown: unknown,
  table: string,
  connector: BoundConnector,
  { reads = false, row = null }: { reads?: boolean; row?: NamedRow | null } = {},
): EngineError {
  const error = postgresError(thrown, connector)
  if (error === thrown) return error
  const where = whereOf(thrown)
  const place = copyPlace.exec(where)
  if (raised.test(codeOf(thrown) ?? '')) {
    const context = where.split('\n', 1)[0] ?? ''
    const words = `${messageOf(thrown)}${context === '' ? '' : ` (${context})`}`
    if (reads)
      return new EngineError(error.code, runMessage('rows_not_copied', { table, text: words }), {
        hint: runMessage('rows_not_copied_fix'),
        cause: thrown,
      })
    return new EngineError('CONSTRAINT_VIOLATED', inRow(place, row, refused(table, place ? 'it' : 'a row', words)), {
      hint: runMessage('trigger_or_function_refused'),
      cause: thrown,
    })
  }
  return new EngineError(error.code, inRow(place, row, error.reason), { hint: error.fix, cause: thrown })
}

function inRow(place: RegExpExecArray | null, named: NamedRow | null, what: Message): Message {
  const cause = named === null ? what : runMessage('refused_named', { cause: what, row: named.words })
  if (!place) return cause
  const row = named?.number ?? Number(place[1])
  return place[2] === undefined
    ? runMessage('in_row', { row, cause })
    : runMessage('row_column_invalid', { row, column: place[2], cause })
}

function whereOf(thrown: unknown): string {
  return typeof thrown === 'object' && thrown !== null && 'where' in thrown ? String(thrown.where) : ''
}
