import type { LogLevel, LogLine, LogPage } from '../../../contract/runs.ts'

/** What the log view draws from: rows by index, some of them still on their way. */
export interface LogRows {
  /** Rows there are, drawn or not. */
  readonly count: number
  /** The line of a row, or undefined while it is loaded. */
  at(index: number): LogLine | undefined
  /** Says which rows are in sight; what is missing of them is fetched. */
  want(first: number, last: number): void
  /** The row of a line number, or -1 where it is not (or not yet) among the rows. */
  rowOf(line: number): number
}

export type FetchLog = (
  query: { after?: number; before?: number; limit: number; level?: LogLevel; q?: string },
  signal: AbortSignal,
) => Promise<LogPage>

export interface LogChange {
  /** Called after rows, totals or the error changed. */
  onChange(): void
  onError(error: unknown): void
}

/** Lines a request brings. */
export const pageSize = 500
/** Pages kept: 20,000 lines, whatever the length of the log. */
const keptPages = 40

const pageOf = (line: number) => Math.floor((line - 1) / pageSize)

export interface WholeLog extends LogRows {
  readonly finished: boolean
  readonly loaded: boolean
  /** Lines that arrived by the stream, in order. */
  append(lines: readonly LogLine[]): void
  /** A page of lines fetched for another purpose (a search, a jump) tells the length, too. */
  learn(page: Pick<LogPage, 'total_lines' | 'finished'>): void
  finish(): void
  dispose(): void
}

/**
 * The whole log as rows, row = line - 1. Only pages in sight are fetched and the least recently wanted are dropped, so a log of a
 * million lines costs as much as one of ten thousand.
 */
export function createWholeLog(fetchLog: FetchLog, change: LogChange): WholeLog {
  const pages = new Map<number, (LogLine | undefined)[]>()
  const pending = new Map<number, AbortController>()
  let total = 0
  let finished = false
  let loaded = false

  const touch = (number: number) => {
    const page = pages.get(number) ?? []
    pages.delete(number)
    pages.set(number, page)
    for (const oldest of pages.keys()) {
      if (pages.size <= keptPages) break
      pages.delete(oldest)
    }
    return page
  }
  const put = (line: LogLine) => {
    const number = pageOf(line.line)
    const page = pages.get(number) ?? touch(number)
    page[(line.line - 1) % pageSize] = line
  }
  const learn = (page: Pick<LogPage, 'total_lines' | 'finished'>) => {
    total = Math.max(total, page.total_lines)
    finished ||= page.finished
    loaded = true
  }
  const load = async (number: number) => {
    const controller = new AbortController()
    pending.set(number, controller)
    try {
      const page = await fetchLog({ after: number * pageSize, limit: pageSize }, controller.signal)
      touch(number)
      for (const line of page.lines) put(line)
      learn(page)
    } catch (error) {
      if (!controller.signal.aborted) change.onError(error)
    } finally {
      pending.delete(number)
      if (!controller.signal.aborted) change.onChange()
    }
  }
  const complete = (number: number) => {
    const page = pages.get(number)
    if (!page) return false
    const lines = Math.min(pageSize, total - number * pageSize)
    for (let index = 0; index < lines; index += 1) if (!page[index]) return false
    return true
  }

  return {
    get count() {
      return total
    },
    get finished() {
      return finished
    },
    get loaded() {
      return loaded
    },
    at: (index) => pages.get(pageOf(index + 1))?.[index % pageSize],
    rowOf: (line) => (line >= 1 && line <= total ? line - 1 : -1),
    want(first, last) {
      const from = pageOf(Math.max(1, first + 1))
      const to = loaded ? pageOf(Math.max(1, Math.min(total, last + 1))) : from
      for (const [number, controller] of pending) {
        if (number >= from - 1 && number <= to + 1) continue
        controller.abort()
        pending.delete(number)
      }
      for (let number = from; number <= to; number += 1) {
        if (pages.has(number)) touch(number)
        if (!pending.has(number) && (!loaded || !complete(number))) void load(number)
      }
    },
    append(lines) {
      for (const line of lines) {
        put(line)
        total = Math.max(total, line.line)
      }
      loaded = true
      change.onChange()
    },
    learn(page) {
      learn(page)
      change.onChange()
    },
    finish() {
      finished = true
      change.onChange()
    },
    dispose() {
      for (const controller of pending.values()) controller.abort()
      pending.clear()
    },
  }
}

/** Rows of a filtered log that are fetched before they come into sight. */
const lookahead = 100

export interface LogFilter {
  level?: LogLevel
  q?: string
}

const rank: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 }

/** The server's own rule, for lines that arrive by the stream: this level and graver, text anywhere, whatever its case. */
export function passes(line: LogLine, filter: LogFilter): boolean {
  if (filter.level && rank[line.level] < rank[filter.level]) return false
  return !filter.q || line.message.toLowerCase().includes(filter.q.toLowerCase())
}

export interface FilteredLog extends LogRows {
  /** Matches are still being fetched. */
  readonly busy: boolean
  /** Nothing more was there when last asked. */
  readonly complete: boolean
  append(lines: readonly LogLine[]): void
  dispose(): void
}

/** Only the lines that pass a filter, found by the server over the whole log, page by page as far as is looked at. */
export function createFilteredLog(fetchLog: FetchLog, filter: LogFilter, change: LogChange): FilteredLog {
  const lines: LogLine[] = []
  const controller = new AbortController()
  let after: number | null = 0
  let busy = false
  let failed = false
  /** Lines of the log that the server has searched for us. */
  let searched = 0
  /** Newest line that the stream brought while a search was under way. */
  let streamed = 0
  /** Last row that somebody looked at or was about to. */
  let wanted = 0

  const loadNext = async () => {
    if (busy || failed || after === null) return
    busy = true
    try {
      const page = await fetchLog({ after, limit: pageSize, ...filter }, controller.signal)
      for (const line of page.lines) if (line.line > (lines.at(-1)?.line ?? 0)) lines.push(line)
      searched = Math.max(searched, page.total_lines)
      after = page.next_after ?? (streamed > searched ? searched : null)
    } catch (error) {
      failed = true
      if (!controller.signal.aborted) change.onError(error)
    } finally {
      busy = false
      if (!controller.signal.aborted) {
        change.onChange()
        if (wanted >= lines.length - lookahead) void loadNext()
      }
    }
  }
  void loadNext()

  return {
    get count() {
      return lines.length
    },
    get busy() {
      return busy
    },
    get complete() {
      return after === null
    },
    at: (index) => lines[index],
    rowOf: (line) => lines.findIndex((entry) => entry.line === line),
    want(_first, last) {
      wanted = last
      if (wanted >= lines.length - lookahead) void loadNext()
    },
    append(arrived) {
      // While older matches are still to be fetched, the server gives the new ones in their turn.
      if (after !== null || busy) {
        streamed = Math.max(streamed, arrived.at(-1)?.line ?? 0)
        return
      }
      for (const line of arrived) {
        if (line.line > searched && passes(line, filter)) lines.push(line)
        searched = Math.max(searched, line.line)
      }
      change.onChange()
    },
    dispose: () => controller.abort(),
  }
}
