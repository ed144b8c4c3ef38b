import type { StageContext } from '../engine/lane.types.ts'
import type { HeadedSource } from '../formats/csv/head.types.ts'
import { pathList } from './files-sql.ts'

/**
 * What the beginning of each file says of its columns, as a text: files with the same mark have the same columns. It takes a fraction
 * of the time in which DuckDB finds them. null: the beginning does not say enough.
 */
export async function marksOf(
  source: HeadedSource,
  files: readonly string[],
  context: StageContext,
): Promise<(string | null)[]> {
  if (source.format === 'parquet') return schemas(files, context)
  return files.map((file) => (source.csv?.header ? (source.heads?.get(file)?.text ?? null) : null))
}

/** Names, nesting and types as the files' own schemas have them. */
async function schemas(files: readonly string[], { session }: StageContext): Promise<(string | null)[]> {
  const found = new Map<unknown, string>()
  for (let at = 0; at < files.length; at += schemasAtOnce) {
    const rows = await session.rows(
      `SELECT file_name, string_agg(concat_ws(' ', num_children, name, type, type_length, repetition_type, converted_type, scale, precision, logical_type), chr(10) ORDER BY number)
       FROM (SELECT *, row_number() OVER () AS number FROM parquet_schema(${pathList(files.slice(at, at + schemasAtOnce))}))
       GROUP BY file_name`,
    )
    for (const [file, schema] of rows) found.set(file, String(schema))
  }
  return files.map((file) => found.get(file) ?? null)
}

const schemasAtOnce = 200
