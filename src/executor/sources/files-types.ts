import type { Column } from '../../contract/common.ts'
import type { FilesSource } from '../../language/task/sources/source.types.ts'
import type { CastTarget } from '../engine/casts.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { duckDbType, refuseDuplicates } from '../engine/sql-text.ts'

/** Columns as the file has them, with names that every database can take. */
export async function named(columns: Column[], source: FilesSource, context: StageContext): Promise<Column[]> {
  refuseDuplicates(columns.map((column) => column.name))
  for (const wanted of Object.keys(source.columns)) {
    if (!columns.some((column) => column.name.toLowerCase() === wanted.toLowerCase())) {
      context.log('warn', `The files have no column \`${wanted}\`; its type under \`columns\` is not used`)
    }
  }
  return columns
}

export function castsOf(source: FilesSource, columns: Column[]): Map<string, CastTarget> {
  const given = new Map(Object.entries(source.columns).map(([column, type]) => [column.toLowerCase(), type]))
  return new Map(
    columns.flatMap((column) => {
      const type = given.get(column.name.toLowerCase())
      if (type === undefined || duckDbType(type) === column.type) return []
      return [[column.name, { column: column.name, from: column.type, type, to: duckDbType(type) }] as const]
    }),
  )
}
