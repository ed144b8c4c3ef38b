import { runMessage } from '../../contract/run-messages.ts'
import type { Column } from '../../contract/common.ts'
import type { ColumnType } from '../../language/task/column-types.ts'
import type { FilesSource } from '../../language/task/sources/source.types.ts'
import type { ValueFormat } from '../../language/task/value-formats.ts'
import type { CastTarget } from '../engine/casts.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { duckDbType, refuseDuplicates } from '../engine/sql-text.ts'

/** Columns as the file has them, with names that every database can take. */
export async function named(columns: Column[], source: FilesSource, context: StageContext): Promise<Column[]> {
  refuseDuplicates(columns.map((column) => column.name))
  for (const wanted of Object.keys(source.columns)) {
    if (!columns.some((column) => column.name.toLowerCase() === wanted.toLowerCase())) {
      context.note(runMessage('type_of_no_column', { column: wanted }))
    }
  }
  return columns
}

/** How texts of a column write values of its type: as the column says, else as all of its file do. */
export function formatOf(source: FilesSource, column: string, type: ColumnType): ValueFormat | undefined {
  const own = Object.entries(source.formats ?? {}).find(([one]) => one.toLowerCase() === column.toLowerCase())?.[1]
  const formats = source.csv?.formats
  if (own || !formats) return own
  if (type === 'date' || type === 'datetime') {
    const pattern = formats[type]
    return pattern === null ? undefined : { kind: 'moment', pattern }
  }
  const isNumber = type === 'integer' || type === 'number' || type.startsWith('decimal')
  return isNumber ? (formats.numbers ?? undefined) : undefined
}

/** Types that the task or the run sets, by column in lower case; those of other columns are detected. */
export function typesSet({ columns, asText }: FilesSource): Map<string, ColumnType> {
  return new Map([
    ...[...(asText ?? [])].map((column) => [column, 'string'] as const),
    ...Object.entries(columns).map(([column, type]) => [column.toLowerCase(), type] as const),
  ])
}

/** As they are where there is no row to tell more. */
export const declaredColumns = ({ columns }: FilesSource): Column[] =>
  Object.entries(columns).map(([column, type]) => ({ name: column, type: duckDbType(type) }))

/** Whether texts of a column have a decimal comma: a number among them must not be taken for another one. */
export function hasComma(source: FilesSource, column: string, type: ColumnType): boolean {
  const format = formatOf(source, column, type)
  return format?.kind === 'number' && format.decimal === ','
}

export function castsOf(source: FilesSource, columns: Column[]): Map<string, CastTarget> {
  const given = typesSet(source)
  return new Map(
    columns.flatMap((column) => {
      const type = given.get(column.name.toLowerCase())
      if (type === undefined || duckDbType(type) === column.type) return []
      const format = formatOf(source, column.name, type)
      return [[column.name, { column: column.name, from: column.type, type, to: duckDbType(type), format }] as const]
    }),
  )
}
