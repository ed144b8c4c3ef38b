import type { Store } from '../../platform/store.ts'
import type { EncodedChunk } from './run-logs.codec.ts'

export interface LogChunk {
  attempt: number
  first_line: number
  line_count: number
  levels: number
  encoding: number
  content: Buffer
}

export function createRunLogsStore({ sqlite }: Store) {
  const insert = sqlite.prepare<[number, number, number, number, number, number, number, Buffer]>(`
    INSERT INTO run_log_chunks (run_id, attempt, seq, first_line, line_count, levels, encoding, content)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
  const columns = 'attempt, first_line, line_count, levels, encoding, content'
  // The chunk that holds a line is the last one that begins at or before it, unless lines are missing.
  const from = sqlite.prepare<[{ run: number; levels: number; line: number }], LogChunk>(`
    SELECT ${columns} FROM run_log_chunks
    WHERE run_id = @run AND levels & @levels <> 0 AND first_line >= coalesce(
      (SELECT max(first_line) FROM run_log_chunks WHERE run_id = @run AND first_line <= @line), 0)
      AND first_line + line_count > @line
    ORDER BY first_line LIMIT 1`)
  const before = sqlite.prepare<[number, number, number], LogChunk>(`
    SELECT ${columns} FROM run_log_chunks WHERE run_id = ? AND levels & ? <> 0 AND first_line < ?
    ORDER BY first_line DESC LIMIT 1`)

  return {
    append(runId: number, attempt: number, seq: number, firstLine: number, chunks: readonly EncodedChunk[]): void {
      let line = firstLine
      for (const { line_count, levels, encoding, content } of chunks) {
        insert.run(runId, attempt, seq, line, line_count, levels, encoding, content)
        line += line_count
      }
    },
    /** The chunk that holds this line, or else the next one, among those with any of these levels. */
    chunkFrom: (runId: number, line: number, levels: number): LogChunk | undefined =>
      from.get({ run: runId, levels, line }),
    /** The last chunk that begins before this line, among those with any of these levels. */
    chunkBefore: (runId: number, line: number, levels: number): LogChunk | undefined => before.get(runId, levels, line),
  }
}
