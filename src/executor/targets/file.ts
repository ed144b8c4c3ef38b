import { shortened } from '../../language/shortened.ts'
import { createReadStream, createWriteStream } from 'node:fs'
import { appendFile, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, createZstdCompress } from 'node:zlib'
import type { Column } from '../../contract/common.ts'
import type { FileTarget } from '../../language/task/targets/target.types.ts'
import { refuseReadOnly } from '../connectors/config.ts'
import { writeError } from '../connectors/file/local.ts'
import { foldersOf } from '../connectors/stores/resources.ts'
import { withFileStore } from '../connectors/stores/stores.ts'
import type { ChangeTest } from '../engine/change-test.ts'
import { writeLooking } from '../engine/changes.ts'
import { EngineError } from '../engine/errors.ts'
import type { StageContext, TargetRunner } from '../engine/lane.types.ts'
import { name, text } from '../engine/sql-text.ts'
import type { RowStream } from '../engine/stream.ts'
import { cannotKeep, csvValue, jsonFileScalar, jsonValue, parquetRefusal, parquetValue } from './encode.ts'
import { jsonRow } from '../formats/json/text.ts'
import { minusZeroInside } from './nested-type.ts'
import { valueKindOf } from './type-map.ts'
import { fileChanges } from './file-changes.ts'
import { writeXlsx } from '../formats/xlsx/write.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** Written aside and then put in place at once: readers see the old file or the new one, whole. */
export const fileTarget: TargetRunner<'file'> = {
  kind: 'file',
  directories: (target, connector) => foldersOf(connector(target.connector)),
  changes: async (target, stream) => fileChanges(target, stream.columns),
  write(target, stream, context) {
    const connector = context.connector(target.connector)
    refuseReadOnly(connector)
    return withFileStore(connector, context, async (store) => {
      const file = await store.write(target.path)
      const failed = (error: unknown): never => {
        throw writeError(error, `${store.place}/${target.path}`)
      }
      try {
        const tests = [...fileChanges(target, stream.columns), ...(target.format === 'parquet' ? zeros(stream) : [])]
        const rows = await writeLooking(tests, stream, context, (given, found) => {
          const distinct = found.some(({ code }) => code === 'change_minus_zero')
          context.changed(found.filter(({ code }) => code !== 'change_minus_zero'))
          return context.consume(given, async () => {
            const count = await writeRows(target, given, file.local, context, distinct)
              .catch(async (error: unknown) => {
                throw target.format === 'parquet' ? await withItsRow(error, target, given, context) : error
              })
              .catch(failed)
            return { rows: count, value: count }
          })
        })
        const bytes = (await stat(file.local)).size
        await context.readyToCommit({ sent: rows, taken: await rowsIn(target, file.local, context) })
        await file.commit()
        const size = bytes.toLocaleString('en')
        return {
          rows,
          changed: rows,
          bytes,
          summary: `Wrote ${rows.toLocaleString('en')} rows to ${target.path} (${size} bytes)`,
        }
      } catch (error) {
        return failed(error)
      } finally {
        await file.discard()
      }
    })
  },
}

/** DuckDB's dictionaries of Parquet take both zeros for equal: where there are such values it is to write none. */
function zeros({ columns }: RowStream): ChangeTest[] {
  return columns.flatMap((column) => minusZeroInside(column, runMessage('change_minus_zero')))
}

/** The error of a value that Parquet cannot keep, with the number of its row, which DuckDB has forgotten by then. */
async function withItsRow(
  error: unknown,
  target: FileTarget,
  { sql, columns }: RowStream,
  { session, stage }: StageContext,
): Promise<unknown> {
  if (!(error instanceof EngineError) || !error.message.includes(cannotKeep)) return error
  const refused = columns.flatMap((column) => parquetRefusal(column) ?? [])
  const reasons = refused.map(({ fits, words }) => `CASE WHEN NOT (${fits}) THEN ${words} END`)
  const [row] = await session.rows(
    `SELECT nth, reason FROM (SELECT row_number() OVER () AS nth, coalesce(NULL, ${reasons.join(', ')}) AS reason FROM (${sql})) WHERE reason IS NOT NULL LIMIT 1`,
  )
  // SQL that is random may have other rows the second time.
  if (!row) return error
  const reason = runMessage('at_row', {
    file: target.path,
    row: Number(row[0]),
    cause: shortened(String(row[1]), 1000),
  })
  return new EngineError('VALUE_INVALID', reason, {
    hint: runMessage('cast_to_keep_digits'),
    stage,
    cause: error,
  })
}

/** Parquet says how many rows it holds; of other formats only reading them again would tell. */
async function rowsIn({ format }: FileTarget, local: string, { session }: StageContext): Promise<number | null> {
  if (format !== 'parquet') return null
  const [row] = await session.rows(`SELECT num_rows FROM parquet_file_metadata(${text(local)})`)
  return Number(row?.[0])
}

/** `distinct`: both zeros are to stay apart. */
function writeRows(
  target: FileTarget,
  stream: RowStream,
  local: string,
  context: StageContext,
  distinct: boolean,
): Promise<number> {
  if (target.xlsx) return writeXlsx(stream, local, target.xlsx.sheet, context)
  const documents = stream.columns.some(({ type }) => valueKindOf(type) === 'json')
  if (documents && (target.format === 'json' || target.format === 'jsonl'))
    return writeDocuments(target, stream, local, context)
  const fields = stream.columns.map((column) => fileValue[target.format](column)).join(', ')
  return context.session.copyTo(
    `SELECT ${fields} FROM (${stream.sql})`,
    `${text(local)} (${options(target, distinct).join(', ')}, USE_TMP_FILE false)`,
  )
}

/** DuckDB would write the numbers of documents anew: rows with such are lines of our own. JSON text holds no character that CSV would quote. */
async function writeDocuments(
  { format, compression }: FileTarget,
  stream: RowStream,
  local: string,
  { session, tempDir }: StageContext,
): Promise<number> {
  const row = jsonRow(stream.columns, jsonFileScalar)
  const lines = `FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\u0001', USE_TMP_FILE false`
  if (format === 'jsonl')
    return session.copyTo(
      `SELECT ${row} FROM (${stream.sql})`,
      `${text(local)} (${lines}, COMPRESSION ${packing(compression)})`,
    )
  const plain = join(tempDir, session.newName('list'))
  const rows = await session.copyTo(`SELECT ',' || ${row} FROM (${stream.sql})`, `${text(plain)} (${lines})`)
  // The comma before the first one becomes the bracket.
  const handle = await open(plain, 'r+')
  try {
    await handle.write('[', 0)
  } finally {
    await handle.close()
  }
  await appendFile(plain, ']\n')
  const packer = {
    gzip: createGzip,
    zstd: createZstdCompress,
    none: () => new PassThrough(),
    snappy: () => new PassThrough(),
  }[compression]()
  await pipeline(createReadStream(plain), packer, createWriteStream(local))
  await rm(plain)
  return rows
}

function packing(compression: FileTarget['compression']): string {
  return compression === 'snappy' ? 'none' : compression
}

const fileValue: Record<FileTarget['format'], (column: Column) => string> = {
  parquet: parquetValue,
  csv: csvValue,
  json: jsonValue,
  jsonl: jsonValue,
  xlsx: (column) => name(column.name),
}

function options({ format, csv, compression }: FileTarget, distinct: boolean): string[] {
  if (format === 'parquet')
    // Measured: with DuckDB's larger groups wide rows exceed the memory of a run.
    return [
      'FORMAT parquet',
      'ROW_GROUP_SIZE 20480',
      ...(distinct ? ['DICTIONARY_SIZE_LIMIT 0'] : []),
      `COMPRESSION ${compression === 'none' ? 'uncompressed' : compression}`,
      ...(compression === 'zstd' ? ['COMPRESSION_LEVEL 1'] : []), // decision 0154
    ]
  const packed = `COMPRESSION ${packing(compression)}`
  if (format === 'json') return ['FORMAT json', 'ARRAY true', packed]
  if (format === 'jsonl') return ['FORMAT json', 'ARRAY false', packed]
  if (!csv) throw new Error('A CSV target without CSV options')
  return [
    'FORMAT csv',
    `DELIMITER ${text(csv.delimiter)}`,
    `HEADER ${csv.header}`,
    `QUOTE ${text(csv.quote)}`,
    `ESCAPE ${text(csv.escape)}`,
    `NULLSTR ${text(csv.null_value)}`,
    packed,
  ]
}
