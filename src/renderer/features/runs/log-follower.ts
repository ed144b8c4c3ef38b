import type { LogLine } from '../../../contract/runs.ts'
import { getRunLogs } from '../../../contract/runs.ts'
import { urlOf } from '../../../contract/operation-url.ts'

export interface LogListener {
  /** Lines in order, gathered so that a flood costs one drawing a frame. */
  lines(lines: readonly LogLine[]): void
  /** The run is over: nothing more comes. */
  end(): void
  /** The stream broke and is being taken up again behind the last line. */
  connected(connected: boolean): void
}

const retryDelays = [500, 1000, 2000, 5000]

/** Follows a log from behind line `after`. Returns the function that stops it. */
export function followLog(run: number, after: number, listener: LogListener): () => void {
  let last = after
  let source: EventSource | undefined
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = 0
  let gathered: LogLine[] = []

  const flush = () => {
    frame = 0
    const lines = gathered
    gathered = []
    if (lines.length > 0) listener.lines(lines)
  }
  const open = () => {
    source = new EventSource(urlOf(getRunLogs, { id: run }, { after: last }))
    source.addEventListener('open', () => {
      failures = 0
      listener.connected(true)
    })
    source.addEventListener('line', (message: MessageEvent<string>) => {
      // The contract says that the data of a `line` event is a LogLine.
      const line = JSON.parse(message.data) as LogLine
      if (line.line <= last) return
      last = line.line
      gathered.push(line)
      // A hidden page draws no frames; its lines are handed over all the same.
      if (document.hidden && gathered.length > 1000) flush()
      else frame ||= requestAnimationFrame(flush)
    })
    source.addEventListener('end', () => {
      source?.close()
      flush()
      listener.end()
    })
    source.addEventListener('error', () => {
      listener.connected(false)
      if (source?.readyState !== EventSource.CLOSED) return
      timer = setTimeout(open, retryDelays[Math.min(failures, retryDelays.length - 1)])
      failures += 1
    })
  }
  open()
  return () => {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    source?.close()
  }
}
