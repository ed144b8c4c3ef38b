import type { Column } from '../../contract/common.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { ColumnType } from '../../language/task/column-types.ts'
import type { FilesSource } from '../../language/task/sources/source.types.ts'
import { joinedMark, storedMark, strictCast } from '../engine/cast-faults.ts'
import { castsExactly, type CastTarget } from '../engine/casts.ts'
import { EngineError, verbatim } from '../engine/errors.ts'
import { withoutFetched } from '../engine/fetched.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { name } from '../engine/sql-text.ts'
import { partsOf } from '../targets/nested-type.ts'
import { renamedColumns } from './column-names.ts'
import { marksOf } from './files-marks.ts'
import { pathList, readerOf } from './files-sql.ts'
import { castsOf } from './files-types.ts'
import { isCutOff, tellNanoseconds } from './parquet-nanoseconds.ts'

export interface ParquetReading {
  /** All of the files as one relation. */
  sql: string
  /** What values of columns that differ among the files are cast to, by column. */
  casts: ReadonlyMap<string, CastTarget>
}

/** Files behind each other with the same types. */
interface Group {
  files: string[]
  columns: readonly Column[]
}

/**
 * DuckDB gives the columns of several files the types of the first, and rounds what the others have. Here a column whose type differs among
 * the files gets one that keeps the values of all of them: each value that it would change stops the run. See decision 0124.
 */
export async function parquetReading(
  source: FilesSource,
  files: readonly string[],
  context: StageContext,
  limit: number | null,
): Promise<ParquetReading> {
  await tellNanoseconds(files, await refuseDecimals(files, context), context, limit)
  await tellRenamed(source, files[0], context)
  const groups = files.length < 2 ? [] : await groupsOf(source, files, context)
  const differing = differingColumns(groups)
  if (differing.size === 0) return { sql: readerOf(source, files), casts: new Map() }
  const wanted = await commonTypes(source, groups, context)
  const casts = new Map<string, CastTarget>()
  const parts: string[] = []
  for (const group of groups) {
    const declared = castsOf(source, [...group.columns])
    const replaced = group.columns.flatMap((column) => {
      const key = column.name.toLowerCase()
      const own = declared.get(column.name)
      if (!differing.has(key)) return []
      if (own) {
        casts.set(column.name, own)
        return [`${strictCast(own, storedMark)} AS ${name(column.name)}`]
      }
      const to = wanted.get(key) ?? column.type
      if (to === column.type) return []
      return [`${joined(column, to, group, groups, casts, context)} AS ${name(column.name)}`]
    })
    const fields = replaced.length === 0 ? '*' : `* REPLACE (${replaced.join(', ')})`
    parts.push(`SELECT ${fields} FROM ${readerOf(source, group.files)}`)
  }
  for (const [key, types] of differing) {
    const [column] = groups.flatMap(({ columns }) => columns.filter((one) => one.name.toLowerCase() === key))
    const type = casts.get(column?.name ?? '')?.to ?? wanted.get(key) ?? ''
    context.note(runMessage('parquet_types_joined', { column: column?.name ?? key, types: [...types], type }))
  }
  return { sql: `(${parts.join(' UNION ALL BY NAME ')})`, casts }
}

async function groupsOf(source: FilesSource, files: readonly string[], context: StageContext): Promise<Group[]> {
  const marks = await marksOf(source, files, context)
  const known = new Map<string, readonly Column[]>()
  const groups: (Group & { mark: string })[] = []
  for (const [at, file] of files.entries()) {
    const mark = marks[at] ?? file
    let columns = known.get(mark)
    if (!columns)
      known.set(mark, (columns = await context.session.describe(`SELECT * FROM ${readerOf(source, [file])}`)))
    const last = groups.at(-1)
    if (last?.mark === mark) last.files.push(file)
    else groups.push({ mark, files: [file], columns })
  }
  return groups
}

/** Their types, by column in lower case. */
function differingColumns(groups: readonly Group[]): Map<string, Set<string>> {
  const types = new Map<string, Set<string>>()
  for (const { columns } of groups) {
    for (const column of columns) {
      const key = column.name.toLowerCase()
      types.set(key, (types.get(key) ?? new Set()).add(column.type))
    }
  }
  return new Map([...types].filter(([, { size }]) => size > 1))
}

/** What DuckDB would make of them by name, but for integers, of which FLOAT keeps few. */
async function commonTypes(
  source: FilesSource,
  groups: readonly Group[],
  { session }: StageContext,
): Promise<Map<string, string>> {
  const each = [...new Map(groups.map(({ columns, files }) => [columns, files[0] ?? ''])).values()]
  const reader = readerOf({ ...source, union_by_name: true }, each)
  const columns = await session.describe(`SELECT * FROM ${reader}`)
  return new Map(columns.map((column) => [column.name.toLowerCase(), column.type === 'FLOAT' ? 'DOUBLE' : column.type]))
}

/** SQL of the column in a type that files together have. */
function joined(
  column: Column,
  to: string,
  group: Group,
  groups: readonly Group[],
  casts: Map<string, CastTarget>,
  { tempDir }: StageContext,
): string {
  if (widens(column.type, to)) return `CAST(${name(column.name)} AS ${to})`
  const type = partsOf(column.type).kind === 'scalar' ? languageType(to) : null
  // Whose day and hour a moment without a zone is, no file says.
  const isMoment = column.type.startsWith('TIMESTAMP') && to.startsWith('TIMESTAMP')
  if (type !== null && !isMoment) {
    const cast = { column: column.name, from: column.type, type, to }
    casts.set(column.name, cast)
    return strictCast(cast, joinedMark)
  }
  const key = column.name.toLowerCase()
  const typeIn = ({ columns }: Group): string | undefined => columns.find((one) => one.name.toLowerCase() === key)?.type
  const other = groups.find((one) => (typeIn(one) ?? column.type) !== column.type) ?? group
  const shown = (of: Group): string => withoutFetched(of.files[0] ?? '', tempDir)
  throw new EngineError(
    'FILE_UNREADABLE',
    runMessage('parquet_types_differ', {
      column: column.name,
      type: column.type,
      file: shown(group),
      type2: typeIn(other) ?? '',
      file2: shown(other),
    }),
    { hint: runMessage('parquet_types_differ_fix', { column: column.name }) },
  )
}

const isInteger = (type: string): boolean => /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/.test(type)

/** Whether every value stays the same in the type that DuckDB finds for both, also inside of lists and objects. */
function widens(from: string, to: string): boolean {
  if (castsExactly(from, to) && !from.endsWith('TIME ZONE')) return true
  if (isInteger(from) && isInteger(to)) return true
  if (/^(DATE|TIMESTAMP(_S|_MS)?)$/.test(from) && /^TIMESTAMP(_NS)?$/.test(to)) return true
  const [before, after] = [partsOf(from), partsOf(to)]
  if (before.kind === 'list' && after.kind === 'list') return widens(before.item, after.item)
  if (before.kind === 'map' && after.kind === 'map')
    return widens(before.key, after.key) && widens(before.value, after.value)
  if (before.kind !== 'struct' || after.kind !== 'struct') return false
  const fields = new Map(after.fields.map((field) => [field.name, field.type]))
  return before.fields.every((field) => widens(field.type, fields.get(field.name) ?? ''))
}

const languageTypes: Readonly<Record<string, ColumnType>> = {
  BIGINT: 'integer',
  DOUBLE: 'number',
  VARCHAR: 'string',
  TIMESTAMP: 'datetime',
}

function languageType(type: string): ColumnType | null {
  const decimal = /^DECIMAL\((\d+),(\d+)\)$/.exec(type)
  return decimal ? `decimal(${Number(decimal[1])},${Number(decimal[2])})` : (languageTypes[type] ?? null)
}

/** Decimals that DuckDB has no type for it reads as other numbers. The files whose nanoseconds it cuts off. */
async function refuseDecimals(files: readonly string[], { session, tempDir }: StageContext): Promise<string[]> {
  const cutOff = new Set<string>()
  for (let at = 0; at < files.length; at += atOnce) {
    const rows = await session.rows(
      `SELECT file_name, name, TRY_CAST(precision AS BIGINT), ${isCutOff} FROM parquet_schema(${pathList(files.slice(at, at + atOnce))})
       WHERE (TRY_CAST(precision AS BIGINT) > 38 AND (logical_type LIKE 'Decimal%' OR converted_type = 'DECIMAL')) OR ${isCutOff}`,
    )
    for (const [file, column, digits, isCut] of rows) {
      if (isCut === true) {
        cutOff.add(String(file))
        continue
      }
      const where = { file: withoutFetched(String(file), tempDir), column: String(column), digits: Number(digits) }
      throw new EngineError('FILE_UNREADABLE', runMessage('parquet_decimal_too_wide', where), {
        hint: runMessage('parquet_decimal_too_wide_fix'),
      })
    }
  }
  return [...cutOff]
}

const atOnce = 200

/** DuckDB gives columns whose names differ in case at most names of their own. */
async function tellRenamed(source: FilesSource, file: string | undefined, context: StageContext): Promise<void> {
  if (file === undefined) return
  const fields = await context.session.rows(
    `SELECT name, coalesce(TRY_CAST(num_children AS INTEGER), 0) FROM parquet_schema(${pathList([file])})`,
  )
  // The first is the root; each is followed by the fields inside of it.
  const written: string[] = []
  for (let at = 1; at < fields.length; at = behind(fields, at)) written.push(String(fields[at]?.[0]))
  const distinct = new Set(written.map((column) => column.toLowerCase()))
  if (distinct.size === written.length && !distinct.has('')) return
  const columns = await context.session.describe(`SELECT * FROM ${readerOf(source, [file])}`)
  const renamed = renamedColumns(
    verbatim(withoutFetched(file, context.tempDir)),
    written,
    columns.map(({ name: column }) => column),
    { empty: true },
  )
  if (renamed) context.note(renamed)
}

/** Where the field behind this one and all inside of it begins. */
function behind(fields: readonly (readonly unknown[])[], at: number): number {
  let next = at + 1
  for (let inside = Number(fields[at]?.[1]); inside > 0; inside--) next = behind(fields, next)
  return next
}
