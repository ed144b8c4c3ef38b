import { stat } from 'node:fs/promises'
import type { Column } from '../../contract/common.ts'
import { momentOfText } from '../engine/casts.ts'
import { name, text } from '../engine/sql-text.ts'
import { pathList } from './files-sql.ts'
import type { JsonStorage } from './json-columns.ts'

/** A column as it stands in files of JSON, and what it becomes. */
export interface StoredColumn extends JsonStorage {
  name: string
}

/** Files of JSON records as rows, each column of the type that its storage says. */
export async function jsonRelation(
  files: readonly string[],
  format: 'array' | 'newline_delimited',
  stored: readonly StoredColumn[],
): Promise<{ sql: string; columns: Column[] }> {
  const fields = stored.map(({ type, wraps, zoned, name: column }) => {
    const value = name(column)
    if (wraps === 'nothing' && !zoned) return { name: column, read: type, sql: value }
    return {
      name: column,
      read: 'VARCHAR',
      sql: `${zoned ? momentOfText(value) : `CAST(${value} AS ${type})`} AS ${value}`,
    }
  })
  const struct = fields.map((field) => `${text(field.name)}: ${text(field.read)}`).join(', ')
  const largest = Math.max(...(await Promise.all(files.map(async (file) => (await stat(file)).size))))
  // A record may be as long as the file.
  const size = Math.min(Math.max(largest + 1, 16_777_216), 1_073_741_824)
  const reader = `read_json(${pathList(files)}, format = '${format}', columns = {${struct}}, maximum_object_size = ${size}, hive_partitioning = false)`
  return {
    sql: `SELECT ${fields.map((field) => field.sql).join(', ')} FROM ${reader}`,
    columns: stored.map(({ name: column, type }) => ({ name: column, type })),
  }
}
