import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { QueryField, ValueType, WireValue } from '../../contract/query-values.ts'
import { mostChunkBytes } from '../../contract/executor-results.ts'
import { writeXlsx } from '../formats/xlsx/write.ts'
import { createRecordWriter } from '../sources/record-writer.ts'
import { TypedText, type FieldValue } from '../sources/record-values.ts'
import { parquetValue } from '../targets/encode.ts'
import type { ResultIo } from '../worker-protocol.ts'
import { detachedContext } from './detached-context.ts'
import { openSession } from './duckdb.ts'
import { uniqueNames } from './result-lines.ts'
import type { ResultWriter } from './result-writer.ts'
import { name, text } from './sql-text.ts'
import type { RowStream } from './stream.ts'

/** While rows are put down nothing else is heard of the result: a chunk without rows says that it goes on. */
const beatMs = 10_000

/** Makes one file of all rows, whose types follow from the values, and sends it after the last row. */
export function createResultFile(kind: 'parquet' | 'xlsx', io: ResultIo): ResultWriter {
  const { send, tempDir, signal } = io
  let fields: QueryField[] = []
  let names: string[] = []
  let opened: ReturnType<typeof open> | undefined
  let sending: Promise<void> = Promise.resolve()
  let failure: { error: unknown } | undefined
  let beatAt = performance.now() + beatMs
  let rows = 0
  let minusZero = false
  const local = join(tempDir, `result.${kind}`)

  function sendHead(head: Parameters<typeof send>[0]): void {
    sending = sending.then(() => send(head, new Uint8Array()))
    sending.catch((error: unknown) => {
      failure ??= { error }
    })
  }

  async function open() {
    const session = await openSession({ tempDir, directories: [], moveFilters: true, signal })
    const types = new Map(fields.flatMap(({ type }, at) => (type === 'double' ? [[names[at] ?? '', 'DOUBLE']] : [])))
    const noConnector = () => {
      throw new Error('A file of a result has no connector')
    }
    const context = detachedContext(session, noConnector, io)
    return { session, context, records: createRecordWriter(context, { names, types }) }
  }

  async function put(values: readonly WireValue[]): Promise<void> {
    const { records } = await (opened ?? notStarted())
    const record = Object.create(null) as Record<string, FieldValue> // a field may be called `__proto__`
    values.forEach((value, at) => {
      minusZero ||= value === '-0'
      record[names[at] ?? ''] = stored(value, fields[at]?.type ?? 'text')
    })
    rows += 1
    await records.add(record)
    if (failure) throw failure.error
    if (performance.now() < beatAt) return
    beatAt = performance.now() + beatMs
    sendHead({ rows: 0 })
  }

  async function write(): Promise<void> {
    const { session, context, records } = await (opened ?? notStarted())
    const stream = zoned(await records.finish(), fields, names)
    if (kind === 'parquet') {
      const columns = stream.columns.map((column) => parquetValue(column)).join(', ')
      // See targets/file.ts.
      const options = `FORMAT parquet, ROW_GROUP_SIZE 20480, COMPRESSION zstd${minusZero ? ', DICTIONARY_SIZE_LIMIT 0' : ''}`
      await session.copyTo(`SELECT ${columns} FROM (${stream.sql})`, `${text(local)} (${options}, USE_TMP_FILE false)`)
    } else {
      await writeXlsx(stream, local, 'Result', context)
    }
  }

  return {
    start(given, statement) {
      fields = given
      names = distinct(uniqueNames(given))
      opened = open()
      opened.catch(() => undefined) // heard by the first row
      sendHead({ rows: 0, start: { fields, statement } })
    },
    row: put,
    async finish() {
      const beat = setInterval(() => sendHead({ rows: 0 }), beatMs)
      try {
        await write()
      } finally {
        clearInterval(beat)
      }
      await sending
      if (failure) throw failure.error
      for await (const piece of createReadStream(local, { highWaterMark: mostChunkBytes })) {
        await send({ rows: 0 }, piece as Buffer) // without an encoding it gives bytes
      }
      await send({ rows, total: rows }, new Uint8Array())
    },
    async stop() {
      await opened?.then(
        ({ session }) => session.close(false),
        () => undefined,
      ) // it was not opened
      await rm(local, { force: true })
    },
  }
}

function notStarted(): never {
  throw new Error('A row came before its fields')
}

/** DuckDB does not tell capitals apart, and has no empty names. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>()
  return names.map((written, at) => {
    const wanted = written === '' ? `column${at + 1}` : written
    let found = wanted
    for (let number = 2; taken.has(found.toLowerCase()); number++) found = `${wanted}_${number}`
    taken.add(found.toLowerCase())
    return found
  })
}

/** A value as its column is to have it; what its type cannot hold stays text, and then the column is text. */
function stored(value: WireValue, type: ValueType): FieldValue {
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'object') {
    if (type === 'document') return JSON.stringify(value)
    const [inner] = Object.entries(value)
    // A tag of `wireTagged`, whose value is of that type.
    return inner ? stored(inner[1] as WireValue, inner[0] as ValueType) : null
  }
  if (typeof value === 'number') return value
  const form = forms[type]
  return form ? form(value) : value
}

const moment =
  (type: TypedText['type'], pattern: RegExp) =>
  (value: string): FieldValue =>
    pattern.test(value) && isDay(value)
      ? new TypedText(type, type === 'datetime' && !value.endsWith('Z') ? `${value}Z` : value)
      : value
const isDay = (value: string): boolean => {
  if (!/^\d{4}-/.test(value)) return true
  const day = new Date(`${value.slice(0, 10)}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value.slice(0, 10))
}

const forms: Partial<Record<ValueType, (value: string) => FieldValue>> = {
  bigint: (value) => (/^-?\d+$/.test(value) ? BigInt(value) : value),
  decimal: (value) => new TypedText('decimal', value),
  double: Number,
  bytes: (value) => Buffer.from(value, 'base64'),
  date: moment('date', /^\d{4}-\d\d-\d\d$/),
  time: moment('time', /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?$/),
  datetime: moment('datetime', /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?$/),
  datetime_tz: moment('datetime', /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?Z$/),
  uuid: (value) => new TypedText('uuid', value),
}

/** Moments with a time zone keep that they have one. */
function zoned(stream: RowStream, fields: readonly QueryField[], names: readonly string[]): RowStream {
  const withZone = new Set(names.filter((_, at) => fields[at]?.type === 'datetime_tz'))
  const isZoned = (column: { name: string; type: string }) => column.type === 'TIMESTAMP' && withZone.has(column.name)
  if (!stream.columns.some(isZoned)) return stream
  const list = stream.columns.map((column) => {
    const written = name(column.name)
    return isZoned(column) ? `${written} AT TIME ZONE 'UTC' AS ${written}` : written
  })
  const { table: _, ...rest } = stream
  return {
    ...rest,
    sql: `SELECT ${list.join(', ')} FROM (${stream.sql})`,
    columns: stream.columns.map((column) =>
      isZoned(column) ? { ...column, type: 'TIMESTAMP WITH TIME ZONE' } : column,
    ),
  }
}
