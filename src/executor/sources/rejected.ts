import { createWriteStream } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Column } from '../../contract/common.ts'
import type { RejectedInput } from '../../contract/executor-protocol.ts'
import { csvLine } from '../../language/csv-line.ts'
import { declaredTypeOf, zoned, type ColumnType } from '../../language/task/column-types.ts'
import type { PipelineTask } from '../../language/task/kinds/task-document.types.ts'
import type { CsvReadOptions, FilesSource, TaskSource } from '../../language/task/sources/source.types.ts'
import { castText } from '../engine/cast-decimals.ts'
import { plainColumn } from '../engine/column-origin.ts'
import { EngineError } from '../engine/errors.ts'
import { placeFor } from '../connectors/stores/fetch.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { name, text } from '../engine/sql-text.ts'
import { projected, tableStream, type RowStream } from '../engine/stream.ts'
import { runMessage } from '../../contract/run-messages.ts'
import { openFiles } from './files-read.ts'

/** The task for rows that another run has rejected: of so few any number may be rejected again, and no state is tracked. */
export function rerunOf(task: PipelineTask): PipelineTask {
  return { ...task, dead_letter: { max_ratio: 1 }, state: { cursor: null } }
}

/** The rows, with the types that they had in the run that rejected them. */
export async function openRejected(
  source: TaskSource,
  rejected: RejectedInput,
  context: StageContext,
): Promise<RowStream> {
  const rows = rejected.rows.length.toLocaleString('en')
  context.log('info', `Reading ${rows} rejected rows of run #${rejected.run_id}`)
  if (rejected.stage > 0) return valuesOf(rejected, context)
  if (source.kind !== 'files') throw new Error(`Rows of a source of kind ${source.kind} have no lines`)
  return linesOf(source, rejected, context)
}

/** Lines of files, in a file of their own: read as the source reads its files. */
async function linesOf(source: FilesSource, rejected: RejectedInput, context: StageContext): Promise<RowStream> {
  const {
    columns: [columns = []],
    run_id,
  } = rejected
  // Without a header the first row may begin with the mark of the file’s encoding.
  const mark = source.csv?.header === false ? /^\ufeff/ : /^$/
  const lines = rejected.rows.map((row) => String(row['text']).replace(mark, ''))
  const path = `rejects-of-run-${run_id}.${source.format}`
  const local = placeFor(path, context.tempDir)
  await mkdir(dirname(local), { recursive: true })
  const header = source.csv
    ? [
        csvLine(
          columns.map((column) => column.name),
          source.csv,
        ),
      ]
    : []
  await pipeline(Readable.from([...header, ...lines].map((line) => `${line}\n`)), createWriteStream(local))
  const { size } = await stat(local)
  const there = source.format === 'jsonl' ? keysOf(lines) : null
  const known = columns.filter((column) => there === null || there.size === 0 || there.has(column.name))
  const types = known.map((column) => [column.name, declaredType(column.name, column.type)] as const)
  return openFiles(
    {
      ...source,
      columns: Object.fromEntries(types),
      csv: source.csv && plainFile(source.csv),
      new_only: false,
      union_by_name: false,
      on_error: 'quarantine',
    },
    [{ file: { path, size, version: '', modified_at: null }, local, cut: false, verify: async () => undefined }],
    context,
    { limit: null },
  )
}

const plainFile = (csv: CsvReadOptions): CsvReadOptions => ({ ...csv, header: true, skip_lines: 0, encoding: 'utf-8' })

/** Of JSON Lines: a key that no line has is no column. */
function keysOf(lines: readonly string[]): Set<string> {
  const keys = new Set<string>()
  for (const line of lines) {
    try {
      const record: unknown = JSON.parse(line)
      if (typeof record === 'object' && record !== null) for (const key of Object.keys(record)) keys.add(key)
    } catch {
      // It is no JSON, and is rejected again.
    }
  }
  return keys
}

function declaredType(column: string, stored: string): ColumnType {
  const type = declaredTypeOf(stored)
  if (type === null) throw new Error(`No file gives column ${column} type ${stored}`)
  return type
}

/**
 * With the columns that the stage gave in the run that rejected the rows, in their order and with their types. Where types follow from the
 * values, few rows would have others than all of them had.
 */
export function asBefore(stream: RowStream, { run_id, columns: all }: RejectedInput, stage: number): RowStream {
  const columns = all[stage] ?? []
  const found = new Map(stream.columns.map((column) => [column.name, column]))
  const added = stream.columns.find(({ name: column }) => !columns.some((known) => known.name === column))
  if (added) {
    throw new EngineError(
      'SCHEMA_MISMATCH',
      runMessage('rerun_adds_column', { column: added.name, run: `#${run_id}` }),
      {
        hint: runMessage('rerun_adds_column_fix'),
        stage,
      },
    )
  }
  if (isDeepStrictEqual(stream.columns.map(plainColumn), columns.map(plainColumn))) return stream
  const fields = columns.map((column) => {
    const there = found.get(column.name)
    if (!there) return `CAST(NULL AS ${column.type}) AS ${name(column.name)}`
    return there.type === column.type ? name(column.name) : `${cast(there, column.type)} AS ${name(column.name)}`
  })
  return projected(stream, stage, `SELECT ${fields.join(', ')} FROM (${stream.sql})`, [...columns])
}

/** What is declared as `datetime` is in UTC, and has no zone any more. */
const cast = ({ name: column, type: from }: Column, to: string): string =>
  to === zoned && from === 'TIMESTAMP' ? `(${name(column)} AT TIME ZONE 'UTC')` : `CAST(${name(column)} AS ${to})`

/** Values of any type as texts, which are cast to the types that they had. */
async function valuesOf({ columns: all, stage, rows }: RejectedInput, context: StageContext): Promise<RowStream> {
  const columns = all[stage - 1] ?? []
  const { session, tempDir } = context
  const file = join(tempDir, `${session.newName('rejected')}.jsonl`)
  const lines = rows.map(
    (row) =>
      `${JSON.stringify(Object.fromEntries(columns.map((column, at) => [`c${at}`, textOf(row[column.name])])))}\n`,
  )
  await pipeline(Readable.from(lines), createWriteStream(file))
  const longest = lines.reduce((most, line) => Math.max(most, Buffer.byteLength(line)), 0)
  const texts = columns.map((_, at) => `c${at}: 'VARCHAR'`).join(', ')
  const fields = columns.map(({ type, name: column }, at) => `${valueAs(type, `c${at}`)} AS ${name(column)}`)
  const table = session.newName('stage')
  const count = await session.createTable(
    table,
    `SELECT ${fields.join(', ')} FROM read_json(${text(file)}, format = 'newline_delimited', columns = {${texts}}, maximum_object_size = ${Math.max(longest, 1024) * 2})`,
  )
  return tableStream(table, columns, count)
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** SQL: the value that `jsonValue` has written. */
function valueAs(type: string, written: string): string {
  if (type === 'BLOB') return `from_base64(${written})`
  const isNested = type.endsWith(']') || type.startsWith('STRUCT(')
  return isNested ? `CAST(CAST(${written} AS JSON) AS ${type})` : castText(written, type)
}
