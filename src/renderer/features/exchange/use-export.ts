import { useCallback, useEffect, useRef, useState } from 'react'
import { bundleType, exportBundle } from '../../../contract/exchange.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import { openStream } from '../../api/client.ts'
import { downloadBlob } from '../../ui/download.ts'

export interface ExportRun {
  phase: 'idle' | 'busy' | 'done' | 'failed'
  records: number
  bytes: number
  error: Error | null
}

const idle: ExportRun = { phase: 'idle', records: 0, bytes: 0, error: null }
const lineFeed = 10
const drawEveryMs = 100
/** Pieces are handed to the browser at this size: it may keep them on disk. */
const pieceBytes = 8 * 1024 * 1024

function linesIn(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, at + 1)) lines += 1
  return lines
}

const nameAt = (now: Date) => `headgate-${now.toISOString().slice(0, 16).replaceAll(/[:T]/g, '-')}.ndjson`

/** Reads the whole bundle before it is handed over: half of one is none, and what goes wrong is said here. */
export function useExport() {
  const [run, setRun] = useState<ExportRun>(idle)
  const going = useRef<AbortController | null>(null)
  useEffect(() => () => going.current?.abort(), [])

  const read = useCallback(async (query: QueryOf<typeof exportBundle>, signal: AbortSignal) => {
    const response = await openStream(exportBundle, { query, signal })
    const reader = response.body?.getReader()
    if (!reader) return
    const pieces: Blob[] = []
    let waiting: Uint8Array<ArrayBuffer>[] = []
    let held = 0
    let bytes = 0
    let lines = 0
    let drawnAt = 0
    for (;;) {
      // A stream is read in its order.
      const { done, value } = await reader.read()
      if (done) break
      waiting.push(value)
      held += value.length
      bytes += value.length
      lines += linesIn(value)
      if (held > pieceBytes) {
        pieces.push(new Blob(waiting))
        waiting = []
        held = 0
      }
      if (performance.now() - drawnAt > drawEveryMs) {
        drawnAt = performance.now()
        setRun({ ...idle, phase: 'busy', records: Math.max(0, lines - 1), bytes })
      }
    }
    downloadBlob(nameAt(new Date()), new Blob([...pieces, ...waiting], { type: bundleType }))
    // The first line is about the bundle itself.
    setRun({ ...idle, phase: 'done', records: Math.max(0, lines - 1), bytes })
  }, [])

  const start = useCallback(
    (query: QueryOf<typeof exportBundle>) => {
      going.current?.abort()
      const own = new AbortController()
      going.current = own
      setRun({ ...idle, phase: 'busy' })
      read(query, own.signal).catch((error: unknown) => {
        if (going.current !== own) return
        if (own.signal.aborted) setRun(idle)
        else setRun({ ...idle, phase: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
      })
    },
    [read],
  )
  const cancel = useCallback(() => going.current?.abort(), [])
  return { run, start, cancel }
}
