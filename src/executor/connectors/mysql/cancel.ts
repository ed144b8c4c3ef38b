import type { Connection } from 'mysql2'
import { setTimeout as sleep } from 'node:timers/promises'

const cancelEveryMs = 250
/** An answer that has not come by then never will: the line is dead. */
const mostCancels = 40

/** At once: rows that are still on their way are not waited for. */
export function destroy(connection: Connection): void {
  connection.destroy()
  const { stream } = connection as unknown as { stream?: { destroy(): void } } // the socket; not in the types
  stream?.destroy()
}

/** Asks the server to stop what another connection of ours is doing, until it is over: the statement may only be on its way. */
export async function cancelStatements(
  openSecond: () => Connection,
  busy: { connection: Connection; breakOff: () => void },
  over: AbortSignal,
): Promise<void> {
  const id = busy.connection.threadId
  if (typeof id !== 'number') return busy.breakOff()
  const second = openSecond()
  second.on('error', () => undefined)
  try {
    for (let asked = 0; !over.aborted; asked++) {
      if (asked >= mostCancels) return busy.breakOff()
      await new Promise<void>((resolve, reject) => {
        second.query(`KILL QUERY ${id}`, (error) => (error ? reject(error) : resolve()))
      })
      await sleep(cancelEveryMs, undefined, { signal: over }).catch(() => undefined)
    }
  } catch {
    // The server cannot be reached any more, or the connection is gone: then nothing is to be waited for.
    busy.breakOff()
  } finally {
    destroy(second)
  }
}
