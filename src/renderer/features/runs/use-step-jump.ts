import { useEffect, useRef } from 'react'
import type { RunStep } from '../../../contract/runs.ts'
import { firstLineSince, isLineOf } from './step-lines.ts'
import type { RunLog } from './use-run-log.ts'

/** Lines looked at around the place where a step's clock points, for a line that names the step. */
const near = 500

/** Brings the chosen step's first log line into sight. */
export function useStepJump({
  step,
  log,
  show,
}: {
  step: RunStep | null
  log: RunLog | null
  show(line: number): void
}) {
  // The step that the page opened with is no choice of the moment: the landing decides where the log opens.
  const shown = useRef(step?.index ?? null)
  const fetchLog = log?.fetchLog
  const total = log?.whole.count ?? 0
  useEffect(() => {
    const index = step?.index ?? null
    if (!step || !fetchLog || total === 0 || shown.current === index) {
      if (index === null) shown.current = null
      return
    }
    shown.current = index
    const controller = new AbortController()
    const find = async () => {
      const readLine = async (line: number) =>
        (await fetchLog({ after: line - 1, limit: 1 }, controller.signal)).lines[0]
      // Short logs, and steps without a time of their own, are read from the beginning.
      const timed = total > near && step.started_at !== null
      const from = timed ? await firstLineSince(Date.parse(step.started_at ?? ''), total, readLine) : 1
      const after = Math.max(0, (from ?? 1) - 1 - (timed ? 20 : 0))
      const page = await fetchLog({ after, limit: near }, controller.signal)
      const own = page.lines.filter((one) => isLineOf(one, step))
      // Two steps may have the same key; the clock tells them apart.
      const since = step.started_at === null ? 0 : Date.parse(step.started_at)
      const line = (own.find((one) => Date.parse(one.at) >= since) ?? own[0])?.line ?? (timed ? from : null)
      if (line !== null) show(line)
    }
    find().catch(() => {
      // Left for another step, or the log cannot be read and says so itself.
    })
  }, [step, fetchLog, total, show])
}
