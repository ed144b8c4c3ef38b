import { useEffect, useRef } from 'react'
import type { Run } from '../../../contract/runs.ts'
import type { LineRange } from './line-range.ts'
import type { RunLog } from './use-run-log.ts'

interface Landing {
  run: Pick<Run, 'id' | 'status'>
  log: RunLog | null
  lines: LineRange | null
  /** Brings a line into sight. */
  show(line: number): void
  follow(): void
}

/**
 * Where the log opens: at the line of the address; else, of a failed run, at its last error; else, while it runs, at the end; else
 * at the beginning. Decided once a run.
 */
export function useLogLanding({ run, log, lines, show, follow }: Landing): void {
  const landed = useRef<number | null>(null)
  const loaded = log?.whole.loaded ?? false
  const fetchLog = log?.fetchLog
  useEffect(() => {
    if (!loaded || !fetchLog || landed.current === run.id) return
    landed.current = run.id
    if (lines) {
      show(lines.from)
      return
    }
    if (run.status === 'pending' || run.status === 'running') {
      follow()
      return
    }
    if (run.status !== 'failed') return
    const land = async () => {
      const query = { before: Number.MAX_SAFE_INTEGER, level: 'error', limit: 1 } as const
      // Not aborted on a new drawing: only leaving the run does that, and then nobody minds the answer.
      const page = await fetchLog(query, new AbortController().signal)
      const line = page.lines.at(-1)?.line
      if (line !== undefined) show(line)
    }
    // Landing is a courtesy: a log that cannot be read says so itself.
    land().catch(() => {})
  }, [loaded, fetchLog, run.id, run.status, lines, show, follow])
}
