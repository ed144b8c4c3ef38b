import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { runMessage } from '../../contract/run-messages.ts'
import { placeFor } from '../connectors/stores/fetch.ts'
import { EngineError } from '../engine/errors.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { writeRawColumns, type RawChunk, type RawColumn, type RawGroup } from '../formats/parquet/raw-columns.ts'
import { pathList } from './files-sql.ts'

/** SQL of `parquet_schema`: nanoseconds that DuckDB reads in microseconds. Those of moments without a zone it keeps. */
export const isCutOff = `(type = 'INT96' OR (logical_type LIKE '%NANOS=Nano%' AND (logical_type LIKE 'TimeType%' OR logical_type LIKE '%isAdjustedToUTC=1%')))`

/**
 * Tells how many values lose nanoseconds, of files of which some are `having` such columns. DuckDB counts them in copies of their pages
 * whose metadata calls them numbers. What cannot be copied or counted is told without a number: what may be wrong with a file is for its
 * reader to say. See decision 0152.
 */
export async function tellNanoseconds(
  files: readonly string[],
  having: readonly string[],
  context: StageContext,
  limit: number | null,
): Promise<void> {
  if (having.length === 0 || !context.tellsChanges) return
  const fields = await fieldsOf(having, context)
  const columns = [...new Set([...fields.values()].flat().map(({ column }) => column))]
  try {
    const counts = await countIn(files, fields, context, limit)
    const { message, code, params } = runMessage('change_microseconds')
    context.changed(
      columns.flatMap((column) => {
        const count = counts.get(column) ?? 0
        return count === 0 ? [] : [{ column, change: message, code, params, count }]
      }),
    )
  } catch (error) {
    if (error instanceof EngineError && error.code === 'CANCELLED') throw error
    for (const column of columns) context.note(runMessage('parquet_nanoseconds', { column }))
  }
}

const atOnce = 200

interface Field extends RawColumn {
  /** Of the table. */
  column: string
  /** Which it is of all that have values. */
  nth: number
}

async function fieldsOf(files: readonly string[], { session }: StageContext): Promise<Map<string, Field[]>> {
  const fields = new Map<string, Field[]>()
  for (let at = 0; at < files.length; at += atOnce) {
    const rows = await session.rows(
      `SELECT file_name, name, coalesce(TRY_CAST(num_children AS INTEGER), 0), repetition_type, coalesce(type, ''), ${isCutOff}
       FROM parquet_schema(${pathList(files.slice(at, at + atOnce))})`,
    )
    const schemas = Map.groupBy(rows, ([file]) => String(file))
    for (const [file, elements] of schemas) fields.set(file, fieldsIn(elements.slice(1)))
  }
  return fields
}

/** Each element is followed by those inside of it. */
function fieldsIn(elements: readonly (readonly unknown[])[]): Field[] {
  const found: Field[] = []
  /** Those that are open, and how many inside of them are still to come. */
  const open: { name: string; level: string; left: number }[] = []
  let nth = 0
  for (const [, name, children, level, type, isWanted] of elements) {
    open.push({ name: String(name), level: String(level), left: Number(children) })
    if (children !== 0) continue
    if (isWanted === true)
      found.push({
        column: open[0]?.name ?? '',
        nth,
        levels: open.map((one) => one.level),
        type: type === 'INT96' ? 'INT96' : 'INT64',
      })
    if (type !== '') nth++
    while (open.at(-1)?.left === 0) {
      open.pop()
      const above = open.at(-1)
      if (above) above.left--
    }
  }
  return found
}

/** Row groups with the same fields, whose pages are copied together. */
class Batch {
  readonly groups: RawGroup[] = []
  rows = 0
  bytes = 0
  readonly fields: readonly Field[]

  constructor(fields: readonly Field[]) {
    this.fields = fields
  }

  takes(fields: readonly Field[], bytes: number): boolean {
    if (this.bytes + bytes > mostBytes) return false
    return fields === this.fields || JSON.stringify(fields) === JSON.stringify(this.fields)
  }

  add(group: RawGroup, bytes: number): void {
    this.groups.push(group)
    this.rows += group.rows
    this.bytes += bytes
  }
}

const mostBytes = 64 * 1024 * 1024

/** By column. `limit`: of so many of the first rows. */
async function countIn(
  files: readonly string[],
  fields: ReadonlyMap<string, readonly Field[]>,
  context: StageContext,
  limit: number | null,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  // What a preview shows may begin with rows of files without such columns.
  const read = limit === null ? [...fields.keys()] : files
  const known = new Set(read)
  if (![...fields.keys()].every((file) => known.has(file))) throw new RangeError('DuckDB calls the files otherwise')
  let left = limit ?? Infinity
  let batch = new Batch([])
  const countBatch = async (): Promise<void> => {
    const found = batch.fields.length === 0 ? [] : await countRaw(batch, left, context)
    for (const [at, { column }] of batch.fields.entries())
      counts.set(column, (counts.get(column) ?? 0) + Number(found[at]))
    left -= batch.rows
  }
  for await (const { own, group } of groupsOf(read, fields, context)) {
    const bytes = group.chunks.reduce((sum, chunk) => sum + chunk.bytes, 0)
    if (limit !== null && bytes > mostBytes) throw new RangeError('too much for a preview')
    if (!batch.takes(own, bytes)) {
      await countBatch()
      batch = new Batch(own)
    }
    batch.add(group, bytes)
    if (batch.rows >= left) break
  }
  await countBatch()
  return counts
}

/** Of the files in their order. */
async function* groupsOf(
  files: readonly string[],
  fields: ReadonlyMap<string, readonly Field[]>,
  { session }: StageContext,
): AsyncGenerator<{ own: readonly Field[]; group: RawGroup }> {
  // The first is of every file: it says how many rows there are.
  const wanted = new Set([0, ...[...fields.values()].flat().map(({ nth }) => nth)])
  for (let at = 0; at < files.length; at += atOnce) {
    const some = files.slice(at, at + atOnce)
    const rows = await session.rows(
      `SELECT file_name, row_group_id, column_id, row_group_num_rows, compression, num_values, data_page_offset,
         CASE WHEN dictionary_page_offset >= 4 THEN dictionary_page_offset END, total_compressed_size, total_uncompressed_size
       FROM parquet_metadata(${pathList(some)}) WHERE column_id IN (${[...wanted].join(', ')})`,
    )
    const byFile = Map.groupBy(rows, ([file]) => String(file))
    for (const file of some) {
      const own = fields.get(file) ?? []
      for (const columns of Map.groupBy(byFile.get(file) ?? [], ([, group]) => group).values()) {
        const chunks = new Map(columns.map((column) => [Number(column[2]), chunkOf(column)]))
        yield {
          own,
          group: { file, rows: Number(columns[0]?.[3]), chunks: own.map(({ nth }) => chunkIn(chunks, nth)) },
        }
      }
    }
  }
}

function chunkOf([, , , , codec, values, data, dictionary, bytes, unpackedBytes]: readonly unknown[]): RawChunk {
  return {
    codec: String(codec),
    values: Number(values),
    data: Number(data),
    dictionary: dictionary === null ? null : Number(dictionary),
    bytes: Number(bytes),
    unpackedBytes: Number(unpackedBytes),
  }
}

function chunkIn(chunks: ReadonlyMap<number, RawChunk>, nth: number): RawChunk {
  const chunk = chunks.get(nth)
  if (!chunk) throw new RangeError(`a row group lacks column ${nth}`)
  return chunk
}

/** How many values of each field are no whole microseconds, in the first rows. */
async function countRaw(
  { fields, groups }: Batch,
  most: number,
  { session, signal, tempDir }: StageContext,
): Promise<readonly unknown[]> {
  const copy = placeFor('nanoseconds.parquet', tempDir)
  await mkdir(dirname(copy), { recursive: true })
  try {
    await writeRawColumns(copy, fields, groups, signal)
    const counted = fields.map(({ levels, type }, at) => {
      const rows = `SELECT c${at} AS v FROM read_parquet(${pathList([copy])})${Number.isFinite(most) ? ` LIMIT ${most}` : ''}`
      const values = levels.reduce((above, level, depth) => {
        // A repeated group of one field is a list of its values.
        const value = depth === 0 || levels[depth - 1] === 'REPEATED' ? 'v' : "struct_extract(v, 'v')"
        return `SELECT ${level === 'REPEATED' ? `unnest(${value})` : value} AS v FROM (${above})`
      }, rows)
      return `(SELECT count(*) FROM (${values}) WHERE (${nanoseconds[type]}) % 1000 <> 0)`
    })
    const [row = []] = await session.rows(`SELECT ${counted.join(', ')}`)
    return row
  } finally {
    await rm(dirname(copy), { recursive: true, force: true })
  }
}

/**
 * SQL. Of 12 bytes the first 8 are nanoseconds since midnight: as an interval, its months are their lower half and its days their upper,
 * and 296 is what is left of 2 ** 32 by a thousand.
 */
const nanoseconds = { INT64: 'v', INT96: '((12 * year(v) + month(v)) & 4294967295) + 296 * day(v)' } as const
