import type { Column } from '../../../contract/common.ts'
import { castText } from '../../engine/cast-decimals.ts'
import { momentOfText } from '../../engine/casts.ts'
import { name, text } from '../../engine/sql-text.ts'
import { pathList } from '../../sources/files-sql.ts'
import type { JsonStorage } from './columns.ts'

/** A column as it stands in files of JSON, and what it becomes. */
export interface StoredColumn extends JsonStorage {
  name: string
}

/** Files of JSON records as rows, each column of the type that its storage says. `longest`: bytes of the longest record. */
export function jsonRelation(
  files: readonly string[],
  format: 'array' | 'newline_delimited',
  stored: readonly StoredColumn[],
  longest: number,
): { sql: string; columns: Column[] } {
  const fields = stored.map(({ type, wraps, zoned, name: column }) => {
    const value = name(column)
    if (wraps === 'nothing' && !zoned) return { name: column, read: type, sql: value }
    return {
      name: column,
      read: 'VARCHAR',
      sql: `${zoned ? momentOfText(value) : castText(value, type)} AS ${value}`,
    }
  })
  const struct = fields.map((field) => `${text(field.name)}: ${text(field.read)}`).join(', ')
  // DuckDB makes room for twice the longest record at once, of which there may be little.
  const size = Math.max(longest + 1024, 1_048_576)
  const reader = `read_json(${pathList(files)}, format = '${format}', columns = {${struct}}, maximum_object_size = ${size}, hive_partitioning = false)`
  return {
    sql: `SELECT ${fields.map((field) => field.sql).join(', ')} FROM ${reader}`,
    columns: stored.map(({ name: column, type }) => ({ name: column, type })),
  }
}
