import { EngineError } from '../../engine/errors.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { name } from '../../engine/sql-text.ts'
import { queryStream, tableStream, type RowStream } from '../../engine/stream.ts'
import { BytesColumn, type ChunkColumn, type Storage } from '../../sources/chunk-columns.ts'
import { decoderOf, type Decoder } from './decoders.ts'
import { placesOf, wholeDigitsOf } from './numeric.ts'
import type { PgColumn } from './read.types.ts'
import { createTypedWriter } from '../../sources/typed-writer.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** Rows of PostgreSQL's binary form into a table of the session, from as many connections as read at once. */
export interface BinaryRows {
  /**
   * Writes the row that begins at `at`. Where it ends; -1: not before `to`; -2: a column must change before it can be written (see
   * `settle`).
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
  /** Bytes that a value must have; 0: any. */
  bytes: number
  decode: Decoder
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
  const fields = columns.map((source, at): Field => {
    const column = writer.column(at)
    return { name: source.name, column, ...decoderOf(column, storageOf(source), source.type) }
  })
  let settling: Promise<void> | null = null
  let wanted: { number: OpenNumber; scale: number | null } | null = null
  for (const number of open) follow(number)

  /** The decoder of an open number, which looks at each value first. */
  function follow(number: OpenNumber): void {
    const field = fields[number.at]
    const places = writer.column(number.placesAt)
    if (!field || places instanceof BytesColumn) return
    field.column = writer.column(number.at)
    const { decode } = decoderOf(field.column, number.isText ? 'VARCHAR' : decimal(number.scale), 'numeric')
    field.decode = number.isText
      ? decode
      : (buffer, at, length, row) => {
          const shown = placesOf(buffer, at)
          const whole = wholeDigitsOf(buffer, at)
          if (whole === null || whole > number.whole || shown > number.scale) widen(number, shown, whole)
          if (wanted) return
          places.bytes[row] = shown
          decode(buffer, at, length, row)
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

  /** A row that is not there to its end is written again, and another one may come before. */
  function begunAgain(row: number): typeof incomplete {
    for (const field of fields) field.column.setValid(row)
    return incomplete
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
      if (at + 2 > to) return incomplete
      const columnCount = buffer.readInt16BE(at)
      if (columnCount !== fields.length) throw unexpected(`a row of ${columnCount} columns`)
      const row = writer.row()
      let from = at + 2
      for (let index = 0; index < fields.length; index++) {
        const field = fields[index]
        if (!field || from + 4 > to) return begunAgain(row)
        const length = buffer.readInt32BE(from)
        from += 4
        if (length < 0) field.column.setNull(row)
        else {
          if (field.bytes !== 0 && field.bytes !== length)
            throw unexpected(`${length} bytes for column \`${field.name}\``)
          if (from + length > to) return begunAgain(row)
          field.decode(buffer, from, length, row)
          if (wanted) return unsettled
          from += length
        }
      }
      writer.endRow(from - at)
      return from
    },
    settle: () =>
      (settling ??= change().finally(() => {
        settling = null
      })),
    settling: () => settling,
    rows: () => writer.rows(),
    async finish() {
      const { table, rows } = await writer.finish()
      const types = new Map(open.map((number) => [number.at, number.isText ? 'VARCHAR' : decimal(number.scale)]))
      const typed = columns.map((column, at) => ({ name: column.name, type: types.get(at) ?? column.duckdb }))
      if (open.length === 0 && typed.every(({ type }) => type !== 'JSON')) return tableStream(table, typed, rows)
      const list = typed.map(({ name: column, type }) =>
        type === 'JSON' ? `CAST(${name(column)} AS JSON) AS ${name(column)}` : name(column),
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
