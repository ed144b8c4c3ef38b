import type { Column } from '../../../contract/common.ts'
import { EngineError } from '../../engine/errors.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { requireSameRows } from '../../engine/row-accounts.ts'
import { name } from '../../engine/sql-text.ts'
import { queryStream, tableStream, type RowStream } from '../../engine/stream.ts'
import { BytesColumn, type ArrivedValues } from '../../sources/bytes-column.ts'
import type { ChunkColumn, Storage } from '../../sources/chunk-columns.ts'
import { chunkRows, viewOf } from '../../sources/vector-column.ts'
import { decoderOf, type Decoder } from './decoders.ts'
import { placesOf, wholeDigitsOf } from './numeric.ts'
import type { PgColumn } from './read.types.ts'
import { refusal } from '../../targets/refusal.ts'
import { createTypedWriter } from '../../sources/typed-writer.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** Rows of PostgreSQL's binary form into a table of the session, from as many connections as read at once. */
export interface BinaryRows {
  /**
   * Takes the row that begins at `at`. Where it ends; -1: not before `to`; -2: a column must change before more can be taken (see
   * `settle`). The bytes must stay as they are: a row may be written only when the next one of other bytes is taken.
   */
  take(buffer: Buffer, at: number, to: number): number
  /** Changes columns that cannot hold what was met. No row may be taken meanwhile. */
  settle(): Promise<void>
  /** The change under way. */
  settling(): Promise<void> | null
  rows(): number
  finish(): Promise<RowStream>
}

export const incomplete = -1
export const unsettled = -2

interface Field {
  name: string
  column: ChunkColumn
  decode: Decoder
  /** Looks at values before they are decoded: the first one that the column cannot hold as it is, or `to`. */
  measure: ((from: number, to: number, row: number) => number) | null
  /** Of the rows that were taken. */
  hasNulls: boolean
}

/** Rows that were taken and are not written yet, all out of the same bytes. */
interface Taken extends ArrivedValues {
  bytes: Buffer
  view: DataView
  rows: number
  /** How many of them are written. */
  from: number
  /** Some could not be written: no more are taken until they are. */
  isHeld: boolean
  /** Of all together. */
  size: number
}

/**
 * A numeric that is declared without a precision has as many places as its values. It is written with the places met so far, beside
 * a column that says how many each value shows: where a value comes that is no number of 38 digits, all become text as it was.
 */
interface OpenNumber {
  at: number
  /** The column of shown places. */
  placesAt: number
  scale: number
  whole: number
  isText: boolean
}

const mostDigits = 38

export async function createBinaryRows(columns: readonly PgColumn[], context: StageContext): Promise<BinaryRows> {
  const open: OpenNumber[] = columns.flatMap(({ type }, at) =>
    type === 'numeric' ? [{ at, placesAt: -1, scale: 0, whole: 1, isText: false }] : [],
  )
  const hidden = open.map((number, index) => {
    number.placesAt = columns.length + index
    return { name: context.session.newName('places'), storage: 'UTINYINT' as const }
  })
  const writer = await createTypedWriter(context.session, [
    ...columns.map((column) => ({ name: column.name, storage: storageOf(column) })),
    ...hidden,
  ])
  const widths = new Int32Array(columns.length)
  const fields = columns.map((source, at): Field => {
    const column = writer.column(at)
    const { bytes, decode } = decoderOf(column, at, storageOf(source), source.type)
    widths[at] = bytes
    return { name: source.name, column, decode, measure: null, hasNulls: false }
  })
  const nothing = Buffer.alloc(0)
  const taken: Taken = {
    bytes: nothing,
    view: viewOf(nothing),
    places: new Int32Array(chunkRows * columns.length),
    columns: columns.length,
    rows: 0,
    from: 0,
    isHeld: false,
    size: 0,
  }
  let total = 0
  let settling: Promise<void> | null = null
  let wanted: { number: OpenNumber; scale: number | null } | null = null
  for (const number of open) follow(number)

  /** The decoder of an open number, whose values are looked at first. */
  function follow(number: OpenNumber): void {
    const field = fields[number.at]
    const shownPlaces = writer.column(number.placesAt)
    if (!field || shownPlaces instanceof BytesColumn) return
    field.column = writer.column(number.at)
    const type = number.isText ? 'VARCHAR' : decimal(number.scale)
    field.decode = decoderOf(field.column, number.at, type, 'numeric').decode
    field.measure = number.isText
      ? null
      : (from, to, row) => {
          const { view, places } = taken
          for (let value = from; value < to; value++) {
            const place = places[value * columns.length + number.at] ?? -1
            if (place < 0) continue
            const shown = placesOf(view, place)
            const whole = wholeDigitsOf(view, place)
            if (whole === null || whole > number.whole || shown > number.scale) {
              widen(number, shown, whole)
              if (wanted?.number === number) return value
            }
            shownPlaces.bytes[row + value - from] = shown
          }
          return to
        }
  }

  function widen(number: OpenNumber, shown: number, whole: number | null): void {
    const [scale, digits] = [Math.max(number.scale, shown), Math.max(number.whole, whole ?? 0)]
    if (whole === null || scale + digits > mostDigits) wanted = { number, scale: null }
    else {
      number.whole = digits
      if (scale > number.scale) wanted = { number, scale }
    }
  }

  /** Writes the rows that were taken, column by column. false: a column must change before the rest can be written. */
  function write(): boolean {
    const { from, rows, size } = taken
    const row = writer.row()
    let to = rows
    for (const { measure } of fields) if (measure) to = measure(from, to, row)
    for (const [at, field] of fields.entries()) {
      if (field.hasNulls) setNulls(field.column, at, to, row)
      field.decode(taken, from, to, row)
    }
    if (to < rows) {
      taken.from = to
      taken.isHeld = true
      writer.endRows(to - from, 0)
      return false
    }
    writer.endRows(to - from, size)
    taken.bytes = nothing
    taken.isHeld = false
    taken.rows = taken.from = taken.size = 0
    for (const field of fields) field.hasNulls = false
    return true
  }

  function setNulls(column: ChunkColumn, at: number, to: number, row: number): void {
    const { places, from } = taken
    for (let value = from; value < to; value++)
      if ((places[value * fields.length + at] ?? -1) < 0) column.setNull(row + value - from)
  }

  async function change(): Promise<void> {
    if (!wanted) return
    const { number, scale } = wanted
    const value = name(fields[number.at]?.name ?? '')
    if (scale === null) {
      context.log(
        'warn',
        `Column \`${fields[number.at]?.name}\` holds numbers beyond 38 digits, or NaN: it is read as text`,
      )
      await writer.change(
        number.at,
        'VARCHAR',
        shownText(value, number.scale, name(writer.column(number.placesAt).name)),
      )
      number.isText = true
    } else {
      await writer.change(number.at, decimal(scale), `CAST(${value} AS ${decimal(scale)})`)
      number.scale = scale
    }
    wanted = null
    follow(number)
  }

  return {
    take(buffer, at, to) {
      if (wanted) return unsettled
      if (taken.rows > 0 && (buffer !== taken.bytes || taken.isHeld) && !write()) return unsettled
      if (buffer !== taken.bytes) {
        taken.bytes = buffer
        taken.view = viewOf(buffer)
      }
      const { view, places, rows } = taken
      if (at + 2 > to) return incomplete
      const columnCount = view.getInt16(at)
      if (columnCount !== fields.length) throw unexpected(`a row of ${columnCount} columns`)
      let from = at + 2
      let place = rows * columnCount
      for (let index = 0; index < columnCount; index++) {
        if (from + 4 > to) return incomplete
        const length = view.getInt32(from)
        from += 4
        if (length < 0) {
          places[place++] = -1
          const field = fields[index]
          if (field) field.hasNulls = true
          continue
        }
        const width = widths[index]
        if (width !== 0 && width !== length) throw unexpected(`${length} bytes for column \`${fields[index]?.name}\``)
        if (from + length > to) return incomplete
        places[place++] = from
        from += length
      }
      taken.rows = rows + 1
      taken.size += from - at
      total++
      // A large row is not kept until the next one comes.
      if (writer.fills(taken.rows, taken.size)) write()
      return from
    },
    settle: () =>
      (settling ??= change().finally(() => {
        settling = null
      })),
    settling: () => settling,
    rows: () => writer.rows(),
    async finish() {
      while (!write()) await change()
      requireSameRows(total, writer.rows(), 'Rows of the source')
      const { table, rows } = await writer.finish()
      const types = new Map(open.map((number) => [number.at, number.isText ? 'VARCHAR' : decimal(number.scale)]))
      const typed = columns.map((column, at) => ({ name: column.name, type: types.get(at) ?? column.duckdb }))
      if (open.length === 0 && typed.every(({ type }) => type !== 'JSON')) return tableStream(table, typed, rows)
      const list = typed.map(({ name: column, type }) =>
        type === 'JSON' ? `${document(column, typed)} AS ${name(column)}` : name(column),
      )
      const sql = `SELECT ${list.join(', ')} FROM ${name(table)}`
      // The server takes JSON that DuckDB does not: this stage is then the one that fails.
      return { ...queryStream(sql, typed, rows), trail: [{ stage: context.stage, sql }] }
    },
  }
}

/** JSON is put down as text, and looked at when it is read. */
function storageOf({ type, duckdb }: PgColumn): Storage {
  if (type === 'numeric') return decimal(0)
  return duckdb === 'JSON' ? 'VARCHAR' : (duckdb as Storage) // `logicalTypeOf` gives these alone
}

const decimal = (scale: number): `DECIMAL(${number},${number})` => `DECIMAL(${mostDigits},${scale})`

/** SQL of a document that is put down as text. The server takes some, such as half a character, that DuckDB does not. */
function document(column: string, columns: readonly Column[]): string {
  const value = name(column)
  const refused = refusal(
    column,
    'holds a document that cannot be read as JSON:',
    { table: null, key: [], columns },
    { words: value, hint: runMessage('source_json_unreadable_fix', { column: value }).message },
  )
  return `CASE WHEN json_valid(${value}) THEN CAST(${value} AS JSON) WHEN ${value} IS NOT NULL THEN ${refused} END`
}

/** SQL: a number with as many places as it showed. */
function shownText(value: string, scale: number, places: string): string {
  const all = `CAST(${value} AS VARCHAR)`
  return scale === 0
    ? all
    : `left(${all}, length(${all}) - (${scale} - ${places}) - CASE WHEN ${places} = 0 THEN 1 ELSE 0 END)`
}

function unexpected(what: string): EngineError {
  return new EngineError('ROWS_UNACCOUNTED', runMessage('server_sent_other', { what }), {
    hint: runMessage('server_sent_other_fix'),
  })
}
