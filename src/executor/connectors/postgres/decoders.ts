import { EngineError } from '../../engine/errors.ts'
import { BytesColumn, type ArrivedValues } from '../../sources/bytes-column.ts'
import type { ChunkColumn, FixedColumn } from '../../sources/chunk-columns.ts'
import { isFinite, numericText, roomForNumericText, writeNumericText, writeUnscaled } from './numeric.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/**
 * Writes values `from` to `to` of a column, in PostgreSQL's binary form, to its rows from `row` on, except for those that are NULL. Each type has
 * a loop of its own: choosing again for every value, or a call for each, costs several times what the values do.
 */
export type Decoder = (values: ArrivedValues, from: number, to: number, row: number) => void

/** Days and microseconds from 1970, where DuckDB begins to count, to 2000, where PostgreSQL does. */
const daysBefore = 10_957
const [secondsLow, secondsHigh] = split(BigInt(daysBefore) * 86_400_000_000n)

function split(value: bigint): [number, number] {
  return [Number(value & 0xffffffffn), Number(value >> 32n)]
}

/** Of column `at`, by DuckDB's type. `bytes`: that a value must have, which is checked before; 0: as many as it has. */
export function decoderOf(
  column: ChunkColumn,
  at: number,
  type: string,
  pgType: string,
): { bytes: number; decode: Decoder } {
  if (column instanceof BytesColumn) return { bytes: 0, decode: bytesDecoder(column, at, pgType) }
  switch (type) {
    case 'BOOLEAN':
      return { bytes: 1, decode: booleanDecoder(column, at) }
    case 'SMALLINT':
      return { bytes: 2, decode: shortDecoder(column, at) }
    case 'INTEGER':
    case 'FLOAT':
      return { bytes: 4, decode: wordDecoder(column, at) }
    case 'DATE':
      return { bytes: 4, decode: dateDecoder(column, at) }
    case 'BIGINT':
      return pgType === 'oid'
        ? { bytes: 4, decode: oidDecoder(column, at) }
        : { bytes: 8, decode: wideDecoder(column, at) }
    case 'DOUBLE':
    case 'TIME':
      return { bytes: 8, decode: wideDecoder(column, at) }
    case 'TIMESTAMP':
    case 'TIMESTAMP WITH TIME ZONE':
      return { bytes: 8, decode: momentDecoder(column, at) }
    case 'UUID':
      return { bytes: 16, decode: uuidDecoder(column, at) }
    default:
      return { bytes: 0, decode: decimalDecoder(column, at, Number(/,(\d+)\)$/.exec(type)?.[1])) }
  }
}

function bytesDecoder(column: BytesColumn, at: number, pgType: string): Decoder {
  if (pgType === 'numeric')
    return ({ view, places, columns }, from, to, row) => {
      for (let value = from; value < to; value++) {
        const place = places[value * columns + at] ?? -1
        if (place < 0) continue
        const begin = column.room(roomForNumericText(view, place))
        column.fill(row + value - from, begin, writeNumericText(view, place, column.heap, begin))
      }
    }
  if (pgType !== 'jsonb') return (values, from, to, row) => column.take(values, at, from, to, row)
  return (values, from, to, row) => {
    const { view, places, columns } = values
    for (let value = from; value < to; value++) {
      const place = places[value * columns + at] ?? -1
      // The first byte is the version of the form; there has only been the one.
      if (place >= 0 && (view.getInt32(place - 4) === 0 || view.getUint8(place) !== 1))
        throw new Error(`Column \`${column.name}\`: jsonb of another version than 1`)
    }
    column.take(values, at, from, to, row, 1)
  }
}

const booleanDecoder =
  ({ bytes }: FixedColumn, at: number): Decoder =>
  ({ view, places, columns }, from, to, row) => {
    for (let value = from; value < to; value++) {
      const place = places[value * columns + at] ?? -1
      if (place >= 0) bytes[row + value - from] = view.getUint8(place)
    }
  }

const shortDecoder =
  ({ shorts }: FixedColumn, at: number): Decoder =>
  ({ view, places, columns }, from, to, row) => {
    for (let value = from; value < to; value++) {
      const place = places[value * columns + at] ?? -1
      if (place >= 0) shorts[row + value - from] = view.getInt16(place)
    }
  }

const wordDecoder =
  ({ words }: FixedColumn, at: number): Decoder =>
  ({ view, places, columns }, from, to, row) => {
    for (let value = from; value < to; value++) {
      const place = places[value * columns + at] ?? -1
      if (place >= 0) words[row + value - from] = view.getInt32(place)
    }
  }

const oidDecoder =
  ({ words }: FixedColumn, at: number): Decoder =>
  ({ view, places, columns }, from, to, row) => {
    for (let value = from, word = row * 2; value < to; value++, word += 2) {
      const place = places[value * columns + at] ?? -1
      if (place < 0) continue
      words[word] = view.getInt32(place)
      words[word + 1] = 0
    }
  }

const wideDecoder =
  ({ words }: FixedColumn, at: number): Decoder =>
  ({ view, places, columns }, from, to, row) => {
    for (let value = from, word = row * 2; value < to; value++, word += 2) {
      const place = places[value * columns + at] ?? -1
      if (place < 0) continue
      words[word] = view.getInt32(place + 4)
      words[word + 1] = view.getInt32(place)
    }
  }

const [latest, earliest] = [0x7fffffff, -0x80000000]

/** Infinities are the ends of the numbers in both; DuckDB’s lower one is the negative of the upper one. */
const dateDecoder =
  ({ words }: FixedColumn, at: number): Decoder =>
  ({ view, places, columns }, from, to, row) => {
    for (let value = from; value < to; value++) {
      const place = places[value * columns + at] ?? -1
      if (place < 0) continue
      const days = view.getInt32(place)
      words[row + value - from] = days === latest ? latest : days === earliest ? earliest + 1 : days + daysBefore
    }
  }

const momentDecoder =
  ({ name, words }: FixedColumn, at: number): Decoder =>
  ({ view, places, columns }, from, to, row) => {
    for (let value = from, word = row * 2; value < to; value++, word += 2) {
      const place = places[value * columns + at] ?? -1
      if (place < 0) continue
      const high = view.getInt32(place)
      const low = view.getUint32(place + 4)
      if ((high === latest && low === 0xffffffff) || (high === earliest && low === 0)) {
        words[word] = high === latest ? -1 : 1
        words[word + 1] = high
        continue
      }
      const sum = low + secondsLow
      const top = high + secondsHigh + (sum > 0xffffffff ? 1 : 0)
      if (top > latest) {
        const moment = momentText(view.getBigInt64(place))
        throw refused(name, `${moment}, which is later than a timestamp can be here`)
      }
      words[word] = sum
      words[word + 1] = top
    }
  }

/** DuckDB keeps a UUID as a number, whose upper bit is turned so that they sort as texts do. */
const uuidDecoder =
  ({ words }: FixedColumn, at: number): Decoder =>
  ({ view, places, columns }, from, to, row) => {
    for (let value = from, word = row * 4; value < to; value++, word += 4) {
      const place = places[value * columns + at] ?? -1
      if (place < 0) continue
      words[word] = view.getInt32(place + 12)
      words[word + 1] = view.getInt32(place + 8)
      words[word + 2] = view.getInt32(place + 4)
      words[word + 3] = view.getInt32(place) ^ earliest
    }
  }

function decimalDecoder(column: FixedColumn, at: number, scale: number): Decoder {
  const { words, shorts, width } = column
  const size = Math.max(width / 4, 1)
  // Those of 16 bits go through one of 32.
  const target = width < 4 ? new Int32Array(1) : words
  return ({ view, places, columns }, from, to, row) => {
    for (let value = from; value < to; value++) {
      const place = places[value * columns + at] ?? -1
      if (place < 0) continue
      if (!isFinite(view, place)) {
        throw refused(column.name, `${numericText(view, place)}, which ${column.type.toString()} cannot hold`)
      }
      const written = row + value - from
      if (target === words) writeUnscaled(view, place, scale, words, written * size, size)
      else {
        writeUnscaled(view, place, scale, target, 0, 1)
        shorts[written] = target[0] ?? 0
      }
    }
  }
}

/** A late moment that PostgreSQL counts in microseconds from 2000, as it writes it. */
function momentText(micros: bigint): string {
  const day = micros / 86_400_000_000n + BigInt(daysBefore)
  // JavaScript's dates end in the year 275760; every 400 years have the same days.
  const eras = day / 146_097n
  const seconds = Number((micros % 86_400_000_000n) / 1_000_000n)
  const date = new Date(Number(day % 146_097n) * 86_400_000 + seconds * 1000)
  return `${BigInt(date.getUTCFullYear()) + eras * 400n}${date.toISOString().slice(4, 19).replace('T', ' ')}`
}

function refused(column: string, what: string): EngineError {
  return new EngineError('VALUE_INVALID', runMessage('column_holds', { column, what }), {
    hint: runMessage('column_holds_fix'),
  })
}
