import { msg } from '../../contract/messages.ts'
import type { FastifyReply } from 'fastify'
import type { Clock } from './clock.ts'
import { type KeptAnswer, createIdempotencyStore } from './idempotency.store.ts'
import { conflict } from './refusal.ts'
import type { Store } from './store.ts'

/** One use of an Idempotency-Key: keys of different callers and operations have nothing to do with each other. */
export interface IdempotentCall {
  caller: string
  operation: string
  key: string
  /** Digest of URL and body: the same key with another request is a mistake of the caller. */
  requestHash: string
}

export interface Idempotency {
  /** Does the work the first time, gives the first answer again later. Two at once: the second waits for the first. */
  once<R>(
    call: IdempotentCall,
    reply: FastifyReply,
    work: (remember: (result: R) => void) => R | Promise<R>,
  ): Promise<R>
}

/** How long an answer is kept. */
export const IDEMPOTENCY_MS = 24 * 3_600_000

export function createIdempotency(store: Store, clock: Clock): Idempotency {
  const answers = createIdempotencyStore(store.sqlite)
  const underWay = new Map<string, Promise<unknown>>()
  const oldest = () => new Date(clock.now().getTime() - IDEMPOTENCY_MS).toISOString()

  function find({ caller, operation, key, requestHash }: IdempotentCall): KeptAnswer | undefined {
    store.transaction(() => answers.prune(oldest()))
    const known = answers.find(caller, operation, key)
    if (known && known.request_hash !== requestHash) {
      conflict(msg('idempotency_key_reused'))
    }
    return known
  }

  async function first<R>(
    call: IdempotentCall,
    reply: FastifyReply,
    work: (remember: (result: R) => void) => R | Promise<R>,
  ): Promise<R> {
    let kept = false
    const remember = (result: R) => {
      const etag = reply.getHeader('etag')
      const answer: KeptAnswer = {
        request_hash: call.requestHash,
        status: reply.statusCode,
        etag: typeof etag === 'string' ? etag : null,
        body: JSON.stringify(result),
      }
      answers.keep(call.caller, call.operation, call.key, answer, clock.iso())
      kept = true
    }
    // Work that is done synchronously is committed together with its record.
    const begun = store.transaction(() => {
      const result = work(remember)
      if (!(result instanceof Promise) && !kept) remember(result)
      return { result }
    })
    const result = await begun.result
    if (!kept) store.transaction(() => remember(result))
    return result
  }

  return {
    async once(call, reply, work) {
      const id = JSON.stringify([call.caller, call.operation, call.key])
      for (let other = underWay.get(id); other; other = underWay.get(id)) await other.catch(() => {})
      const known = find(call)
      if (known) {
        reply.status(known.status).header('idempotency-replayed', 'true')
        if (known.etag) reply.header('etag', known.etag)
        // It is what `remember` wrote: the result of this very operation.
        return JSON.parse(known.body) as Awaited<ReturnType<typeof work>>
      }
      const promise = first(call, reply, work)
      underWay.set(id, promise)
      try {
        return await promise
      } finally {
        underWay.delete(id)
      }
    },
  }
}
