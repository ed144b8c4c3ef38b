import { useCallback, useEffect, useRef, useState } from 'react'
import type { TreeRow } from './tree-rows.ts'

/** Milliseconds of stillness before the page shows what the keys have reached: less than one notices, more than a held key leaves. */
const rest = 80

interface Walk {
  /** Id of the row that is marked. */
  marked: string | null
  /** Marks a row at once; the page chooses it when the keys rest. */
  walk(row: TreeRow): void
  choose(row: TreeRow): void
  /** Chooses now what is marked. */
  settle(): void
}

/** The mark goes ahead of the page: a choice changes log, graph and address, which is more than a frame’s work. */
export function useWalk(chosen: string | null, onChoose: (row: TreeRow) => void): Walk {
  const [ahead, setAhead] = useState<string | null>(null)
  // Once something else is chosen, also by a click or in the graph, the walk is over.
  const [from, setFrom] = useState(chosen)
  if (from !== chosen) {
    setFrom(chosen)
    setAhead(null)
  }
  const latest = useRef(chosen)
  useEffect(() => {
    latest.current = chosen
  })
  const waiting = useRef<{ row: TreeRow; from: string | null; timer: ReturnType<typeof setTimeout> } | null>(null)
  const stop = useCallback(() => {
    if (waiting.current) clearTimeout(waiting.current.timer)
    waiting.current = null
  }, [])
  useEffect(() => stop, [stop])
  const settle = () => {
    const walked = waiting.current
    stop()
    if (walked && walked.from === latest.current && walked.row.id !== walked.from) onChoose(walked.row)
  }
  const walk = (row: TreeRow) => {
    stop()
    setAhead(row.id)
    waiting.current = { row, from: chosen, timer: setTimeout(settle, rest) }
  }
  const choose = useCallback(
    (row: TreeRow) => {
      stop()
      setAhead(null)
      onChoose(row)
    },
    [onChoose, stop],
  )
  return { marked: ahead ?? chosen, walk, choose, settle }
}
