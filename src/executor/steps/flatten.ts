import type { Column } from '../../contract/common.ts'
import type { FlattenStep } from '../../language/task/steps/step.types.ts'
import { plainColumn } from '../engine/column-origin.ts'
import { EngineError } from '../engine/errors.ts'
import type { StageContext, StepRunner } from '../engine/lane.types.ts'
import { hasLossyNumbers, withDigits } from '../engine/json-digits.ts'
import { findColumn, name, refuseDuplicates, text } from '../engine/sql-text.ts'
import { mapped, tableStream, type RowStream } from '../engine/stream.ts'
import { isObject, jsonColumns, readShape, type JsonPlace } from './json-shape.ts'
import { numberRows, type NumberedTable } from '../engine/row-numbers.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** A column to be: an expression over the columns that enter, or a JSON value whose type is still open. */
interface Part {
  name: string
  sql: string
  type: string
  json?: JsonPlace
}

interface Flattening {
  step: FlattenStep
  context: StageContext
  /** Put down where JSON has to be read before its columns are known. */
  stream: RowStream
  /** What was put down; null: nothing yet. */
  staged: NumberedTable | null
}

const mostColumns = 2_000

export const flattenStep: StepRunner<'flatten'> = {
  kind: 'flatten',
  async apply(step, stream, context) {
    const work: Flattening = { step, context, stream, staged: null }
    const wanted = step.columns?.map((column) => checkedColumn(stream.columns, column).name)
    const parts: Part[] = []
    const untouched = new Set<Part>()
    for (const column of stream.columns) {
      const part = { name: column.name, sql: name(column.name), type: column.type }
      const taken = wanted === undefined || wanted.includes(column.name)
      const found = taken ? await expand(part, step.depth, work, wanted !== undefined) : [part]
      if (found.includes(part)) untouched.add(part)
      parts.push(...found)
      if (parts.length > mostColumns) throw tooMany()
    }
    await settleJson(parts, work)
    refuseClash(parts, step)
    const fields = parts.map((part) => `${part.sql} AS ${name(part.name)}`).join(', ')
    // What was not taken apart is as it was.
    const columns = parts.map(
      (part) => stream.columns.find((column) => untouched.has(part) && column.name === part.name) ?? plainColumn(part),
    )
    const { places } = stream
    const flat = mapped(work.stream, context.stage, `SELECT ${fields} FROM (${work.stream.sql})`, columns)
    return places ? { ...flat, places } : flat
  },
}

function checkedColumn(columns: readonly Column[], wanted: string): Column {
  const column = findColumn(columns, wanted)
  if (column.type.startsWith('STRUCT(') && !column.type.endsWith(']')) return column
  if (column.type === 'JSON') return column
  throw new EngineError(
    'VALUE_INVALID',
    runMessage('column_has_no_objects', { column: column.name, type: column.type }),
    {
      hint:
        column.type === 'VARCHAR'
          ? runMessage('column_has_no_objects_fix', { column: column.name })
          : runMessage('column_has_no_objects_fix_2'),
    },
  )
}

async function expand(part: Part, depth: number, work: Flattening, named = false): Promise<Part[]> {
  if (depth === 0) return [part]
  if (part.type.startsWith('STRUCT(') && !part.type.endsWith(']')) return expandStruct(part, depth, work)
  return part.type === 'JSON' ? expandJson(part, depth, work, named) : [part]
}

async function expandStruct(part: Part, depth: number, work: Flattening): Promise<Part[]> {
  const fields = await work.context.session.describe(`SELECT unnest(CAST(NULL AS ${part.type}))`)
  const parts: Part[] = []
  for (const field of fields) {
    const inner = {
      name: joined(part, field.name, work.step),
      sql: `struct_extract(${part.sql}, ${text(field.name)})`,
      type: field.type,
    }
    parts.push(...(await expand(inner, depth - 1, work)))
  }
  return parts
}

/** Only its rows tell the keys: they are put down, and read once more. */
async function expandJson(part: Part, depth: number, work: Flattening, named: boolean): Promise<Part[]> {
  const { context } = work
  const staged = (work.staged ??= await putDown(work))
  const shape = await readShape(context.session, staged, part.sql)
  if (isObject(shape)) return expandKeys({ ...part, json: { base: part.sql, keys: [], shape } }, depth, work.step)
  if (named && [...shape.kinds].some((kind) => kind !== 'object' && kind !== 'odd'))
    throw await notAnObject(part, name(staged.table), context)
  return [part]
}

async function putDown(work: Flattening): Promise<NumberedTable> {
  const { context, stream } = work
  const rows = stream.table === undefined ? await context.materialise(stream) : { ...stream, table: stream.table }
  work.stream = rows
  return numberRows(rows.table, rows.columns, context)
}

function expandKeys(part: Part, depth: number, step: FlattenStep): Part[] {
  const { json } = part
  if (!json || depth === 0 || !isObject(json.shape)) return [part]
  return [...json.shape.keys].flatMap(([key, shape]) => {
    const inner: Part = {
      name: joined(part, key, step),
      sql: '',
      type: '',
      json: { base: json.base, keys: [...json.keys, key], shape },
    }
    return expandKeys(inner, depth - 1, step)
  })
}

function joined(part: Part, key: string, { separator }: FlattenStep): string {
  return `${part.name}${separator}${key}`
}

async function notAnObject(part: Part, table: string, { session }: StageContext): Promise<EngineError> {
  const [row] = await session.rows(
    `SELECT left(CAST(${part.sql} AS VARCHAR), 200) FROM ${table} WHERE json_type(${part.sql}) NOT IN ('OBJECT', 'NULL') LIMIT 1`,
  )
  return new EngineError('VALUE_INVALID', runMessage('value_not_object', { part: part.name, row: String(row?.[0]) }), {
    hint: runMessage('value_not_object_fix'),
  })
}

async function settleJson(parts: Part[], work: Flattening): Promise<void> {
  const open = parts.filter((part) => part.json !== undefined)
  if (open.length === 0 || work.staged === null) return
  if (parts.length > mostColumns) throw tooMany()
  const table = await keepDigits(
    open.flatMap((part) => part.json ?? []),
    work.staged.table,
    work,
  )
  const columns = await jsonColumns(
    work.context.session,
    name(table),
    open.flatMap((part) => part.json ?? []),
  )
  open.forEach((part, index) => Object.assign(part, columns[index]))
}

/** Documents with numbers that matter are put down once more, with these marked; the table to read from. */
async function keepDigits(places: JsonPlace[], table: string, work: Flattening): Promise<string> {
  const { session } = work.context
  const bases = [...new Set(places.map(({ base }) => base))]
  const [found] = await session.rows(
    `SELECT ${bases.map((base) => `bool_or(${hasLossyNumbers(base)})`).join(', ')} FROM ${name(table)}`,
  )
  const lossy = bases.filter((_, at) => found?.[at] === true)
  if (lossy.length === 0) return table
  const kept = session.newName('digits')
  const marked = new Map(lossy.map((base) => [base, session.newName('document')]))
  const fields = [...marked].map(([base, column]) => `${withDigits(base)} AS ${name(column)}`)
  const rows = await session.createTable(kept, `SELECT *, ${fields.join(', ')} FROM (${work.stream.sql})`)
  work.stream = tableStream(kept, work.stream.columns, rows)
  for (const place of places) {
    const column = marked.get(place.base)
    if (column !== undefined) place.base = name(column)
  }
  return kept
}

function refuseClash(parts: Part[], { separator }: FlattenStep): void {
  try {
    refuseDuplicates(parts.map((part) => part.name))
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw new EngineError(error.code, runMessage('after_flattening', { cause: error.reason }), {
      hint: runMessage('after_flattening_fix', { separator }),
    })
  }
}

function tooMany(): EngineError {
  return new EngineError('VALUE_INVALID', runMessage('flatten_too_many_columns', { most: mostColumns }), {
    hint: runMessage('flatten_too_many_columns_fix'),
  })
}
