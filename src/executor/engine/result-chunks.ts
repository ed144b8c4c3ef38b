import { ResultReturnType, type DuckDBConnection, type DuckDBDataChunk, type DuckDBResult } from '@duckdb/node-api'

/**
 * The rows of a streaming result ended before its query did. The driver gives the same nothing after the last chunk of a query that
 * succeeded and of one that failed; only the return type of the result tells them apart, because DuckDB calls the type of a result with
 * an error invalid. The error's own words are out of reach: a second, materialized run of the query has them.
 */
export class StreamCut extends Error {
  /** Rows that had arrived. */
  readonly rows: number

  constructor(rows: number) {
    super(`The rows of a query ended after ${rows}`)
    this.name = 'StreamCut'
    this.rows = rows
  }
}

/** A connection without the driver's own ways to read a stream: `readChunks` is the only one that notices a failure. */
export type Connection = Omit<
  DuckDBConnection,
  | 'stream'
  | 'streamAndRead'
  | 'streamAndReadAll'
  | 'streamAndReadUntil'
  | 'startStream'
  | 'startStreamThenRead'
  | 'startStreamThenReadAll'
  | 'startStreamThenReadUntil'
>

/** The chunks of a streaming result, to the very last one; throws `StreamCut` where the query failed on the way. */
export async function* readChunks(
  result: DuckDBResult,
  guarded: <T>(work: () => Promise<T>) => Promise<T>,
): AsyncGenerator<DuckDBDataChunk, number> {
  const whole = result.returnType
  const fetch = (): Promise<DuckDBDataChunk | null> => {
    const chunk = guarded(() => result.fetchChunk())
    chunk.catch(() => undefined) // heard when its turn comes
    return chunk
  }
  let rows = 0
  // One chunk ahead: DuckDB works on it while the one before is written.
  let next = fetch()
  try {
    for (;;) {
      const chunk = await next
      if (!chunk || chunk.rowCount === 0) break
      rows += chunk.rowCount
      next = fetch()
      yield chunk
    }
  } finally {
    await next.catch(() => undefined) // reported above, or no longer wanted
  }
  if (whole === ResultReturnType.INVALID || result.returnType !== whole) throw new StreamCut(rows)
  return rows
}
