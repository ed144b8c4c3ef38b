import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { placeForCopy } from '../connectors/file-fetch.ts'
import type { OpenedFile } from '../connectors/file-store.types.ts'
import type { StageContext } from '../engine/lane.types.ts'
import { withoutFetched } from '../engine/fetched.ts'
import { escapeGlob, name, text } from '../engine/sql-text.ts'
import type { RowStream } from '../engine/stream.ts'
import { cap } from '../engine/errors.ts'

/**
 * JSON Lines with broken lines: the sound ones are copied aside and read from there, so that they mean exactly what they would mean
 * in a file without broken ones; the others go to the rejects with file and line.
 */
export async function readJsonLinesLeniently(
  files: readonly OpenedFile[],
  context: StageContext,
  read: (files: string[]) => Promise<RowStream>,
): Promise<RowStream> {
  const { session } = context
  const clean: string[] = []
  for (const { file, local } of files) {
    const named = withoutFetched(local, context.tempDir)
    const table = session.newName('lines')
    // A character that JSON text cannot hold unescaped: every line is one field.
    const lines = `read_csv(${text(escapeGlob(local))}, header = false, quote = '', escape = '', delim = '\u0001', auto_detect = false, max_line_size = 16777216, buffer_size = 33554432, columns = {'line': 'VARCHAR'})`
    await session.createTable(
      table,
      `SELECT line, row_number() OVER () AS number, json_valid(line) AS sound FROM ${lines}`,
    )
    const broken = await session.rows(
      `SELECT number, left(line, 10000) FROM ${name(table)} WHERE NOT sound AND trim(line) <> '' ORDER BY number`,
    )
    if (broken.length > 0) {
      await context.rejectEntries(
        broken.map(([number, line]) => ({
          reason: `${named}, line ${String(number)}: broken JSON`,
          row: { line: number, text: cap(String(line), 10_000) },
        })),
      )
      context.log('warn', `${broken.length.toLocaleString('en')} lines of ${named} could not be read and were rejected`)
    }
    const copy = placeForCopy(file.path, context.tempDir)
    await mkdir(dirname(copy), { recursive: true })
    await session.run(
      `COPY (SELECT line FROM ${name(table)} WHERE sound ORDER BY number) TO ${text(copy)} (FORMAT csv, HEADER false, QUOTE '', ESCAPE '', DELIMITER '\u0001')`,
    )
    await session.run(`DROP TABLE ${name(table)}`)
    clean.push(copy)
  }
  return read(clean)
}
