import { type ChunkHead, postResultChunk } from '../../contract/executor-results.ts'
import { createControlPlaneClient } from '../control/control-plane-client.ts'
import type { ResultPass } from '../worker-protocol.ts'

/** A control plane that doesn't answer for so long is asked again. */
const timeoutMs = 60_000

export interface ChunkDelivery {
  /** Behind the chunks before it. */
  post(head: ChunkHead, bytes: Uint8Array): void
  /** When every chunk was taken, or one was not. */
  done(): Promise<void>
}

/** `refused`: nobody takes chunks any more. */
export type ChunkDeliveries = (
  resultId: string,
  pass: ResultPass,
  signal: AbortSignal,
  refused: (cause: unknown) => void,
) => ChunkDelivery

/** Takes chunks of results to the control plane. The connection stays for the next result, whose first rows are waited for. */
export function createChunkDeliveries(): ChunkDeliveries {
  let { url, key }: Pick<ResultPass, 'url' | 'key'> = { url: '', key: '' }
  const client = createControlPlaneClient({ url: () => new URL(url), key: () => key })

  return (resultId, pass, signal, refused) => {
    ;({ url, key } = pass)
    let delivery: Promise<void> = Promise.resolve()

    async function post(before: Promise<void>, head: ChunkHead, bytes: Uint8Array): Promise<void> {
      await before
      if (signal.aborted) return
      const raw = [Buffer.from(`${JSON.stringify(head)}\n`), bytes]
      try {
        await client.persist(postResultChunk, { params: { resultId }, raw, headers: pass.headers, signal, timeoutMs })
      } catch (error) {
        if (!signal.aborted) refused(error)
      }
    }

    return {
      post: (head, bytes) => void (delivery = post(delivery, head, bytes)),
      done: () => delivery,
    }
  }
}
