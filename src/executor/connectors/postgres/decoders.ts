import { EngineError } from '../../engine/errors.ts'
import { BytesColumn, type ChunkColumn, type FixedColumn } from '../../sources/chunk-columns.ts'
import { numericText, wholeDigitsOf, writeUnscaled } from './numeric.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** Writes a value that is not NULL, in PostgreSQL's binary form, to a row of its column. */
export type Decoder = (buffer: Buffer, at: number, length: number, row: number) => void

/** Days and microseconds from 1970, where DuckDB begins to count, to 2000, where PostgreSQL does. */
const daysBefore = 10_957
const [secondsLow, secondsHigh] = split(BigInt(daysBefore) * 86_400_000_000n)

function split(value: bigint): [number, number] {
  return [Number(value & 0xffffffffn), Number(value >> 32n)]
}

/** By DuckDB's type of the column. `bytes` of a value are checked before; 0: as many as it has. */
export function decoderOf(column: ChunkColumn, type: string, pgType: string): { bytes: number; decode: Decoder } {
  if (column instanceof BytesColumn) return { bytes: 0, decode: bytesDecoder(column, pgType) }
  const { words, shorts, bytes } = column
  switch (type) {
    case 'BOOLEAN':
      return { bytes: 1, decode: (buffer, at, _, row) => void (bytes[row] = buffer[at] ?? 0) }
    case 'SMALLINT':
      return { bytes: 2, decode: (buffer, at, _, row) => void (shorts[row] = buffer.readInt16BE(at)) }
    case 'INTEGER':
    case 'FLOAT':
      return { bytes: 4, decode: (buffer, at, _, row) => void (words[row] = buffer.readInt32BE(at)) }
    case 'DATE':
      return { bytes: 4, decode: (buffer, at, _, row) => void (words[row] = dateOf(buffer.readInt32BE(at))) }
    case 'BIGINT':
      return pgType === 'oid' ? { bytes: 4, decode: oidDecoder(words) } : { bytes: 8, decode: wideDecoder(words) }
    case 'DOUBLE':
    case 'TIME':
      return { bytes: 8, decode: wideDecoder(words) }
    case 'TIMESTAMP':
    case 'TIMESTAMP WITH TIME ZONE':
      return { bytes: 8, decode: momentDecoder(column) }
    case 'UUID':
      return { bytes: 16, decode: uuidDecoder(bytes) }
    default:
      return { bytes: 0, decode: decimalDecoder(column, Number(/,(\d+)\)$/.exec(type)?.[1])) }
  }
}

function bytesDecoder(column: BytesColumn, pgType: string): Decoder {
  if (pgType === 'numeric') return (buffer, at, _, row) => column.put(row, numericText(buffer, at))
  if (pgType !== 'jsonb') return (buffer, at, length, row) => column.set(row, buffer, at, length)
  return (buffer, at, length, row) => {
    // The first byte is the version of the form; there has only been the one.
    if (buffer[at] !== 1) throw new Error(`Column \`${column.name}\`: jsonb of version ${buffer[at]}`)
    column.set(row, buffer, at + 1, length - 1)
  }
}

const oidDecoder =
  (words: Int32Array): Decoder =>
  (buffer, at, _, row) => {
    words[row * 2] = buffer.readInt32BE(at)
    words[row * 2 + 1] = 0
  }

const wideDecoder =
  (words: Int32Array): Decoder =>
  (buffer, at, _, row) => {
    words[row * 2] = buffer.readInt32BE(at + 4)
    words[row * 2 + 1] = buffer.readInt32BE(at)
  }

const [latest, earliest] = [0x7fffffff, -0x80000000]

/** Infinities are the ends of the numbers in both; DuckDB’s lower one is the negative of the upper one. */
function dateOf(days: number): number {
  if (days === latest) return latest
  return days === earliest ? earliest + 1 : days + daysBefore
}

function momentDecoder(column: FixedColumn): Decoder {
  const { words } = column
  return (buffer, at, _, row) => {
    const high = buffer.readInt32BE(at)
    const low = buffer.readUInt32BE(at + 4)
    if ((high === latest && low === 0xffffffff) || (high === earliest && low === 0)) {
      words[row * 2] = high === latest ? -1 : 1
      words[row * 2 + 1] = high
      return
    }
    const sum = low + secondsLow
    const top = high + secondsHigh + (sum > 0xffffffff ? 1 : 0)
    if (top > latest)
      throw refused(
        column.name,
        `${momentText(buffer.readBigInt64BE(at))}, which is later than a timestamp can be here`,
      )
    words[row * 2] = sum
    words[row * 2 + 1] = top
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

/** DuckDB keeps a UUID as a number, whose upper bit is turned so that they sort as texts do. */
function uuidDecoder(bytes: Uint8Array): Decoder {
  return (buffer, at, _, row) => {
    const to = row * 16
    for (let byte = 0; byte < 16; byte++) bytes[to + 15 - byte] = buffer[at + byte] ?? 0
    bytes[to + 15] = (bytes[to + 15] ?? 0) ^ 0x80
  }
}

function decimalDecoder(column: FixedColumn, scale: number): Decoder {
  const { words, shorts, width } = column
  const size = width / 4
  const one = new Int32Array(1)
  return (buffer, at, _, row) => {
    if (wholeDigitsOf(buffer, at) === null) {
      throw refused(column.name, `${numericText(buffer, at)}, which ${column.type.toString()} cannot hold`)
    }
    if (size >= 1) writeUnscaled(buffer, at, scale, words, row * size, size)
    else {
      writeUnscaled(buffer, at, scale, one, 0, 1)
      shorts[row] = one[0] ?? 0
    }
  }
}

function refused(column: string, what: string): EngineError {
  return new EngineError('VALUE_INVALID', runMessage('column_holds', { column, what }), {
    hint: runMessage('column_holds_fix'),
  })
}
