import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Column } from '../../contract/common.ts'
import type { ColumnType } from '../../language/task/column-types.ts'
import { strictCast } from '../engine/cast-faults.ts'
import { cancelled } from '../engine/duckdb.ts'
import { EngineError, cap } from '../engine/errors.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { requireSameRows } from '../engine/row-accounts.ts'
import { duckDbType, name, refuseDuplicates, text } from '../engine/sql-text.ts'
import { deepestJson } from '../formats/json/scan.ts'
import { plainForm } from './number-facts.ts'
import { noRecords, tableStream, type RowStream } from '../engine/stream.ts'

/**
 * A value that JSON has no word for, as its text: `decimal` keeps every digit, `number` is floating point even where it is whole,
 * `datetime` is ISO 8601 in UTC.
 */
export class TypedText {
  readonly type: 'decimal' | 'number' | 'datetime' | 'date' | 'time' | 'uuid'
  readonly text: string

  constructor(type: TypedText['type'], value: string) {
    this.type = type
    this.text = value
  }
}

/** A field of a record: what JSON has, and what drivers of document stores give beyond it. Nested values become JSON. */
export type FieldValue = null | undefined | boolean | number | bigint | string | Uint8Array | TypedText | object

/** Records of any shape on their way into the session: the objects lane. */
export interface RecordWriter {
  /** Waits where the disk is slower than the source. Throws when the run is stopped. */
  add(record: Readonly<Record<string, FieldValue>>): Promise<void>
  rows(): number
  /** The columns are the fields of all records, in the order of their first appearance. */
  finish(): Promise<RowStream & { table: string }>
}

export interface RecordWriterOptions {
  /** Columns whose type is declared; a value that does not fit stops the run. They come first, also without any record. */
  columns?: Record<string, ColumnType>
  /** Columns that are there in any case, in this order before others; their types follow from the values. */
  names?: readonly string[]
  /** Texts of columns that are declared as json are texts of JSON, as in documents, and not JSON that is written down. */
  documents?: true
  /** DuckDB types of columns that are known beforehand; taken where all values are of such a kind. */
  types?: ReadonlyMap<string, string>
}

type Kind =
  | 'BIGINT'
  | 'DOUBLE'
  | 'DECIMAL'
  | 'BOOLEAN'
  | 'VARCHAR'
  | 'TIMESTAMP'
  | 'TIMESTAMP_NS'
  | 'DATE'
  | 'TIME'
  | 'UUID'
  | 'BLOB'
  | 'JSON'

interface Field {
  /** Kinds of the values seen. */
  kinds: Set<Kind>
  /** Digits before and behind the point, of integers and decimals. */
  whole: number
  places: number
  /** There are infinities, or NaN. */
  endless: boolean
  /** There are moments beyond the years that nanoseconds are kept for. */
  wide: boolean
}

/** Written out before the line goes to the file, so that a few large records do not pile up. */
const flushBytes = 262_144

/**
 * The records go to a file as JSON lines, every scalar as text, and DuckDB reads that with one type a column, which all values decide:
 * integers and decimals keep every digit, a column of several kinds becomes text, nested values JSON. Memory stays flat.
 */
export function createRecordWriter(context: StageContext, options: RecordWriterOptions = {}): RecordWriter {
  const { session, signal, tempDir } = context
  const file = join(tempDir, `${session.newName('records')}.jsonl`)
  const fields = new Map<string, Field>()
  for (const column of [...(options.names ?? []), ...Object.keys(options.columns ?? {})]) {
    if (!fields.has(column)) fields.set(column, emptyField())
  }
  let pending: string[] = []
  let bytes = 0
  let total = 0
  let longest = 0

  async function flush(): Promise<void> {
    if (signal.aborted) throw cancelled()
    if (pending.length === 0) return
    const block = pending.join('')
    pending = []
    bytes = 0
    try {
      // Opened and closed each time: a run that fails midway leaves no open file behind.
      await appendFile(file, block)
    } catch (error) {
      throw new EngineError('DISK_FULL', `The records cannot be put down in ${tempDir}`, {
        hint: 'Free some space on the disk of the executor’s data folder.',
        cause: error,
      })
    }
  }

  return {
    async add(record) {
      // Without a prototype: a field may be called `__proto__`.
      const line = Object.create(null) as Record<string, unknown>
      for (const [key, value] of Object.entries(record)) {
        let field = fields.get(key)
        if (!field) fields.set(key, (field = emptyField()))
        const isText = typeof value === 'string' && options.documents && ownType(options, key) === 'json'
        line[key] = isText ? see(field, 'JSON', documentText(value)) : note(field, value)
      }
      const written = `${JSON.stringify(line)}\n`
      pending.push(written)
      bytes += written.length
      longest = Math.max(longest, Buffer.byteLength(written))
      total++
      if (bytes >= flushBytes) await flush()
    },
    rows: () => total,
    async finish() {
      await flush()
      const table = session.newName('source')
      const columns = columnsOf(fields, options)
      const rows = await session.createTable(table, readBack(file, columns, total, longest))
      requireSameRows(total, rows, 'Records put down by the source')
      return tableStream(
        table,
        columns.map(({ name: column, type }) => ({ name: column, type })),
        rows,
      )
    },
  }
}

function ownType({ columns = {} }: RecordWriterOptions, column: string): ColumnType | undefined {
  return Object.hasOwn(columns, column) ? columns[column] : undefined
}

function emptyField(): Field {
  return { kinds: new Set(), whole: 0, places: 0, endless: false, wide: false }
}

/** What stands in the file for a value; scalars as text, so that no reader rounds them. */
function note(field: Field, value: FieldValue): unknown {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return see(field, 'VARCHAR', value)
  if (typeof value === 'boolean') return see(field, 'BOOLEAN', String(value))
  if (typeof value === 'bigint') {
    const written = value.toString()
    digits(field, written)
    return see(field, BigInt.asIntN(64, value) === value ? 'BIGINT' : 'DECIMAL', written)
  }
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || Math.abs(value) >= 2 ** 63) return double(field, numberText(value))
    // Its shortest text: of 363592736631635000 BigInt would show the binary number, which ends with 008.
    const written = String(value)
    digits(field, written)
    return see(field, 'BIGINT', Object.is(value, -0) ? '-0' : written)
  }
  if (value instanceof TypedText) return noteTyped(field, value)
  if (value instanceof Uint8Array) return see(field, 'BLOB', Buffer.from(value).toString('base64'))
  return see(field, 'JSON', documentText(value))
}

function noteTyped(field: Field, { type, text: written }: TypedText): string {
  if (type === 'number') return double(field, written)
  if (type === 'datetime') return noteMoment(field, written)
  if (type === 'date') return see(field, 'DATE', written)
  // DuckDB keeps microseconds: a finer time of day stays text.
  if (type === 'time') return see(field, fraction(written).length > 6 ? 'VARCHAR' : 'TIME', written)
  if (type === 'uuid') return see(field, 'UUID', written)
  if (!decimalNumber.test(written)) return see(field, 'VARCHAR', written)
  digits(field, written)
  return see(field, 'DECIMAL', written)
}

const decimalNumber = /^[+-]?\d+(\.\d+)?([eE][+-]?\d{1,4})?$/

function double(field: Field, written: string): string {
  if (decimalNumber.test(written)) digits(field, written)
  else field.endless = true
  return see(field, 'DOUBLE', written)
}

/** Of a second, without zeros at its end. */
function fraction(written: string): string {
  return /:\d\d\.(\d*?)0*(?:[Zz]|[+-]\d\d:?\d\d|)$/.exec(written)?.[1] ?? ''
}

/** Nanoseconds are kept from 1678 to 2261; a moment that no type keeps stays text. */
function noteMoment(field: Field, written: string): string {
  const year = Number(/^([+-]?\d+)-/.exec(written)?.[1] ?? NaN)
  const places = fraction(written)
  if (places.length <= 6) {
    field.wide ||= !(year > 1677 && year < 2262)
    return see(field, 'TIMESTAMP', written)
  }
  const seconds = new Date(written.replace(/\.\d+/, ''))
  if (places.length > 9 || Number.isNaN(seconds.getTime()) || !(year > 1677 && year < 2262))
    return see(field, 'VARCHAR', written)
  return see(field, 'TIMESTAMP_NS', `${seconds.toISOString().slice(0, 19)}.${places}Z`)
}

function see(field: Field, kind: Kind, written: string): string {
  field.kinds.add(kind)
  return written
}

function numberText(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf'
}

function digits(field: Field, written: string): void {
  const { whole, places } = plainForm(written)
  field.whole = Math.max(field.whole, whole)
  field.places = Math.max(field.places, places)
}

/** A nested value as the text of a document: every digit of a number, bytes in base64, what JSON has no word for as text. */
function documentText(value: object | string): string {
  return JSON.stringify(documentOf(value, 1))
}

/** Newer than the types of this TypeScript. */
const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown }

function documentOf(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return rawJSON(value.toString())
  if (value instanceof TypedText) return jsonNumber.test(value.text) ? rawJSON(value.text) : value.text
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepestJson) throw tooDeep()
  if (Array.isArray(value)) return value.map((item) => documentOf(item, depth + 1))
  // Without a prototype: a key may be called `__proto__`.
  const made = Object.create(null) as Record<string, unknown>
  for (const [key, item] of Object.entries(value)) made[key] = documentOf(item, depth + 1)
  return made
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A record that is nested deeper than documents may be. */
export function tooDeep(): EngineError {
  return new EngineError('VALUE_INVALID', `A record is nested more than ${deepestJson} levels deep`, {
    hint: 'Read fewer fields, or none that are nested so deeply.',
  })
}

/** A nested value as JSON has it: what JSON cannot hold is text, as drivers' own extended forms are not for readers of data. */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint')
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value.toString()
  if (value instanceof TypedText) return plainText(value)
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
}

/** Floating point is a number of JSON's wherever it is finite: `1.0` is no text. */
function plainText({ type, text: written }: TypedText): string | number {
  const number = type === 'number' ? Number(written) : NaN
  return Number.isFinite(number) ? number : written
}

interface ReadColumn extends Column {
  /** SQL that makes the column out of its text. */
  sql: string
  /** SQL that comes before that, in the column's place. */
  first?: string
}

function columnsOf(fields: Map<string, Field>, options: RecordWriterOptions): ReadColumn[] {
  const { types = new Map<string, string>() } = options
  refuseDuplicates([...fields.keys()])
  return [...fields].map(([column, field]) => {
    const written = name(column)
    const kind = kindOf(field, types.get(column))
    const found = fromText(written, kind)
    const type = ownType(options, column)
    if (type === undefined) return { name: column, type: kind, sql: found }
    const to = duckDbType(type)
    // From the text itself, which is JSON where the values are nested; what is binary is made such first.
    const from = kind === 'BLOB' ? kind : 'VARCHAR'
    const cast = strictCast({ column, from, type, to })
    return { name: column, type: to, sql: cast, ...(kind === 'BLOB' ? { first: found } : {}) }
  })
}

/** `known`: the type that the column has in any case, unless a value is of another kind. */
function kindOf({ kinds, whole, places, endless, wide }: Field, known: string | undefined): string {
  const [only] = kinds
  if (known !== undefined && [...kinds].every((kind) => kind === known || (known === 'DOUBLE' && kind === 'BIGINT')))
    return known
  if (kinds.size === 0) return 'VARCHAR'
  const isOneOf = (...some: Kind[]): boolean => [...kinds].every((kind) => some.includes(kind))
  if (isOneOf('TIMESTAMP', 'TIMESTAMP_NS', 'DATE') && kinds.has('TIMESTAMP_NS'))
    return wide ? 'VARCHAR' : 'TIMESTAMP_NS'
  if (kinds.size === 1 && only !== undefined && only !== 'DECIMAL') return only
  // An integer beyond 2^53 beside fractions would lose digits as a number.
  if (isOneOf('BIGINT', 'DOUBLE') && whole <= 15) return 'DOUBLE'
  if (isOneOf('BIGINT', 'DECIMAL', 'DOUBLE'))
    return whole + places <= 38 && !endless ? `DECIMAL(38,${places})` : 'VARCHAR'
  return isOneOf('DATE', 'TIMESTAMP') ? 'TIMESTAMP' : 'VARCHAR'
}

function fromText(written: string, kind: string): string {
  if (kind === 'VARCHAR') return written
  if (kind === 'BLOB') return `from_base64(${written})`
  if (kind === 'TIMESTAMP_NS') {
    const coarse = `CAST(CAST(${written} AS TIMESTAMPTZ) AT TIME ZONE 'UTC' AS TIMESTAMP_NS)`
    return `CASE WHEN regexp_matches(${written}, '\\.[0-9]{7,}Z$') THEN CAST(rtrim(${written}, 'Z') AS TIMESTAMP_NS) ELSE ${coarse} END`
  }
  if (kind === 'TIMESTAMP') return `(CAST(${written} AS TIMESTAMPTZ) AT TIME ZONE 'UTC')`
  return `CAST(${written} AS ${kind})`
}

function readBack(file: string, columns: ReadColumn[], rows: number, longest: number): string {
  if (columns.length === 0) throw unknownColumns()
  const struct = columns.map((column) => `${text(column.name)}: 'VARCHAR'`).join(', ')
  const fields = columns.map((column) => `${column.sql} AS ${name(column.name)}`).join(', ')
  if (rows === 0) {
    const empty = columns.map((column) => `CAST(NULL AS ${column.type}) AS ${name(column.name)}`)
    return `SELECT ${empty.join(', ')} LIMIT 0`
  }
  // DuckDB makes room for twice the longest record at once, of which there may be little.
  const most = Math.max(1_048_576, longest + 1024)
  const reader = `read_json(${text(file)}, format = 'newline_delimited', columns = {${struct}}, maximum_object_size = ${most})`
  const first = columns.flatMap((column) =>
    column.first === undefined ? [] : [`${column.first} AS ${name(column.name)}`],
  )
  const read = first.length === 0 ? reader : `(SELECT * REPLACE (${first.join(', ')}) FROM ${reader})`
  return `SELECT ${fields} FROM ${read}`
}

/** For messages: the start of a record as JSON. */
export function shownRecord(record: unknown): string {
  return cap(JSON.stringify(plain(record)) ?? 'nothing', 200)
}

/** What a source of records gives: nothing at all, without columns, where there were none to tell them. A preview says so instead. */
export async function finishSource(
  writer: RecordWriter,
  declared: Record<string, ColumnType>,
  context: StageContext,
  limit: number | null,
): Promise<RowStream> {
  return writer.rows() === 0 && Object.keys(declared).length === 0 ? withoutRecords(context, limit) : writer.finish()
}

/** No records, and no columns declared: a run's own source may have found nothing new; for all others it is an error. */
export function withoutRecords(context: StageContext, limit: number | null): RowStream {
  if (context.stage === 0 && limit === null) return noRecords()
  throw unknownColumns()
}

function unknownColumns(): EngineError {
  return new EngineError('VALUE_INVALID', 'The source gave no records, and so no columns', {
    hint: 'Name the columns under `columns`, with their types: then an empty answer is an empty table.',
  })
}
