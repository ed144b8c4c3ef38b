import { useEffect, useRef, useState } from 'react'
import type { LogLevel } from '../../../contract/runs.ts'
import type { FetchLog } from './log-pages.ts'

export type SearchState = 'idle' | 'searching' | 'found' | 'wrapped' | 'missing'

/** What is walked to: a text, or lines of this level and graver. */
export interface LogSought {
  q?: string
  level?: LogLevel
}

/** Walks from match to match through the whole log, at the server, whatever of it is in sight. */
export function useLogSearch(
  fetchLog: FetchLog | null,
  onFound: (line: number) => void,
  onError: (cause: unknown) => void,
) {
  const [state, setState] = useState<SearchState>('idle')
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  const first = async (query: { after?: number; before?: number }, sought: LogSought, signal: AbortSignal) => {
    const page = await fetchLog?.({ ...query, ...sought, limit: 1 }, signal)
    return page?.lines[0]?.line
  }
  /** From a line (not itself searched) on, then from the other end. */
  const find = async (sought: LogSought, from: number, direction: 'next' | 'previous') => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    if (sought.q === '' || !fetchLog) {
      setState('idle')
      return
    }
    setState('searching')
    const { signal } = controller
    try {
      const next = direction === 'next'
      const near = await first(next ? { after: from } : { before: Math.max(1, from) }, sought, signal)
      const line = near ?? (await first(next ? { after: 0 } : { before: Number.MAX_SAFE_INTEGER }, sought, signal))
      if (signal.aborted) return
      setState(line === undefined ? 'missing' : near === undefined ? 'wrapped' : 'found')
      if (line !== undefined) onFound(line)
    } catch (cause) {
      if (signal.aborted) return
      setState('idle')
      onError(cause)
    }
  }
  return { state, find }
}
