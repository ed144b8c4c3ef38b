import type { Column } from '../../contract/common.ts'
import { parseMapExpression, type MapColumn, type MapShape } from '../../language/expressions/map-expression.ts'
import type { MapStep } from '../../language/task/steps/step.types.ts'
import { strictCast } from '../engine/cast-faults.ts'
import { withoutKeys, type StreamColumn } from '../engine/column-origin.ts'
import { EngineError } from '../engine/errors.ts'
import type { StageContext, StepRunner } from '../engine/lane.types.ts'
import { numberColumn, placesAmong, type Places } from '../engine/places.ts'
import { requireSameRows } from '../engine/row-accounts.ts'
import { duckDbType, name, refuseDuplicates } from '../engine/sql-text.ts'
import { tableStream, type RowStream } from '../engine/stream.ts'
import { startMapper } from '../sandbox/mapper.ts'
import type { MappedRecord } from '../sandbox/sandbox.types.ts'
import { createRecordWriter, type RecordWriter } from '../sources/record-writer.ts'
import { mapColumn } from './map-values.ts'
import { numberRows } from '../engine/row-numbers.ts'
import { runMessage } from '../../contract/run-messages.ts'

const rowsAtOnce = 512

/**
 * What the expression passes on as it is, is taken from the row itself and not from what JavaScript made of it: its type, every digit, and
 * NULL. Only what is computed is written down.
 */
export const mapStep: StepRunner<'map'> = {
  kind: 'map',
  async apply(step, stream, context) {
    const shape = shapeOf(step)
    const expected = shape === null ? [] : expectedColumns(shape, stream.columns)
    const passed = passedOn(shape, expected, stream.columns)
    const { places } = stream
    const numbers = passed.size > 0 || places !== undefined
    const writer = writerFor(step, expected, { passed, numbers }, context)
    if (passed.size === 0) {
      const add: RowTaker = (record, row) => writer.add(places ? { ...record, [rowColumn]: row } : record)
      await context.consume(stream, async () => ({ rows: await mapRows(step, stream, context, add), value: null }))
      if (writer.rows() === 0 && expected.length === 0 && Object.keys(step.columns).length === 0) throw noColumns()
      const records = await writer.finish()
      return places ? withoutNumbers(records, places, context) : records
    }
    const given = await context.materialise(stream)
    await mapRows(step, given, context, (record, row) => {
      for (const column of passed.keys()) delete record[column]
      return writer.add({ ...record, [rowColumn]: row })
    })
    return joined(await writer.finish(), given, { step, expected, passed, places }, context)
  },
}

/** Where the number of a record's row is kept. Nothing that an expression shows is called that. */
const rowColumn = '\u0001row'

function writerFor(
  step: MapStep,
  expected: readonly MapColumn[],
  { passed, numbers }: { passed: ReadonlyMap<string, StreamColumn>; numbers: boolean },
  context: StageContext,
): RecordWriter {
  const computed = expected.filter((column) => !passed.has(column.name))
  const declared = Object.entries(step.columns).filter(([column]) => !passed.has(column))
  const known = computed.flatMap(({ name: column, type }) =>
    type === null ? [] : [[column, duckDbType(type)] as const],
  )
  return createRecordWriter(context, {
    columns: Object.fromEntries(declared),
    names: [...computed.map((column) => column.name), ...(numbers ? [rowColumn] : [])],
    types: new Map(numbers ? [...known, [rowColumn, 'BIGINT']] : known),
  })
}

/** Columns of the result whose value is a column of the row, with that column. */
function passedOn(
  shape: MapShape | null,
  expected: readonly MapColumn[],
  columns: readonly StreamColumn[],
): Map<string, StreamColumn> {
  const columnOf = (wanted: string | null): StreamColumn | undefined => columns.find((column) => column.name === wanted)
  return new Map(
    expected.flatMap(({ name: column, from }) => {
      const own = columnOf(from)
      // Where it would take the place of one that the row has itself, that one stays where there is no value.
      const isEither = shape?.spread === true && column !== from && columnOf(column) !== undefined
      return own === undefined || isEither ? [] : [[column, own] as const]
    }),
  )
}

interface Mapping {
  step: MapStep
  expected: readonly MapColumn[]
  passed: ReadonlyMap<string, StreamColumn>
  places: Places | undefined
}

/** The records without the numbers of the rows that they were made of. */
async function withoutNumbers(
  records: RowStream & { table: string },
  before: Places,
  context: StageContext,
): Promise<RowStream> {
  const columns = records.columns.filter((column) => column.name !== rowColumn)
  if (columns.length === 0) throw noColumns()
  const places = await placesOf(records, before, context)
  await context.session.run(`ALTER TABLE ${name(records.table)} DROP COLUMN ${name(rowColumn)}`)
  return { ...tableStream(records.table, columns, records.rows ?? 0), places }
}

/** The records' places: their numbers are put down, for the table with them is not kept. */
async function placesOf(
  records: RowStream & { table: string },
  before: Places,
  { session }: StageContext,
): Promise<Places> {
  const numbers = session.newName('numbers')
  await session.createTable(numbers, `SELECT ${name(rowColumn)} AS ${name(numberColumn)} FROM ${name(records.table)}`)
  return placesAmong(before, { numbers: `SELECT * FROM ${name(numbers)}`, decidedBy: [] }, session)
}

/** The records, in their order, beside the rows that they were made of. */
async function joined(
  records: RowStream & { table: string },
  given: RowStream & { table: string },
  { step, expected, passed, places }: Mapping,
  context: StageContext,
): Promise<RowStream> {
  const { session } = context
  const shown = expected.map((column) => column.name)
  const others = records.columns
    .map((column) => column.name)
    .filter((column) => column !== rowColumn && !shown.includes(column))
  const names = [...shown, ...others]
  refuseDuplicates(names)
  const columns: StreamColumn[] = []
  const fields: string[] = []
  const casts: string[] = []
  for (const column of names) {
    const own = passed.get(column)
    fields.push(own === undefined ? `made.${name(column)}` : `given.${name(own.name)} AS ${name(column)}`)
    const from = own?.type ?? records.columns.find((other) => other.name === column)?.type ?? 'VARCHAR'
    const type = own !== undefined && Object.hasOwn(step.columns, column) ? step.columns[column] : undefined
    const to = type === undefined ? from : duckDbType(type)
    casts.push(type === undefined ? name(column) : `${strictCast({ column, from, type, to })} AS ${name(column)}`)
    columns.push(own !== undefined && type === undefined ? { ...own, name: column } : { name: column, type: to })
  }
  const made = await numberRows(records.table, records.columns, context)
  const read = await numberRows(given.table, given.columns, context)
  const table = session.newName('mapped')
  const rows = await session.createTable(
    table,
    `SELECT ${casts.join(', ')} FROM (
       SELECT ${fields.join(', ')}, made.${name(orderColumn)}
       FROM (SELECT *, ${made.at} AS ${name(orderColumn)} FROM ${name(made.table)}) made
       JOIN (SELECT *, ${read.at} AS ${name(orderColumn)} FROM ${name(read.table)}) given ON made.${name(rowColumn)} = given.${name(orderColumn)}
     ) ORDER BY ${name(orderColumn)}`,
  )
  requireSameRows(records.rows ?? 0, rows, 'Rows made by the expression')
  const own = places && (await placesOf(records, places, context))
  await session.run(`DROP TABLE ${name(records.table)}`)
  const result = tableStream(table, withoutKeys(columns, step.kind), rows)
  return own ? { ...result, places: own } : result
}

const orderColumn = '\u0001order'

/** Takes a record with the number of the row that it was made of. */
type RowTaker = (record: MappedRecord, row: number) => Promise<void>

/** Reads the rows and maps them; how many were read. */
async function mapRows(step: MapStep, stream: RowStream, context: StageContext, take: RowTaker): Promise<number> {
  const json = stream.columns.flatMap((column, index) => (column.type === 'JSON' ? [index] : []))
  let made = 0
  const mapper = startMapper({
    expression: step.expression,
    timeoutMs: step.timeout_ms,
    columns: stream.columns.map((column) => column.name),
    json,
    signal: context.signal,
    stage: context.stage,
    async take(record, row) {
      await take(record, row)
      made++
    },
  })
  let read = 0
  try {
    for await (const chunk of context.session.chunks(stream.sql)) {
      const columns = stream.columns.map((_, index) => mapColumn(chunk, index))
      for (let from = 0; from < chunk.rowCount; from += rowsAtOnce) {
        const rows = Math.min(rowsAtOnce, chunk.rowCount - from)
        await mapper.add(
          columns.map((column) => column.slice(from, from + rows)),
          rows,
        )
      }
      read += chunk.rowCount
      context.reached(made)
    }
    await mapper.finish()
    return read
  } finally {
    await mapper.end()
  }
}

function shapeOf({ expression }: MapStep): MapShape | null {
  const parsed = parseMapExpression(expression)
  if (parsed.ok) return parsed.shape
  throw new EngineError('EXPRESSION_FAILED', parsed.problem.message, { hint: parsed.problem.hint })
}

/** Columns that the text of the expression shows, with the one whose value they are. */
function expectedColumns(shape: MapShape, columns: readonly Column[]): MapColumn[] {
  if (!shape.spread) return shape.columns
  const written = new Map(shape.columns.map((column) => [column.name, column]))
  const own = columns.map(({ name: from }) => written.get(from) ?? { name: from, from, type: null })
  const added = shape.columns.filter((column) => !columns.some((other) => other.name === column.name))
  return [...own, ...added]
}

function noColumns(): EngineError {
  return new EngineError('VALUE_INVALID', runMessage('map_without_columns'), {
    hint: runMessage('map_without_columns_fix'),
  })
}
