import type { LogLine, RunStep } from '../../../contract/runs.ts'

/** Whether a log line speaks of this step: the executor names it by its key or, where keys repeat, by its label. */
export function isLineOf(line: Pick<LogLine, 'step'>, step: Pick<RunStep, 'key' | 'label' | 'index'>): boolean {
  if (line.step === null) return false
  return line.step === step.key || line.step === step.label || line.step === `steps[${step.index - 1}].${step.key}`
}

/**
 * First line of a log, by its number, written at or after a moment: found in the twenty-odd reads of a binary search, so that a
 * step of a million-line log is reached without reading it.
 */
export async function firstLineSince(
  at: number,
  total: number,
  readLine: (line: number) => Promise<Pick<LogLine, 'at'> | undefined>,
): Promise<number | null> {
  let low = 1
  let high = total
  let found: number | null = null
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const line = await readLine(middle)
    if (!line) return found
    if (Date.parse(line.at) >= at) {
      found = middle
      high = middle - 1
    } else low = middle + 1
  }
  return found
}
