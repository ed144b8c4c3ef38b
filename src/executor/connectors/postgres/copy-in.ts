import type pg from 'pg'
import { from, type CopyStreamQuery } from 'pg-copy-streams'

/** What the driver calls, and the types do not have. */
type DriverQuery = CopyStreamQuery & { handleError(error: Error): void }

/**
 * COPY … FROM STDIN. What the server refuses ends the stream with the server's own error: the driver's stream would be written to after
 * that, and fail for want of a connection.
 */
export function copyIn(client: pg.Client, sql: string): CopyStreamQuery {
  const copy = from(sql) as DriverQuery // see above
  const answer = copy.handleError.bind(copy)
  const cancel = copy._destroy.bind(copy)
  let refused = false
  copy.handleError = (error) => {
    // Asked to break off, the server answers with an error, which the stream waits for.
    if (copy.destroyed && !refused) return answer(error)
    refused = true
    copy.destroy(error)
  }
  copy._destroy = (error, done) => (refused ? done(error) : cancel(error, done))
  return client.query(copy)
}
