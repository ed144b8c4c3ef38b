import { useEffect, useReducer, useRef, useState } from 'react'
import { getRunLogs } from '../../../contract/runs.ts'
import { ApiFailure, call } from '../../api/client.ts'
import { followLog } from './log-follower.ts'
import {
  type FetchLog,
  type FilteredLog,
  type LogFilter,
  type LogRows,
  type WholeLog,
  createFilteredLog,
  createWholeLog,
} from './log-pages.ts'

export interface RunLog {
  /** What is shown: the whole log, or the lines that pass the filter. */
  rows: LogRows
  whole: WholeLog
  filtered: FilteredLog | null
  fetchLog: FetchLog
  /** Lines arrive as they are written. */
  following: boolean
  /** The stream is broken for the moment. */
  disconnected: boolean
  error: ApiFailure | null
  retry(): void
}

/** Draws at most once a frame, however many answers and lines arrive within it. */
function createRedraw(draw: () => void) {
  let frame = 0
  return {
    ask: () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        draw()
      })
    },
    stop: () => cancelAnimationFrame(frame),
  }
}

const asFailure = (error: unknown) =>
  error instanceof ApiFailure ? error : new ApiFailure(0, 'BAD_ANSWER', String(error))

const fetchLogOf =
  (run: number): FetchLog =>
  (query, signal) =>
    call(getRunLogs, { params: { id: run }, query, signal })

/** The log of a run (the same one as long as the component stands): pages as they come into sight, new lines as they are written. */
export function useRunLog(run: number, filter: LogFilter): RunLog | null {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const [error, setError] = useState<ApiFailure | null>(null)
  const [whole, setWhole] = useState<WholeLog | null>(null)
  const [filtered, setFiltered] = useState<FilteredLog | null>(null)
  const [disconnected, setDisconnected] = useState(false)
  const { level, q } = filter

  // Another function is another try: everything that was read by the old one is read anew.
  const [fetchLog, setFetchLog] = useState(() => fetchLogOf(run))

  useEffect(() => {
    const redraw = createRedraw(draw)
    const log = createWholeLog(fetchLog, { onChange: redraw.ask, onError: (cause) => setError(asFailure(cause)) })
    setError(null)
    setWhole(log)
    log.want(0, 0)
    return () => {
      log.dispose()
      redraw.stop()
    }
  }, [fetchLog])

  useEffect(() => {
    if (!level && !q) {
      setFiltered(null)
      return
    }
    const redraw = createRedraw(draw)
    const wanted = { ...(level ? { level } : {}), ...(q ? { q } : {}) }
    const log = createFilteredLog(fetchLog, wanted, {
      onChange: redraw.ask,
      onError: (cause) => setError(asFailure(cause)),
    })
    setError(null)
    setFiltered(log)
    return () => {
      log.dispose()
      redraw.stop()
    }
  }, [fetchLog, level, q])

  const shownFilter = useRef<FilteredLog | null>(null)
  useEffect(() => {
    shownFilter.current = filtered
  }, [filtered])

  const loaded = whole?.loaded ?? false
  const finished = whole?.finished ?? false
  useEffect(() => {
    if (!whole || !loaded || finished) return
    return followLog(run, whole.count, {
      lines: (lines) => {
        whole.append(lines)
        shownFilter.current?.append(lines)
      },
      end: () => whole.finish(),
      connected: (connected) => setDisconnected(!connected),
    })
  }, [run, whole, loaded, finished])

  if (!whole) return null
  return {
    rows: filtered ?? whole,
    whole,
    filtered,
    fetchLog,
    following: loaded && !finished,
    disconnected,
    error,
    retry: () => setFetchLog(() => fetchLogOf(run)),
  }
}
