import { isUtf8 } from 'node:buffer'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { placeForCopy } from '../connectors/file-fetch.ts'
import type { OpenedFile } from '../connectors/file-store.types.ts'
import { cancelled } from '../engine/duckdb.ts'
import { withoutFetched } from '../engine/fetched.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { name, text } from '../engine/sql-text.ts'
import type { RowStream } from '../engine/stream.ts'
import { isBlank, linesOf } from './text-lines.ts'
import { createTypedWriter } from './typed-writer.ts'

/**
 * JSON Lines with broken lines: the sound ones are copied aside and read from there, so that they mean exactly what they would mean
 * in a file without broken ones; the others go to the rejects with file and line.
 */
export async function readJsonLinesLeniently(
  files: readonly OpenedFile[],
  context: StageContext,
  read: (files: string[]) => Promise<RowStream>,
): Promise<RowStream> {
  const { session, tempDir } = context
  const clean: string[] = []
  for (const { file, local } of files) {
    const named = withoutFetched(local, tempDir)
    const table = name(await linesInto(local, context))
    const sound = `fault IS NULL AND json_valid(line)`
    const rejected = await context.reject(
      `SELECT concat(${text(`${named}, line `)}, number, ': ', coalesce(fault, 'broken JSON')) AS reason, number AS line, left(line, 10000) AS text
       FROM ${table} WHERE NOT (${sound}) ORDER BY number`,
    )
    if (rejected > 0)
      context.log('warn', `${rejected.toLocaleString('en')} lines of ${named} could not be read and were rejected`)
    const copy = placeForCopy(file.path, tempDir)
    await mkdir(dirname(copy), { recursive: true })
    // An empty line in place of a broken one: each keeps its number.
    await session.run(
      `COPY (SELECT CASE WHEN ${sound} THEN line ELSE '' END FROM ${table} ORDER BY number)
       TO ${text(copy)} (FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\u0001')`,
    )
    await session.run(`DROP TABLE ${table}`)
    clean.push(copy)
  }
  return read(clean)
}

/** A table with `number`, `line` (NULL: a blank one) and `fault`. */
async function linesInto(file: string, { session, signal }: StageContext): Promise<string> {
  const writer = await createTypedWriter(session, [
    { name: 'number', storage: 'BIGINT' },
    { name: 'line', storage: 'VARCHAR' },
    { name: 'fault', storage: 'VARCHAR' },
  ])
  for await (const line of linesOf(file, signal)) {
    if (signal.aborted) throw cancelled()
    const isText = isUtf8(line.bytes)
    const content = isText ? line.bytes : line.bytes.toString()
    writer.add([BigInt(line.number), isBlank(line) ? null : content, isText ? null : 'the text is not valid UTF-8'])
  }
  return (await writer.finish()).table
}
