/**
 * Result sessions: an executor holds a connection and a cursor for one reader, and sends rows as fast as they are read. In memory
 * alone: a server that starts again knows none, and executors end what nobody here knows.
 */
import { ChunkHead, type ResultPlan, mostChunkBytes } from '../../../contract/executor-results.ts'
import { msg } from '../../../contract/messages.ts'
import { Compile } from 'typebox/schema'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, invalid, notFound, rateLimited, unavailable } from '../../platform/refusal.ts'
import { errorOfExecutor } from '../calls/calls.service.ts'
import { HeldResult } from './held-result.ts'
import { createKeptRows } from './kept-rows.ts'

/** What results need of the executors. */
export interface ResultPort {
  /** Ids of those that take work. */
  online(): number[]
  /** A result has been queued: hand it out. */
  queued(): void
}

/** Whose the server's own queries are: no user has this id. */
export const serverUser = 0
/** What one user may have open at a time, if the executors have places for more. */
const mostOfUser = 5
const retrySeconds = 5
/** How long a result waits for an executor that holds too many. */
const queuedMs = 10_000
const head = Compile(ChunkHead)

export function createResultsService({ ids, draining, config }: Pick<Platform, 'ids' | 'draining' | 'config'>) {
  const rows = createKeptRows(config.dataDir)
  /** Those that an executor holds or is to hold. */
  const open = new Map<string, HeldResult>()
  /** How many an executor can hold, by its last claim. */
  const capacities = new Map<number, number>()
  let port: ResultPort | undefined

  const held = (executorId: number) => [...open.values()].filter((result) => result.executorId === executorId).length

  /** Places of all executors; null while one has not said how many it has. */
  function places(): number | null {
    const online = port?.online() ?? []
    if (online.length === 0) unavailable(msg('no_executor'))
    const known = online.flatMap((id) => capacities.get(id) ?? [])
    if (known.length < online.length) return null
    return known.reduce((sum, capacity) => sum + capacity, 0)
  }

  function ofThoseWithMore(than: number): HeldResult[] {
    const byUser = [...Map.groupBy(open.values(), ({ userId }) => userId).values()]
    return byUser
      .filter(({ length }) => length > than)
      .toSorted((a, b) => b.length - a.length)
      .flat()
  }

  /** Ends the oldest of these that nobody reads right now. False: there is none. */
  function letGo(results: readonly HeldResult[]): boolean {
    const unread = results.find(({ isIdle }) => isIdle)
    unread?.end(msg('query_gone'))
    return unread !== undefined
  }

  function mustBeHeld(resultId: string, executorId: number): HeldResult {
    const result = open.get(resultId)
    return result?.executorId === executorId ? result : notFound(msg('result_not_wanted'))
  }

  const full = () => new Refusal('UNAVAILABLE', msg('queries_of_executors'), { retryAfterSeconds: retrySeconds })

  draining.addEventListener(
    'abort',
    () => {
      for (const result of open.values()) result.end(new Refusal('UNAVAILABLE', msg('server_ending_try')))
    },
    { once: true },
  )

  return {
    /** Wired by the executors, which hand results out. */
    attach: (executors: ResultPort) => void (port = executors),

    /**
     * Has an executor open this. A user leaves one place to others. Where the user or the executors have as many as they may, a result
     * that nobody reads makes room: one's own, or of a user who has more. Without one: RATE_LIMITED or UNAVAILABLE.
     */
    open(plan: Omit<ResultPlan, 'result_id'>, userId: number): HeldResult {
      const all = places()
      const own = [...open.values()].filter((result) => result.userId === userId)
      const most = all === null || userId === serverUser ? mostOfUser : Math.max(1, Math.min(mostOfUser, all - 1))
      if (own.length >= most && !letGo(own)) rateLimited(retrySeconds, msg('queries_of_user', { most }))
      if (all !== null && open.size >= all && !letGo(ofThoseWithMore(own.length))) throw full()
      const waiting = setTimeout(() => {
        if (result.executorId === null) result.end(full())
      }, queuedMs)
      waiting.unref()
      const result_id = ids.token(24)
      const kept = plan.format.kind === 'rows' ? rows.open(result_id) : null
      const result = new HeldResult({ ...plan, result_id }, userId, kept, () => {
        clearTimeout(waiting)
        open.delete(result.plan.result_id)
        // Somebody's may have waited for the place.
        port?.queued()
      })
      open.set(result.plan.result_id, result)
      port?.queued()
      return result
    },

    /** Those that wait, oldest first, as far as the executor can hold them. From now on they are this executor's. */
    take(executorId: number, capacity: number): ResultPlan[] {
      capacities.set(executorId, capacity)
      let free = capacity - held(executorId)
      const plans: ResultPlan[] = []
      for (const result of open.values()) {
        if (free <= 0) break
        if (result.executorId !== null) continue
        result.executorId = executorId
        plans.push(result.plan)
        free -= 1
      }
      return plans
    },

    /** The executor is lost or has ended, and its cursors with it. */
    executorGone(executorId: number): void {
      capacities.delete(executorId)
      for (const result of open.values()) if (result.executorId === executorId) result.end(msg('query_executor_gone'))
    },

    /** Takes a chunk. NOT_FOUND: nobody wants it. */
    deliver(resultId: string, executorId: number, body: readonly Buffer[]): { accepted: boolean } {
      const result = mustBeHeld(resultId, executorId)
      const { told, pieces } = readChunk(body)
      if (told.error) result.end(errorOfExecutor(told.error))
      else result.take(told, pieces)
      return { accepted: true }
    },

    /** Waits until more than `seen` chunks were read. NOT_FOUND: the session is to end. */
    async attend(resultId: string, executorId: number, seen: number): Promise<{ read: number }> {
      const result = mustBeHeld(resultId, executorId)
      const read = await result.attended(seen)
      if (result.isOver) notFound(msg('result_not_wanted'))
      return { read }
    },

    get held() {
      return open.size
    },
  }
}
export type ResultsService = ReturnType<typeof createResultsService>

/** For other features. */
export { rowsOf } from './page.rules.ts'
export type { HeldResult } from './held-result.ts'

function readChunk(body: readonly Buffer[]): { told: ChunkHead; pieces: Buffer[] } {
  const last = body.findIndex((piece) => piece.includes(0x0a))
  const begin = Buffer.concat(body.slice(0, last + 1))
  const end = begin.indexOf(0x0a)
  const told = end < 0 ? undefined : parsed(begin.toString('utf8', 0, end))
  const pieces = [begin.subarray(end + 1), ...body.slice(last + 1)].filter(({ length }) => length > 0)
  if (!head.Check(told) || pieces.reduce((sum, { length }) => sum + length, 0) > mostChunkBytes) {
    invalid([{ path: 'body', ...msg('chunk_unreadable') }])
  }
  return { told, pieces }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // refused by the check of its shape
  }
}
