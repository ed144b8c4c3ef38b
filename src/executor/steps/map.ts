import type { Column } from '../../contract/common.ts'
import { parseMapExpression, type MapColumn, type MapShape } from '../../language/expressions/map-expression.ts'
import type { MapStep } from '../../language/task/steps/step.types.ts'
import { EngineError } from '../engine/errors.ts'
import type { StageContext, StepRunner } from '../engine/lane.types.ts'
import { name } from '../engine/sql-text.ts'
import { queryStream, type RowStream } from '../engine/stream.ts'
import { startMapper } from '../sandbox/mapper.ts'
import { createRecordWriter, type RecordWriter } from '../sources/record-writer.ts'
import { mapColumn } from './map-values.ts'

const rowsAtOnce = 512

export const mapStep: StepRunner<'map'> = {
  kind: 'map',
  async apply(step, stream, context) {
    const shape = shapeOf(step)
    const expected = shape === null ? [] : expectedColumns(shape, stream.columns)
    const writer = createRecordWriter(context, { columns: step.columns, names: expected.map((column) => column.name) })
    await context.consume(stream, async () => ({ rows: await mapRows(step, stream, context, writer), value: null }))
    if (writer.rows() === 0 && expected.length === 0 && Object.keys(step.columns).length === 0) throw noColumns()
    return keepTypes(await writer.finish(), step, stream, expected)
  },
}

/** Reads the rows and maps them; how many were read. */
async function mapRows(step: MapStep, stream: RowStream, context: StageContext, writer: RecordWriter): Promise<number> {
  const json = stream.columns.flatMap((column, index) => (column.type === 'JSON' ? [index] : []))
  const mapper = startMapper({
    expression: step.expression,
    timeoutMs: step.timeout_ms,
    columns: stream.columns.map((column) => column.name),
    json,
    signal: context.signal,
    stage: context.stage,
    take: writer.add,
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
      context.reached(writer.rows())
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
  const own = columns.map(({ name: from }) => written.get(from) ?? { name: from, from })
  const added = shape.columns.filter((column) => !columns.some((other) => other.name === column.name))
  return [...own, ...added]
}

function noColumns(): EngineError {
  return new EngineError('VALUE_INVALID', 'The expression gave no rows, and its text does not show their columns', {
    hint: 'Name them with their types in the long form: `map: {expression: …, columns: {id: integer}}`. Then no rows are an empty table.',
  })
}

/** Types that lists and objects do not change on their way through JSONata. */
function isScalar(type: string): boolean {
  return type !== 'JSON' && !/[\])]$/.test(type.replace(/^DECIMAL\(\d+,\d+\)$/, 'DECIMAL'))
}

/** What is passed on unchanged keeps its type: integers of 64 bits, decimals and moments came as text where they had to. */
function keepTypes(
  mapped: RowStream & { table: string },
  step: MapStep,
  stream: RowStream,
  expected: MapColumn[],
): RowStream {
  const declared = new Set(Object.keys(step.columns))
  const columns = mapped.columns.map((column) => {
    const { from } = expected.find((other) => other.name === column.name) ?? { from: null }
    const source = stream.columns.find((other) => other.name === from)
    return source && !declared.has(column.name) && isScalar(source.type) ? { ...column, type: source.type } : column
  })
  const fields = columns.map((column, index) => {
    const was = mapped.columns[index]?.type
    if (was === column.type) return name(column.name)
    const value =
      column.type === 'BLOB' ? `from_base64(${name(column.name)})` : `CAST(${name(column.name)} AS ${column.type})`
    return `${value} AS ${name(column.name)}`
  })
  const sql = `SELECT ${fields.join(', ')} FROM ${name(mapped.table)}`
  return queryStream(sql, columns, mapped.rows ?? 0)
}
