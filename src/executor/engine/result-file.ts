import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { QueryField, WireValue } from '../../contract/query-values.ts'
import { mostChunkBytes } from '../../contract/executor-results.ts'
import { createNumbering } from '../../language/numbering.ts'
import { writeXlsx } from '../formats/xlsx/write.ts'
import { valueOfText } from '../sources/record-fields.ts'
import { createTypedWriter } from '../sources/typed-writer.ts'
import { parquetValue } from '../targets/encode.ts'
import type { ResultIo } from '../worker-protocol.ts'
import { detachedContext } from './detached-context.ts'
import { cancelled, openSession } from './duckdb.ts'
import { uniqueNames } from './result-lines.ts'
import { textColumn, type TextColumn } from './result-texts.ts'
import type { ResultWriter } from './result-writer.ts'
import { name, text } from './sql-text.ts'
import { queryStream, type RowStream } from './stream.ts'

/** While rows are put down nothing else is heard of the result: a chunk without rows says that it goes on. */
const beatMs = 10_000
/** Rows between two looks at the clock. */
const lookRows = 4096

/** Makes one file of all rows, whose types follow from the values, and sends it after the last row. */
export function createResultFile(kind: 'parquet' | 'xlsx', io: ResultIo): ResultWriter {
  const { send, tempDir, signal } = io
  let fields: QueryField[] = []
  let names: string[] = []
  let columns: TextColumn[] = []
  let opened: ReturnType<typeof open> | undefined
  let ready: Awaited<ReturnType<typeof open>> | null = null
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
    const noConnector = () => {
      throw new Error('A file of a result has no connector')
    }
    const context = detachedContext(session, noConnector, io)
    const texts = names.map((column) => ({ name: column, storage: 'VARCHAR' as const }))
    return { session, context, writer: await createTypedWriter(session, texts) }
  }

  function put(values: readonly WireValue[]): Promise<void> | null {
    if (!ready) return (opened ?? notStarted()).then((made) => void (ready = made)).then(() => put(values) ?? undefined)
    if (failure) throw failure.error
    ready.writer.add(
      values.map((value, at) => {
        minusZero ||= value === '-0'
        return columns[at]?.text(value) ?? null
      }),
    )
    rows += 1
    return rows % lookRows === 0 ? look() : null
  }

  /** Rows may come without a pause: now and then the process must hear whether it is to stop. */
  async function look(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    if (signal.aborted) throw cancelled()
    if (performance.now() < beatAt) return
    beatAt = performance.now() + beatMs
    sendHead({ rows: 0 })
  }

  /** The rows with the types of their values. */
  async function typed(): Promise<RowStream> {
    const { writer } = await (opened ?? notStarted())
    const { table, rows: count } = await writer.finish()
    const found = columns.map((column, at) => ({ name: names[at] ?? '', type: column.type() }))
    const list = found.map((column) => `${valueOfText(name(column.name), column.type)} AS ${name(column.name)}`)
    return queryStream(`SELECT ${list.join(', ')} FROM ${name(table)}`, found, count)
  }

  async function write(): Promise<void> {
    const { session, context } = await (opened ?? notStarted())
    const stream = zoned(await typed(), fields, names)
    if (kind === 'parquet') {
      const list = stream.columns.map((column) => parquetValue(column)).join(', ')
      // See targets/file.ts.
      const options = `FORMAT parquet, ROW_GROUP_SIZE 20480, COMPRESSION zstd${minusZero ? ', DICTIONARY_SIZE_LIMIT 0' : ''}`
      await session.copyTo(`SELECT ${list} FROM (${stream.sql})`, `${text(local)} (${options}, USE_TMP_FILE false)`)
    } else {
      await writeXlsx(stream, local, 'Result', context)
    }
  }

  return {
    start(given, statement) {
      fields = given
      names = distinct(uniqueNames(given))
      columns = given.map(({ type }) => textColumn(type))
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
  const isTaken = (name: string) => taken.has(name.toLowerCase())
  const numbered = createNumbering(isTaken)
  return names.map((written, at) => {
    const wanted = written === '' ? `column${at + 1}` : written
    const found = isTaken(wanted) ? numbered(wanted) : wanted
    taken.add(found.toLowerCase())
    return found
  })
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
  return {
    ...stream,
    sql: `SELECT ${list.join(', ')} FROM (${stream.sql})`,
    columns: stream.columns.map((column) =>
      isZoned(column) ? { ...column, type: 'TIMESTAMP WITH TIME ZONE' } : column,
    ),
  }
}
