import type { Binary, BSONRegExp, BSONSymbol, Decimal128, Document, Double, Int32, Long, ObjectId } from 'mongodb'
import type { Json } from '../../../language/task/task.types.ts'
import { EngineError } from '../../engine/errors.ts'
import { TypedText, type FieldValue } from '../../sources/record-values.ts'
import type { MongoDriver } from './client.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** What extended JSON is made of, by its keys. Of these only; operators with other keys stay operators (`$regex`, `$type`). */
const extendedForms: ReadonlySet<string> = new Set([
  '$oid',
  '$date',
  '$numberInt',
  '$numberLong',
  '$numberDouble',
  '$numberDecimal',
  '$binary',
  '$uuid',
  '$timestamp',
  '$regularExpression',
  '$minKey',
  '$maxKey',
])

/** A document as the task wrote it, as MongoDB takes it. */
export function fromExtendedJson(value: Json, driver: MongoDriver, path: string): unknown {
  if (Array.isArray(value)) return value.map((item, index) => fromExtendedJson(item, driver, `${path}[${index}]`))
  if (typeof value !== 'object' || value === null) {
    // Whole numbers beyond 32 bits would travel as floating point.
    return typeof value === 'number' && Number.isSafeInteger(value) && (value | 0) !== value
      ? driver.Long.fromNumber(value)
      : value
  }
  const [form, ...more] = Object.keys(value)
  if (form === undefined || more.length > 0 || !extendedForms.has(form))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, fromExtendedJson(item, driver, `${path}.${key}`)]),
    )
  // A cursor comes as a number, or, when it is long, with a form of its own: `{$numberLong: "${{ state.cursor }}"}`.
  const inner = value[form]
  if (form.startsWith('$number') && typeof inner === 'object' && inner !== null) {
    return fromExtendedJson(inner, driver, path)
  }
  const plain = form.startsWith('$number') && typeof inner === 'number' ? { [form]: String(inner) } : value
  try {
    return driver.BSON.EJSON.deserialize(form === '$date' ? utcDate(inner ?? null) : plain, { relaxed: false })
  } catch (error) {
    throw new EngineError(
      'QUERY_INVALID',
      runMessage('extended_json_invalid', { path, form, value: JSON.stringify(value).slice(0, 200) }),
      {
        hint: form === '$date' ? runMessage('extended_json_invalid_fix') : runMessage('extended_json_invalid_fix_2'),
        cause: error,
      },
    )
  }
}

/** A moment without a zone is UTC, as everywhere in a task. */
function utcDate(written: Json): Document {
  if (typeof written !== 'string') {
    if (typeof written === 'object' && written !== null) return { $date: written }
    throw new TypeError('not a moment')
  }
  const zoned = /[T ]\d{2}.*(Z|[+-]\d{2}:?\d{2})$/i.test(written) || !/[T ]\d{2}/.test(written)
  const moment = new Date(zoned ? written : `${written.replace(' ', 'T')}Z`)
  if (Number.isNaN(moment.getTime())) throw new TypeError('not a moment')
  return { $date: moment.toISOString() }
}

interface Bson {
  _bsontype: string
}

/** The driver's own values carry a symbol; a document may well have a field called `_bsontype`. */
const bsonMark = Symbol.for('@@mdb.bson.version')

function isBson(value: object): value is Bson {
  return bsonMark in value
}

/** A top-level field of a document on its way into the session; the driver gives wrapped numbers, so that types are known. */
export function fieldValue(value: unknown, field: string, driver: MongoDriver): FieldValue {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return new TypedText('datetime', momentText(value, field))
  if (typeof value !== 'object') return value // texts and booleans; numbers are wrapped
  if (!isBson(value)) return plainRecord(value, field, driver)
  switch (value._bsontype) {
    case 'Double':
      return new TypedText('number', doubleText((value as unknown as Double).value)) // by the tag of the driver, as below
    case 'Decimal128':
      return new TypedText('decimal', decimalText((value as unknown as Decimal128).toString()))
    case 'Binary': {
      const binary = value as unknown as Binary
      return binary.sub_type === 4 && binary.position === 16
        ? new TypedText('uuid', binary.toUUID().toHexString())
        : bytesOf(binary)
    }
    default:
      return plainBson(value, field, driver)
  }
}

/** Inside of documents and lists: what JSON has no word for is text, or extended JSON where it is no plain value. */
function plainValue(value: unknown, field: string, driver: MongoDriver): unknown {
  if (value instanceof Date) return momentText(value, field)
  if (typeof value !== 'object' || value === null) return value
  if (isBson(value)) return plainBson(value, field, driver)
  return plainRecord(value, field, driver)
}

/** Documents and lists stay such. */
function plainRecord(value: object, field: string, driver: MongoDriver): object {
  if (Array.isArray(value)) return value.map((item) => plainValue(item, field, driver))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainValue(item, field, driver)]))
}

function plainBson(value: Bson, field: string, driver: MongoDriver): string | number | bigint | object {
  switch (value._bsontype) {
    case 'Int32':
      return (value as unknown as Int32).value
    case 'Long':
      return (value as unknown as Long).toBigInt()
    case 'Double': {
      const number = (value as unknown as Double).value
      return Number.isFinite(number) ? number : doubleText(number)
    }
    case 'Decimal128':
      return decimalText((value as unknown as Decimal128).toString())
    case 'ObjectId':
      return (value as unknown as ObjectId).toHexString()
    case 'Binary': {
      const binary = value as unknown as Binary
      return binary.sub_type === 4 && binary.position === 16
        ? binary.toUUID().toHexString()
        : Buffer.from(bytesOf(binary)).toString('base64')
    }
    case 'BSONSymbol':
      return (value as unknown as BSONSymbol).valueOf()
    case 'BSONRegExp': {
      const { pattern, options } = value as unknown as BSONRegExp
      return { $regularExpression: { pattern, options } }
    }
    default:
      // Timestamps, the least and the greatest key, code, references.
      return driver.BSON.EJSON.serialize(value, { relaxed: true })
  }
}

function bytesOf(binary: Binary): Uint8Array {
  return binary.buffer.subarray(0, binary.position)
}

function doubleText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
}

/** As DuckDB reads it: years beyond four digits, and before Christ. */
function momentText(moment: Date, field: string): string {
  if (Number.isNaN(moment.getTime())) {
    throw new EngineError('VALUE_INVALID', runMessage('date_out_of_range', { key: field }), {
      hint: runMessage('date_out_of_range_fix'),
    })
  }
  const year = moment.getUTCFullYear()
  const rest = moment.toISOString().replace(/^[+-]?\d+/, '')
  if (year > 0 && year <= 9999) return moment.toISOString()
  const [day = '', time = ''] = rest.split('T')
  return year > 0 ? `${year}${day} ${time}` : `${String(1 - year).padStart(4, '0')}${day} (BC) ${time}`
}

/** `1.5E+3` as `1500`, as far as that is of a sensible length. */
function decimalText(written: string): string {
  const match = /^(-?)(\d+)(?:\.(\d+))?E([+-]?\d+)$/.exec(written)
  if (!match) return written
  const [, sign = '', whole = '', places = '', exponent = '0'] = match
  const power = Number(exponent)
  if (Math.abs(power) > 80) return written
  const digits = whole + places
  const point = whole.length + power
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`
  if (point >= digits.length) return `${sign}${digits}${'0'.repeat(point - digits.length)}`
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}
