import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Column } from '../../contract/common.ts'
import type { ColumnType } from '../../language/task/column-types.ts'
import { strictCast } from '../engine/cast-faults.ts'
import { cancelled } from '../engine/duckdb.ts'
import { EngineError } from '../engine/errors.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { requireSameRows } from '../engine/row-accounts.ts'
import { duckDbType, name, refuseDuplicates, text } from '../engine/sql-text.ts'
import { changesOf, emptyField, note, see, typeOf, valueOfText, type Field } from './record-fields.ts'
import { documentText, type FieldValue } from './record-values.ts'
import { noRecords, tableStream, type RowStream } from '../engine/stream.ts'
import { runMessage } from '../../contract/run-messages.ts'

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
      throw new EngineError('DISK_FULL', runMessage('records_folder_unwritable', { tempDir }), {
        hint: runMessage('records_file_unwritable_fix'),
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
      const changes = columns.flatMap(({ name: column, type }) => {
        const field = fields.get(column)
        return field && ownType(options, column) === undefined ? changesOf(column, field, type) : []
      })
      context.changed(changes)
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
    const kind = typeOf(field, types.get(column))
    const found = valueOfText(written, kind)
    const type = ownType(options, column)
    if (type === undefined) return { name: column, type: kind, sql: found }
    const to = duckDbType(type)
    // From the text itself, which is JSON where the values are nested; what is binary is made such first.
    const from = kind === 'BLOB' ? kind : 'VARCHAR'
    const cast = strictCast({ column, from, type, to })
    return { name: column, type: to, sql: cast, ...(kind === 'BLOB' ? { first: found } : {}) }
  })
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
  return new EngineError('VALUE_INVALID', runMessage('no_records_no_columns'), {
    hint: runMessage('no_records_no_columns_fix'),
  })
}
