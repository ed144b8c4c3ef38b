import { shortened } from '../../../language/shortened.ts'
import { mkdir } from 'node:fs/promises'
import { isUtf8 } from 'node:buffer'
import { dirname } from 'node:path'
import type { FilesSource } from '../../../language/task/sources/source.types.ts'
import { placeForCopy } from '../../connectors/stores/fetch.ts'
import type { OpenedFile } from '../../connectors/stores/store.types.ts'
import { castColumns, quarantineCasts } from '../../engine/cast-columns.ts'
import { documentMark, rowMark } from '../../engine/cast-faults.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { EngineError } from '../../engine/errors.ts'
import { withoutFetched } from '../../engine/fetched.ts'
import type { OpenOptions, RejectedRow, StageContext } from '../../engine/lane.types.ts'
import { placeOf, type Places } from '../../engine/places.ts'
import { jsonOf } from '../../engine/sql-reasons.ts'
import { emptyRelation, oneRow } from '../../engine/sql-text.ts'
import { queryStream, type RowStream } from '../../engine/stream.ts'
import { requireSame } from '../../sources/files-columns.ts'
import { unsound } from '../../sources/files-ends.ts'
import { castsOf, declaredColumns, hasComma, named, typesSet } from '../../sources/files-types.ts'
import { JsonColumns, changesOf, storageOf, type JsonColumn, type Wraps } from './columns.ts'
import { JsonCopy } from './copy.ts'
import { linePlaces } from './line-places.ts'
import { jsonRelation, type StoredColumn } from './relation.ts'
import { JsonFault, broken, nowhere, skipBlanks, unfinished } from './scan.ts'
import { PlacedFault, walkDocument, walkLines, type Between, type TakeRecord } from './walk.ts'
import { withoutRecords } from '../../sources/record-writer.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/**
 * JSON and JSON Lines. A first pass over the bytes finds the columns and what all of their values are, and is the judge of what is JSON:
 * DuckDB guesses types from a sample, rounds what does not fit them (1.5 in a column of integers), makes structures of documents, and
 * ends the process where they are deep. It then reads what it is told to; where values have to stay as they are written, from a copy in
 * which they are texts.
 */
export async function readJsonFiles(
  source: FilesSource,
  files: readonly OpenedFile[],
  context: StageContext,
  { limit }: OpenOptions,
): Promise<RowStream> {
  const reading = new JsonReading(source, files, context, limit === null ? null : Math.max(limit, fewestRecords))
  await reading.scan()
  if (reading.records === 0) return noRows(source, context, limit)
  if (!source.union_by_name) reading.requireSameKeys()
  const stream = await reading.typed()
  return limit === null ? stream : { ...stream, sql: `${stream.sql} LIMIT ${limit}`, rows: null }
}

/** That decide on the types a preview shows. */
const fewestRecords = 1000

function noRows(source: FilesSource, context: StageContext, limit: number | null): RowStream {
  const columns = declaredColumns(source)
  if (columns.length === 0) return withoutRecords(context, limit)
  return queryStream(`SELECT * FROM ${emptyRelation(columns)}`, columns, 0)
}

/** Records without a key: each is a row of the columns that the task declares. */
function noValues(source: FilesSource, context: StageContext, records: number): RowStream {
  const columns = declaredColumns(source)
  if (columns.length === 0) return withoutRecords(context, null)
  return queryStream(`SELECT row.* FROM ${oneRow(columns)} AS row, range(${records})`, columns, records)
}

class JsonReading {
  records = 0
  readonly #source: FilesSource
  readonly #files: readonly OpenedFile[]
  readonly #context: StageContext
  readonly #most: number | null
  readonly #columns = new JsonColumns('json')
  /** Of each file, the lines that were rejected. */
  readonly #faulty: Set<number>[]
  #rejected: RejectedRow[] = []
  readonly #lenient: boolean
  /** Records are no objects; null: there was none yet. */
  #areBare: boolean | null = null
  /** DuckDB can read the files themselves: they are what it takes for records, one after the other. */
  #isPlain: boolean
  /** Bytes of the longest record. */
  #longest = 0

  constructor(source: FilesSource, files: readonly OpenedFile[], context: StageContext, most: number | null) {
    this.#source = source
    this.#files = files
    this.#context = context
    this.#most = most
    this.#lenient = source.on_error === 'quarantine'
    this.#isPlain = !this.#lenient && most === null && source.records === null
    this.#faulty = files.map(() => new Set())
  }

  /** Finds the columns, and rejects lines that are none. */
  async scan(): Promise<void> {
    const { rejectEntries, logRejects } = this.#context
    const columns = this.#columns
    for (const [index, { local }] of this.#files.entries()) {
      columns.file = index
      const take: TakeRecord = (bytes, at, end, place) => {
        if (this.#isEnough()) return end
        const stop = columns.read(bytes, at, end)
        if (stop === unfinished) return stop
        if (this.#source.format === 'jsonl') {
          const rest = skipBlanks(bytes, stop, end)
          if (rest < end) throw broken(bytes, rest)
        }
        if (this.#lenient && columns.isBare) throw new JsonFault(runMessage('line_no_object'), nowhere)
        this.#areBare ??= columns.isBare
        if (columns.isBare !== this.#areBare) throw this.#mixed(local, place)
        // DuckDB finds that by itself, but no line for the rejects.
        if (this.#lenient && !isUtf8(bytes.subarray(at, stop)))
          throw new JsonFault(runMessage('text_not_utf8'), nowhere)
        columns.note(bytes)
        // What is behind a record in its line counts.
        this.#longest = Math.max(this.#longest, (this.#source.format === 'jsonl' ? end : stop) - at)
        this.records++
        return stop
      }
      const between: Between = async () => {
        if (this.#context.signal.aborted) throw cancelled()
        if (this.#rejected.length > 0) await rejectEntries(this.#rejected.splice(0))
        return this.#isEnough() ? 'enough' : 'go on'
      }
      await this.#walk(index, take, between)
      const rejected = this.#faulty[index]?.size ?? 0
      if (rejected > 0)
        logRejects(
          `${rejected.toLocaleString('en')} lines of ${this.#shown(local)} could not be read and were rejected`,
        )
    }
    if (this.#areBare === true) this.#isPlain = false
  }

  #isEnough(): boolean {
    return this.#most !== null && this.records >= this.#most
  }

  #shown(local: string): string {
    return withoutFetched(local, this.#context.tempDir)
  }

  #mixed(local: string, place: number): EngineError {
    const isLine = this.#source.format === 'jsonl'
    const where = isLine ? runMessage('place_line', { line: place }) : runMessage('place_record', { record: place })
    return new EngineError('FILE_UNREADABLE', runMessage('records_mixed', { file: this.#shown(local), place: where }), {
      hint: isLine ? runMessage('lines_mixed_fix') : runMessage('records_mixed_fix'),
    })
  }

  async #walk(index: number, take: TakeRecord, between: Between): Promise<void> {
    const { signal } = this.#context
    const { format, records: path } = this.#source
    const local = this.#files[index]?.local ?? ''
    const faulty = (fault: PlacedFault, line: Buffer, place: number): void => {
      this.#faulty[index]?.add(place)
      this.#rejected.push({
        reason: runMessage('at_line', { file: this.#shown(local), line: place, cause: fault.reason }),
        row: { line: place, text: shortened(line.toString(), 10_000) },
        form: 'line',
      })
    }
    try {
      if (format === 'jsonl') {
        const { marked } = await walkLines(local, signal, take, between, this.#lenient ? faulty : null)
        this.#isPlain &&= !marked
      } else {
        const { found, list } = await walkDocument(local, path, signal, take, between)
        if (!found) throw nothingAt(this.#shown(local), path)
        this.#isPlain &&= list
      }
    } catch (error) {
      if (error instanceof PlacedFault) throw unreadable(this.#shown(local), error)
      throw error instanceof EngineError ? error : unsound(this.#shown(local), error)
    }
  }

  requireSameKeys(): void {
    const keysOf = (index: number): string[] =>
      this.#columns.all.filter(({ files }) => files.includes(index)).map((column) => column.name)
    let first: { file: string; columns: string[] } | null = null
    for (const [index, { local }] of this.#files.entries()) {
      const found = { file: this.#shown(local), columns: keysOf(index) }
      if (found.columns.length === 0) continue
      if (first) requireSame(first, found, false)
      else first = found
    }
  }

  /** The records as rows, each column of one type. */
  async typed(): Promise<RowStream> {
    const { session, stage } = this.#context
    // A line that was rejected may have had further keys.
    const all = this.#columns.all.filter(({ files }) => files.length > 0)
    if (all.length === 0) return noValues(this.#source, this.#context, this.records)
    const given = typesSet(this.#source)
    const stored = all.map((column) => {
      const { name } = column
      const declared = given.get(name.toLowerCase())
      const storage = storageOf(column, declared)
      const isComma = storage.wraps === 'numbers' && declared !== undefined && hasComma(this.#source, name, declared)
      return { ...storage, ...(isComma ? { wraps: 'numbers with commas' as const } : {}), name, column }
    })
    const changes = stored.flatMap((one) => changesOf(one.column, one, given.get(one.name.toLowerCase())))
    this.#context.changed(changes)
    const columns = await named(
      stored.map(({ type, name }) => ({ name, type })),
      this.#source,
      this.#context,
    )
    const casts = castsOf(this.#source, columns)
    const place = this.#lenient && casts.size > 0 ? session.newName('place') : null
    const asIs = this.#isPlain && stored.every(({ wraps }) => wraps === 'nothing')
    const inputs = asIs ? this.#files.map(({ local }) => local) : await this.#copies(stored, place)
    const placed: StoredColumn[] =
      place === null ? [] : [{ name: place, type: 'VARCHAR', wraps: 'nothing', zoned: false }]
    const format = asIs && this.#source.format === 'json' ? 'array' : 'newline_delimited'
    const { sql } = jsonRelation(inputs, format, [...placed, ...stored], this.#longest)
    const places = this.#source.format === 'jsonl' ? { places: this.#places() } : {}
    const stream: RowStream = { sql, columns, rows: this.records, open: [], trail: [{ stage, sql }], ...places }
    if (place !== null) return quarantineCasts(stream, this.#context, casts, place)
    const mark = this.#source.format === 'jsonl' ? rowMark : documentMark
    return casts.size === 0 ? stream : castColumns(stream, stage, casts, false, mark)
  }

  #places(): Places {
    const files = this.#files.map(({ local }, index) => ({
      local,
      shown: this.#shown(local),
      faulty: this.#faulty[index] ?? new Set(),
    }))
    return linePlaces(files, this.#context.signal)
  }

  async #copies(stored: readonly { column: JsonColumn; wraps: Wraps }[], place: string | null): Promise<string[]> {
    const { tempDir, signal } = this.#context
    const wraps = new Map<unknown, Wraps>(stored.map(({ column, wraps: how }) => [column, how]))
    const copies: string[] = []
    let left = this.records
    for (const [index, { file, local }] of this.#files.entries()) {
      const target = placeForCopy(file.path, tempDir)
      await mkdir(dirname(target), { recursive: true })
      const copy = await JsonCopy.create(target)
      let line = 1
      const take: TakeRecord = (bytes, at, end, number) => {
        // Lines keep their numbers, for messages.
        for (; this.#source.format === 'jsonl' && line < number; line++) copy.blank()
        line++
        if (left === 0 || this.#faulty[index]?.has(number)) return end
        const stop = this.#columns.read(bytes, at, end)
        if (stop === unfinished) return stop
        left--
        const first =
          place === null
            ? null
            : `${JSON.stringify(place)}:${JSON.stringify(`${jsonOf(placeOf(this.#shown(local), number))},`)}`
        copy.record(bytes, this.#columns, wraps, first)
        return stop
      }
      try {
        await this.#walk(index, take, async () => {
          if (signal.aborted) throw cancelled()
          await copy.flush()
          return left === 0 && this.#most !== null ? 'enough' : 'go on'
        })
        await copy.flush()
      } finally {
        await copy.close()
      }
      this.#longest = Math.max(this.#longest, copy.longest)
      copies.push(target)
    }
    return copies
  }
}

function unreadable(file: string, fault: PlacedFault): EngineError {
  return new EngineError(
    'FILE_UNREADABLE',
    runMessage('file_fault', { file, place: fault.place, cause: fault.reason }),
    {
      hint: runMessage('file_fault_fix'),
      cause: fault,
    },
  )
}

function nothingAt(file: string, path: string | null): EngineError {
  return new EngineError('FILE_UNREADABLE', runMessage('records_path_empty', { file, path: path ?? '' }), {
    hint: runMessage('records_path_empty_fix'),
  })
}
