import { useCallback, useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { bundleType, importBundle } from '../../../contract/exchange.ts'
import { ApiFailure, openStream } from '../../api/client.ts'
import { importLines } from './import-stream.ts'
import { type ImportOptions, type ImportResult, type ImportRun, idleRun, withLines } from './import-state.ts'

/** Rows are shown this often while they stream. Each drawing takes time from the server that checks them, where both are on one machine. */
const drawEveryMs = 300

/** What is no refusal came while the answer was read: the connection broke. */
const failureOf = (error: unknown) =>
  error instanceof ApiFailure ? error : new ApiFailure(0, 'NETWORK', 'The connection to the server broke off')

export interface ImportControl {
  run: ImportRun
  start: (file: Blob, options: ImportOptions, dryRun: boolean) => void
  stop: () => void
  reset: () => void
}

/** Sends a bundle and follows its lines. Leaving the page stops it: what was applied until then stays. */
export function useImport(): ImportControl {
  const client = useQueryClient()
  const [run, setRun] = useState<ImportRun>(idleRun)
  const going = useRef<AbortController | null>(null)
  useEffect(() => () => going.current?.abort(), [])

  const start = useCallback(
    (file: Blob, options: ImportOptions, dryRun: boolean) => {
      going.current?.abort()
      const own = new AbortController()
      going.current = own
      let waiting: ImportResult[] = []
      let drawnAt = 0
      const draw = (more: Partial<ImportRun> = {}) => {
        if (going.current !== own) return
        const results = waiting
        waiting = []
        drawnAt = performance.now()
        setRun((before) => ({ ...withLines(before, results), ...more }))
      }
      const follow = async () => {
        const query = { ...options, dry_run: dryRun }
        const response = await openStream(importBundle, { raw: file, type: bundleType, query, signal: own.signal })
        for await (const line of importLines(response)) {
          if (line.kind === 'summary') return draw({ phase: 'done', summary: line })
          waiting.push(line.result)
          if (performance.now() - drawnAt > drawEveryMs) draw()
        }
        draw({ phase: 'failed', error: new ApiFailure(0, 'NETWORK', 'The answer ended before its summary') })
      }
      setRun({ ...idleRun, phase: 'sending', dryRun, options })
      follow()
        .catch((error: unknown) => {
          if (own.signal.aborted) draw({ phase: 'stopped' })
          else draw({ phase: 'failed', error: failureOf(error) })
        })
        .finally(() => {
          if (!dryRun) void client.invalidateQueries()
        })
    },
    [client],
  )
  const stop = useCallback(() => going.current?.abort(), [])
  const reset = useCallback(() => {
    going.current?.abort()
    going.current = null
    setRun(idleRun)
  }, [])
  return { run, start, stop, reset }
}
