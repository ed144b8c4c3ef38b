import type { ColumnDefinition, Database } from 'better-sqlite3'
import type { SqlSource } from '../../../language/task/sources/source.types.ts'
import { parseTableName } from '../../../language/task/table-name.ts'
import type { ColumnOrigin, PrimaryKey } from '../../engine/column-origin.ts'

/** Where the columns of a source come from; of a table also what it asks of them. What an expression computes has no declared type. */
export function originsOf(
  database: Database,
  read: SqlSource['read'],
  columns: readonly ColumnDefinition[],
): ColumnOrigin[] {
  const table = read.kind === 'table' ? parseTableName(read.table) : null
  const asked = table
    ? (database.prepare('SELECT name, "notnull", pk FROM pragma_table_info(?)').all(table.name) as {
        name: string
        notnull: number
        pk: number
      }[]) // the columns of this pragma
    : []
  const inKey = asked.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk)
  const key: PrimaryKey | null = inKey.length === 0 ? null : { columns: inKey.map(({ name }) => name), lost: null }
  return columns.flatMap(({ name, type }): ColumnOrigin[] => {
    if (type === null || type === '') return []
    const own = asked.find((one) => one.name === name)
    return [
      {
        database: 'sqlite',
        name,
        type,
        declared: type,
        made: null,
        notNull: own?.notnull === 1,
        key: own !== undefined && own.pk > 0 ? key : null,
      },
    ]
  })
}
