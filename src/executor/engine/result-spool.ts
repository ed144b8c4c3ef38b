import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { ResultIo } from '../worker-protocol.ts'

type Send = ResultIo['send']
type Chunk = Parameters<Send>[0]

/** What waits on the disk at most; then the system is held back after all. */
const mostBytes = 2 * 2 ** 30

export interface ResultSpool {
  send: Send
  /** Fulfilled when everything has been sent; the last chunk must have been given. */
  drained(): Promise<void>
  close(): Promise<void>
}

/**
 * Chunks that nobody has read yet, in a file. An open cursor of SQLite or DuckDB keeps others from writing the file of the database, for
 * as long as a reader takes; so the rows are put down here, and the database is let go of.
 */
export function createResultSpool({ send, tempDir }: Pick<ResultIo, 'send' | 'tempDir'>): ResultSpool {
  const waiting: { chunk: Chunk; at: number; length: number }[] = []
  let file: FileHandle | undefined
  let end = 0
  let reading = false
  let sending: Promise<void> | null = null
  let failed = false
  let failure: unknown

  async function sendAll(first?: { chunk: Chunk; bytes: Uint8Array }): Promise<void> {
    try {
      if (first) await send(first.chunk, first.bytes)
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const bytes = Buffer.allocUnsafe(next.length)
        reading = true
        await file?.read(bytes, 0, next.length, next.at)
        reading = false
        await send(next.chunk, bytes)
      }
    } catch (error) {
      failed = true
      failure = error
    } finally {
      sending = null
    }
  }

  return {
    /** One at a time, as the writer gives them. */
    async send(chunk, bytes) {
      if (failed) throw failure
      if (!sending) {
        sending = sendAll({ chunk, bytes })
        return
      }
      file ??= await open(join(tempDir, 'result.spool'), 'w+', 0o600)
      if (waiting.length === 0 && !reading) end = 0
      const at = end
      end += bytes.length
      await file.write(bytes, 0, bytes.length, at)
      waiting.push({ chunk, at, length: bytes.length })
      sending ??= sendAll()
      if (end > mostBytes) await sending
      if (failed) throw failure
    },
    async drained() {
      await sending
      if (failed) throw failure
    },
    async close() {
      await file?.close()
    },
  }
}
