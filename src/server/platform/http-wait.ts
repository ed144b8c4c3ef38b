import type { FastifyRequest } from 'fastify'
import type { ServerEvent } from '../../contract/events.ts'
import type { EventLog } from './events.ts'
import { abortSignal } from './http.ts'
import { Refusal } from './refusal.ts'

interface Wait<T> {
  /** As the query has it, `30s` or `1m`; undefined: not at all. */
  wait: string | undefined
  /** Throws where the record is gone. */
  read: () => T
  isDone: (record: T) => boolean
  /** Whether the record may be another one after this event. */
  concerns: (event: ServerEvent) => boolean
}

/** The record once it is done, or as it stands when the time is up, the client has gone or the server ends. */
export function readWithin<T>(
  events: EventLog,
  request: FastifyRequest,
  { wait, read, isDone, concerns }: Wait<T>,
): T | Promise<T> {
  const ms = wait === undefined ? 0 : Number.parseInt(wait, 10) * (wait.endsWith('m') ? 60_000 : 1000)
  const now = read()
  if (ms === 0 || isDone(now)) return now
  const signal = abortSignal(request)
  return new Promise<T>((resolve, reject) => {
    const unsubscribe = events.subscribe((batch) => {
      if (batch.some(concerns)) look(false)
    })
    const timer = setTimeout(() => look(true), ms)
    const onAbort = () => (signal.reason instanceof Refusal ? end(() => reject(signal.reason as Refusal)) : look(true))
    signal.addEventListener('abort', onAbort, { once: true })
    function look(last: boolean): void {
      try {
        const record = read()
        if (last || isDone(record)) end(() => resolve(record))
      } catch (error) {
        end(() => reject(error))
      }
    }
    function end(answer: () => void): void {
      unsubscribe()
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      answer()
    }
    if (signal.aborted) onAbort()
  })
}
