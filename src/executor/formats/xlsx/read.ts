import { openFile } from '../../engine/open-file.ts'
import { join } from 'node:path'
import type { FilesSource, XlsxReadOptions } from '../../../language/task/sources/source.types.ts'
import type { OpenedFile } from '../../connectors/stores/store.types.ts'
import { EngineError, asEngineError, messageOf } from '../../engine/errors.ts'
import type { OpenOptions, StageContext } from '../../engine/lane.types.ts'
import { distinctNames, renamedColumns } from '../../sources/column-names.ts'
import { name } from '../../engine/sql-text.ts'
import { tableStream, type RowStream } from '../../engine/stream.ts'
import { requireSame, type FileColumns } from '../../sources/files-columns.ts'
import { hasComma } from '../../sources/files-types.ts'
import { TypedText, type FieldValue } from '../../sources/record-values.ts'
import { createRecordWriter, type RecordWriter } from '../../sources/record-writer.ts'
import { RepeatedCells, mergedBelow, readMerged } from './merged.ts'
import { SheetPlaces } from './places.ts'
import { columnLetters } from './columns.ts'
import { readSheet, type SheetRemarks, type SheetRow } from './rows.ts'
import { openWorkbook } from './workbook.ts'
import { XmlError } from './xml.ts'
import { ZipError, openZip } from './zip.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** Rows of one sheet of each workbook, put down in the session with types that the cells have. */
export async function readXlsx(
  source: FilesSource,
  files: readonly OpenedFile[],
  context: StageContext,
  { limit }: OpenOptions,
): Promise<RowStream> {
  const options = source.xlsx
  if (!options) throw new Error('An Excel source without its options')
  const writer = createRecordWriter(context)
  const places = new SheetPlaces()
  const remarks: SheetRemarks = { errors: new Map(), unknown: 0 }
  let first: FileColumns | null = null
  const columns = new Set<string>()
  for (const file of files) {
    const header = await readFile(file, options, { writer, places }, remarks, first, { source, context, limit })
    if (first === null || source.union_by_name) for (const column of header) columns.add(column)
    first ??= { file: file.file.path, columns: header }
    if (limit !== null && writer.rows() >= limit) break
  }
  warnAboutCells(remarks, context)
  if (writer.rows() > 0) {
    const stream = await writer.finish()
    return { ...stream, places: places.of(stream, context) }
  }
  return emptySheet([...columns], source, context)
}

interface Around {
  source: FilesSource
  context: StageContext
  limit: number | null
}

/** The names of its columns. `before`: the first file. */
async function readFile(
  { file, local }: OpenedFile,
  options: XlsxReadOptions,
  { writer, places }: { writer: RecordWriter; places: SheetPlaces },
  remarks: SheetRemarks,
  before: FileColumns | null,
  { source, context, limit }: Around,
): Promise<readonly string[]> {
  try {
    await refuseOthers(local, file.path)
    const archive = await openZip(local)
    try {
      const spill = join(context.tempDir, `${context.session.newName('texts')}.txt`)
      const workbook = await openWorkbook(archive, options.sheet, file.path, spill)
      try {
        const where = `${file.path}, sheet ${workbook.sheetName}`
        // Set by the function below, which the compiler does not see.
        let names = null as readonly string[] | null
        let header = options.skip_rows
        const commas = columnsWithCommas(source)
        const ahead = options.merged_cells === 'repeat' || limit !== null
        const merged = ahead ? await readMerged(archive.read(workbook.sheetPart)) : []
        const repeat = options.merged_cells === 'repeat' ? new RepeatedCells(merged) : null
        /** null: the end of the sheet. */
        const take = async (next: SheetRow | null): Promise<void> => {
          const columns = (options.header ? names?.length : null) ?? Infinity
          for (const row of repeat?.through(next, header, columns) ?? (next === null ? [] : [next])) {
            if (row.number <= options.skip_rows) continue
            if (options.header && names === null) {
              names = headerOf(row, where, context)
              header = row.number
              if (before && !source.union_by_name) requireSame(before, { file: where, columns: names }, true)
              continue
            }
            if (limit !== null && writer.rows() >= limit) return
            names = options.header ? names : widen(names ?? before?.columns ?? [], row)
            places.add(writer.rows(), where, row.number)
            await writer.add(record(names ?? [], row, where, commas))
          }
        }
        await readSheet(archive.read(workbook.sheetPart), workbook, remarks, ahead ? [] : merged, async (rows) => {
          for (const row of rows) {
            await take(row)
            if (limit !== null && writer.rows() >= limit) return false
          }
          return true
        })
        await take(null)
        if (!repeat) warnAboutMerged(mergedBelow(merged, header, names?.length ?? 0), where, context)
        if (names !== null) return names
        if (!options.header) return before?.columns ?? []
        throw new EngineError('FILE_UNREADABLE', runMessage('sheet_without_header', { where }), {
          hint: runMessage('sheet_without_header_fix'),
        })
      } finally {
        workbook.strings.close()
      }
    } finally {
      await archive.close()
    }
  } catch (error) {
    throw readError(error, file.path)
  }
}

function headerOf({ number, cells }: SheetRow, where: string, context: StageContext): string[] {
  const written = Array.from(cells, (value) => shown(value).trim())
  while (written.at(-1) === '') written.pop()
  const names = distinctNames(written)
  const renamed = renamedColumns(runMessage('place_row', { where, number }), written, names)
  if (renamed) context.note(renamed)
  return names
}

function shown(value: FieldValue): string {
  if (value instanceof TypedText) return value.text.replace('T00:00:00', '')
  return typeof value === 'object' || value === undefined ? '' : String(value)
}

/** Without a header every column up to the last one seen has a name by its place. */
function widen(names: readonly string[], { cells }: SheetRow): readonly string[] {
  if (cells.length <= names.length) return names
  return Array.from(cells, (_, index) => `column${index + 1}`)
}

/** Columns whose texts have a decimal comma, in lower case. */
const columnsWithCommas = (source: FilesSource): ReadonlySet<string> =>
  new Set(
    Object.entries(source.columns).flatMap(([column, type]) =>
      hasComma(source, column, type) ? [column.toLowerCase()] : [],
    ),
  )

/** A number as the texts of its column write numbers. */
function withComma(value: FieldValue): FieldValue {
  if (typeof value === 'number') return String(value).replace('.', ',')
  return value instanceof TypedText && value.type === 'number' ? value.text.replace('.', ',') : value
}

function record(
  names: readonly string[],
  { number, cells }: SheetRow,
  where: string,
  commas: ReadonlySet<string>,
): Record<string, FieldValue> {
  // Without a prototype: a column may be called `__proto__`.
  const values = Object.create(null) as Record<string, FieldValue>
  names.forEach((column, index) => {
    const value = cells[index] ?? null
    if (column !== '') values[column] = commas.has(column.toLowerCase()) ? withComma(value) : value
  })
  cells.forEach((value, index) => {
    if (value === null || value === undefined || (names[index] ?? '') !== '') return
    const column = columnLetters(index)
    throw new EngineError('FILE_UNREADABLE', runMessage('sheet_column_without_name', { where, column, number }), {
      hint: runMessage('sheet_column_without_name_fix', { column }),
    })
  })
  return values
}

async function emptySheet(header: string[], source: FilesSource, { session }: StageContext): Promise<RowStream> {
  const columns = (header.length > 0 ? header.filter((column) => column !== '') : Object.keys(source.columns)).map(
    (column) => ({ name: column, type: 'VARCHAR' }),
  )
  if (columns.length === 0) {
    throw new EngineError('FILE_UNREADABLE', runMessage('sheets_empty', { glob: source.glob }), {
      hint: runMessage('sheets_empty_fix'),
    })
  }
  const table = session.newName('source')
  const fields = columns.map((column) => `CAST(NULL AS VARCHAR) AS ${name(column.name)}`)
  await session.createTable(table, `SELECT ${fields.join(', ')} LIMIT 0`)
  return tableStream(table, columns, 0)
}

function warnAboutCells({ errors, unknown }: SheetRemarks, context: StageContext): void {
  const kinds = [...errors].map(([kind, count]) => runMessage('error_cells', { kind, count }))
  if (kinds.length > 0) context.warn(runMessage('error_cells_null', { kinds }))
  if (unknown > 0) context.warn(runMessage('formulas_without_result', { count: unknown }))
}

function warnAboutMerged(
  { ranges, cells }: { ranges: number; cells: number },
  where: string,
  context: StageContext,
): void {
  if (cells === 0) return
  context.note(
    cells === 1 ? runMessage('merged_cell_null', { where }) : runMessage('merged_cells_null', { where, cells, ranges }),
  )
}

/** Workbooks of another kind, told apart by how they begin. */
async function refuseOthers(local: string, path: string): Promise<void> {
  const handle = await openFile(local)
  const buffer = Buffer.alloc(1024 * 1024)
  let bytesRead = 0
  try {
    bytesRead = (await handle.read(buffer, 0, buffer.length, 0)).bytesRead
  } finally {
    await handle.close()
  }
  const bytes = buffer.subarray(0, bytesRead)
  if (bytes.subarray(0, 8).toString('hex') !== 'd0cf11e0a1b11ae1') return
  const isLocked = bytes.includes(Buffer.from('EncryptedPackage', 'utf16le'))
  throw new EngineError(
    'FILE_UNREADABLE',
    isLocked ? runMessage('workbook_locked', { path }) : runMessage('workbook_old', { path }),
    { hint: isLocked ? runMessage('workbook_locked_fix') : runMessage('workbook_locked_fix_2') },
  )
}

function readError(thrown: unknown, path: string): EngineError {
  if (thrown instanceof EngineError) return thrown
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  // zlib's, those of XML and of the archive, and of bytes that are no UTF-8: all say that the file is damaged.
  const damaged =
    thrown instanceof ZipError ||
    thrown instanceof XmlError ||
    thrown instanceof RangeError ||
    /^(Z_|ERR_ENCODING)/.test(code)
  if (!damaged) return asEngineError(thrown)
  return new EngineError('FILE_UNREADABLE', runMessage('workbook_unreadable', { path, cause: messageOf(thrown) }), {
    hint: runMessage('workbook_unreadable_fix'),
    cause: thrown,
  })
}
