import type { LogLine } from '../../../contract/runs.ts'
import type { LineRange } from './line-range.ts'
import type { FetchLog } from './log-pages.ts'
import { plainText } from './log-text.ts'

/** Lines that are copied at once; a longer stretch is what the download is for. */
export const copyLimit = 20_000
const perRequest = 5000

/** A line as the downloaded log has it. */
export const lineText = (line: LogLine) =>
  `${line.at} ${line.level.toUpperCase().padEnd(5)} ${line.step ? `[${line.step}] ` : ''}${plainText(line.message)}`

/** The text of a stretch of the log, fetched where it is not in sight. */
export async function readLines(range: LineRange, fetchLog: FetchLog, signal: AbortSignal): Promise<string> {
  const texts: string[] = []
  let after = range.from - 1
  while (after < range.to) {
    const page = await fetchLog({ after, limit: Math.min(perRequest, range.to - after) }, signal)
    const last = page.lines.at(-1)
    if (!last) break
    for (const line of page.lines) if (line.line <= range.to) texts.push(lineText(line))
    after = last.line
  }
  return `${texts.join('\n')}\n`
}
