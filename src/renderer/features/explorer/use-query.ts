import { useCallback, useEffect, useRef, useState } from 'react'
import { listQueryHistory } from '../../../contract/query-history.ts'
import { cancelQuery, getQueryPage, queryConnector } from '../../../contract/queries.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { QueryField } from '../../../contract/query-values.ts'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { ResultRows } from './result-rows.ts'

export interface ShownResult {
  queryId: string
  statement: string
  fields: readonly QueryField[]
  durationMs: number
  rows: ResultRows
}
export type QueryState =
  | { kind: 'none' }
  | { kind: 'running'; since: number }
  | { kind: 'failed'; error: Error }
  | { kind: 'canceled' }
  | { kind: 'result'; result: ShownResult }

export type Asked = Pick<BodyOf<typeof queryConnector>, 'definition' | 'resource' | 'parameters'>

export interface QueryRun {
  state: QueryState
  run: (asked: Asked) => void
  cancel: () => void
}

/** A query, and what it holds once its first rows are here. */
interface Running {
  stop: AbortController
  held: ShownResult | null
}

const firstRows = 200

/** Runs queries of one tab, one after the other; the one before ends when the next one begins, and the last one with the tab. */
export function useQuery(connectorId: number): QueryRun {
  const [state, setState] = useState<QueryState>({ kind: 'none' })
  const [, redraw] = useState(0)
  const client = useQueryClient()
  /** What is under way or held. */
  const current = useRef<Running>(null)

  const end = useCallback(
    (queryId: string) =>
      // What cannot be told ends by itself after a while.
      void call(cancelQuery, { params: { id: connectorId, queryId }, keepalive: true }).catch(() => undefined),
    [connectorId],
  )
  const release = useCallback(() => {
    const { stop, held } = current.current ?? {}
    current.current = null
    stop?.abort()
    held?.rows.close()
    if (held) end(held.queryId)
  }, [end])
  useEffect(() => {
    addEventListener('pagehide', release)
    return () => {
      removeEventListener('pagehide', release)
      release()
    }
  }, [release])

  const ask = useCallback(
    async (body: BodyOf<typeof queryConnector>, own: Running) => {
      const params = { id: connectorId }
      try {
        const answer = await call(queryConnector, { params, body, signal: own.stop.signal })
        const { query_id: queryId, statement, fields, duration_ms: durationMs } = answer
        const page = (row: number, page_size: number, signal: AbortSignal) =>
          call(getQueryPage, { params: { ...params, queryId }, query: { row, page_size }, signal })
        const rows = new ResultRows(answer, page, () => redraw((count) => count + 1))
        own.held = { queryId, statement, fields, durationMs, rows }
        if (current.current === own) setState({ kind: 'result', result: own.held })
        else end(queryId)
      } catch (error) {
        if (current.current !== own || own.stop.signal.aborted) return
        setState({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
      }
    },
    [connectorId, end],
  )
  const run = useCallback(
    (asked: Asked) => {
      release()
      const stop = new AbortController()
      const own: Running = { stop, held: null }
      current.current = own
      setState({ kind: 'running', since: Date.now() })
      const noted = () => client.invalidateQueries({ queryKey: [listQueryHistory.id] })
      void ask({ ...asked, page_size: firstRows }, own).then(noted)
    },
    [ask, client, release],
  )
  const cancel = useCallback(() => {
    // The server hears that its client has left, and stops the statement.
    release()
    setState({ kind: 'canceled' })
  }, [release])
  return { state, run, cancel }
}
