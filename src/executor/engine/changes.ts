import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'
import { shortened } from '../../language/shortened.ts'
import type { ValueChange } from '../../contract/value-change.ts'
import type { ChangeTest } from './change-test.ts'
import { EngineError } from './errors.ts'
import type { StageContext } from './lane.types.ts'
import { name, text } from './sql-text.ts'
import type { RowStream } from './stream.ts'

/** SQL: whether a number of floating point is -0.0. */
export const isMinusZero = (value: string): string => `${value} = 0 AND signbit(${value})`

/** -0.0 in a column of floating point. */
export function minusZeroTest(column: string): ChangeTest {
  return {
    column,
    change: runMessage('change_minus_zero'),
    when: isMinusZero(name(column)),
    holds: (value) => Object.is(value, -0),
  }
}

/** A number of double precision that single precision rounds. `type`: the target's name of it. */
export function singlePrecisionTest(column: string, type: string): ChangeTest {
  const value = name(column)
  return {
    column,
    change: runMessage('change_rounded', { type }),
    when: `CAST(TRY_CAST(${value} AS FLOAT) AS DOUBLE) <> ${value}`,
  }
}

/** Every value there is. */
export function everyValueTest(column: string, change: Message): ChangeTest {
  return { column, change, when: `${name(column)} IS NOT NULL`, holds: (value) => value !== null }
}

/** Whether asking for the rows again gives the same ones, and costs little. */
function isPutDown(stream: RowStream): boolean {
  return stream.table !== undefined || (stream.rows !== null && stream.trail.length === 0)
}

const found = (column: string, { message, code, params }: Message, count: number): ValueChange => ({
  column,
  change: message,
  code,
  params,
  count,
})

/** What the tests find in the stream's rows: one aggregate for all of them. */
export async function findChanges(
  tests: readonly ChangeTest[],
  stream: RowStream,
  { session }: Pick<StageContext, 'session'>,
): Promise<ValueChange[]> {
  if (tests.length === 0) return []
  // Only the example becomes text: an aggregate's argument is computed for every row, whatever its FILTER says.
  const fields = tests.map(
    ({ column, when }) => `count(*) FILTER (${when}), CAST(first(${name(column)}) FILTER (${when}) AS VARCHAR)`,
  )
  const [row = []] = await session.rows(`SELECT ${fields.join(', ')} FROM (${stream.sql})`)
  return tests.flatMap(({ column, change }, at) => {
    const count = Number(row[at * 2] ?? 0)
    const example = row[at * 2 + 1]
    return count === 0
      ? []
      : [{ ...found(column, change, count), ...(typeof example === 'string' && { example: shortened(example, 100) }) }]
  })
}

/** Counts what the tests find in values on their way, which costs no pass over the rows. */
export function countChanges(tests: readonly ChangeTest[]): {
  look(column: string, values: readonly unknown[]): void
  found(): ValueChange[]
} {
  const counted = tests.map((test) => ({ ...test, count: 0, example: null as unknown }))
  return {
    look(column, values) {
      for (const test of counted) {
        if (test.column !== column) continue
        const { holds } = test
        if (!holds) throw new Error(`No test of single values for “${test.change.message}”`)
        for (const value of values) if (holds(value) && test.count++ === 0) test.example = value
      }
    },
    found: () =>
      counted.flatMap(({ column, change, count, example }) =>
        count === 0
          ? []
          : [
              {
                ...found(column, change, count),
                example: shortened(Object.is(example, -0) ? '-0.0' : String(example), 100),
              },
            ],
      ),
  }
}

/** Reports what the tests find, before the rows are written; the stream to write. Without tests nothing is read. `lost`: see `StageContext.changed`. */
export async function reportChanges(
  tests: readonly ChangeTest[],
  stream: RowStream,
  context: StageContext,
  lost?: 'lost',
): Promise<RowStream> {
  if (tests.length === 0) return stream
  const rows = isPutDown(stream) ? stream : await context.materialise(stream)
  context.changed(await findChanges(tests, rows, context), lost)
  return { ...rows, ...(stream.places ? { places: stream.places } : {}) }
}

const changeMark = 'headgate:change'

/**
 * For targets that can write again from the start: rows are written as they come, and put down and counted only when a test finds one.
 * `write` gets the stream, and what was found.
 */
export async function writeLooking<T>(
  tests: readonly ChangeTest[],
  stream: RowStream,
  context: StageContext,
  write: (stream: RowStream, found: readonly ValueChange[]) => Promise<T>,
): Promise<T> {
  if (tests.length === 0) return write(stream, [])
  if (!isPutDown(stream)) {
    try {
      return await write(guarded(tests, stream), [])
    } catch (error) {
      if (!(error instanceof EngineError) || !error.message.includes(changeMark)) throw error
    }
  }
  const rows = isPutDown(stream) ? stream : await context.materialise(stream)
  return write(rows, await findChanges(tests, rows, context))
}

/** The same rows; fails on the first that a test finds. */
function guarded(tests: readonly ChangeTest[], stream: RowStream): RowStream {
  const fields = stream.columns.map((column) => {
    const when = tests.filter((test) => test.column === column.name).map((test) => `(${test.when})`)
    const value = name(column.name)
    return when.length === 0
      ? value
      : `CASE WHEN ${when.join(' OR ')} THEN error(${text(changeMark)}) ELSE ${value} END AS ${value}`
  })
  const { table: _, ...rest } = stream
  return { ...rest, sql: `SELECT ${fields.join(', ')} FROM (${stream.sql})` }
}
