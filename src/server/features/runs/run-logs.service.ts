import { msg } from '../../../contract/messages.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LogLine, LogPage } from '../../../contract/runs.ts'
import { createMissingRun } from '../../platform/missing-run.ts'
import type { Platform } from '../../platform/platform.ts'
import { notFound } from '../../platform/refusal.ts'
import {
  type LineFilter,
  chunkSieve,
  chunkText,
  decodeLines,
  levelsFrom,
  lineFilter,
  lineText,
} from './run-logs.codec.ts'
import { type LogChunk, createRunLogsStore } from './run-logs.store.ts'
import type { RunWatchers } from './run-watchers.ts'
import { hasEnded } from './runs.rules.ts'
import type { RunsStore } from './runs.store.ts'

/** How long the event loop may be held before others get their turn. */
const sliceMs = 4
const allLevels = levelsFrom('debug')
const defaultLimit = 1000

export interface LogQuery extends LineFilter {
  /** Line number to start behind. */
  after?: number
  /** Only lines below this one; without `after` the last ones of them. */
  before?: number
  limit?: number
}

export function createRunLogsService(
  { store, clock }: Pick<Platform, 'store' | 'clock'>,
  { runs, watchers }: { runs: RunsStore; watchers: RunWatchers },
) {
  const logs = createRunLogsStore(store)
  const missing = createMissingRun(store, 'runs')
  const need = (id: number) => runs.get(id) ?? missing(id)

  /** Gives way to other requests once a slice is used up. */
  function slices(): () => Promise<void> {
    let began = clock.monotonic()
    return async () => {
      if (clock.monotonic() - began < sliceMs) return
      await nextTurn()
      began = clock.monotonic()
    }
  }

  function reader(filter: LineFilter) {
    const levels = filter.level ? levelsFrom(filter.level) : allLevels
    const sieve = filter.q ? chunkSieve(filter.q) : undefined
    const wanted = lineFilter(filter)
    const plain = !filter.level && !filter.q
    return {
      levels,
      plain,
      lines(chunk: LogChunk, from: number, to: number): LogLine[] {
        const text = chunkText(chunk)
        if (sieve && !sieve(text)) return []
        const lines = decodeLines(text, chunk, from, to)
        return plain ? lines : lines.filter(wanted)
      },
    }
  }

  /** Lines that the run has and that are not here: retention is removing them, or the store is damaged. A shorter log would hide it. */
  const gone = (id: number, from: number, to: number): never => notFound(msg('log_lines_missing', { from, to, id }))

  /** Lines `from` to `to` that pass the filter, up to `limit` of them, in order. */
  async function forward(
    id: number,
    from: number,
    to: number,
    limit: number,
    filter: LineFilter,
    signal?: AbortSignal,
  ) {
    const read = reader(filter)
    const pause = slices()
    const found: LogLine[] = []
    let line = from
    while (line <= to && found.length < limit) {
      const chunk = logs.chunkFrom(id, line, read.levels)
      const next = Math.min(chunk?.first_line ?? Infinity, to + 1)
      // Without a filter every line is wanted.
      if (read.plain && next > line) gone(id, line, next - 1)
      if (!chunk || next > to) break
      // No more than can still be needed is parsed where every line counts.
      const last =
        filter.level || filter.q ? to : Math.min(to, Math.max(line, chunk.first_line) + limit - found.length - 1)
      found.push(...read.lines(chunk, line, last))
      line = chunk.first_line + chunk.line_count
      await pause()
      if (signal?.aborted) break
    }
    return found.slice(0, limit)
  }

  /** The last `limit` lines below `before` that pass the filter, in order. */
  async function backward(id: number, before: number, limit: number, filter: LineFilter, signal?: AbortSignal) {
    const read = reader(filter)
    const pause = slices()
    const pages: LogLine[][] = []
    let missing = limit
    let end = before
    while (end > 1 && missing > 0) {
      const chunk = logs.chunkBefore(id, end, read.levels)
      const next = chunk ? chunk.first_line + chunk.line_count : 1
      if (read.plain && next < end) gone(id, next, end - 1)
      if (!chunk) break
      const last = Math.min(end - 1, chunk.first_line + chunk.line_count - 1)
      const from = filter.level || filter.q ? chunk.first_line : Math.max(chunk.first_line, last - missing + 1)
      const found = read.lines(chunk, from, last).slice(-missing)
      pages.push(found)
      missing -= found.length
      end = chunk.first_line
      await pause()
      if (signal?.aborted) break
    }
    return pages.toReversed().flat()
  }

  return {
    append: (...batch: Parameters<typeof logs.append>) => logs.append(...batch),

    /** A page of the log. Searching goes through the whole log, but never holds up other requests for long. */
    async page(id: number, query: LogQuery, signal?: AbortSignal): Promise<LogPage> {
      const { after = 0, before, limit = defaultLimit, level, q } = query
      const run = need(id)
      const total = run.log_lines
      const filter = { level, q: q === '' ? undefined : q }
      const backwards = before !== undefined && after === 0
      const last = before === undefined ? total : Math.min(before - 1, total)
      const lines = backwards
        ? await backward(id, last + 1, limit, filter, signal)
        : await forward(id, after + 1, last, limit, filter, signal)
      const end = lines.at(-1)?.line ?? 0
      const more = backwards ? lines.length > 0 && end < total : lines.length === limit && end < last
      return { lines, next_after: more ? end : null, total_lines: total, finished: hasEnded(run.status) }
    },

    /** The lines behind `after` that pass the filter, as they come, without gap or repetition, until the run is over. */
    async *follow(id: number, after: number, filter: LineFilter, signal: AbortSignal): AsyncGenerator<LogLine[]> {
      need(id)
      const watch = watchers.watch(id)
      let line = after
      try {
        while (!signal.aborted) {
          // Only the end of the run ends its log.
          const run = need(id)
          while (line < run.log_lines && !signal.aborted) {
            const to = Math.min(run.log_lines, line + defaultLimit)
            const lines = await forward(id, line + 1, to, defaultLimit, filter, signal)
            line = to
            if (lines.length > 0) yield lines
          }
          // Status and number of lines were read together: what has ended then has nothing more to say.
          if (hasEnded(run.status)) return
          await watch.changed(signal)
        }
      } finally {
        watch.close()
      }
    },

    /** The whole log as text, a chunk at a time. */
    async *download(id: number): AsyncGenerator<string> {
      const total = need(id).log_lines
      for (let line = 1; line <= total;) {
        const chunk = logs.chunkFrom(id, line, allLevels)
        if (!chunk || chunk.first_line > line) return gone(id, line, (chunk?.first_line ?? total + 1) - 1)
        const lines = decodeLines(chunkText(chunk), chunk, line, total)
        yield lines.map(lineText).join('')
        line = chunk.first_line + chunk.line_count
        await nextTurn()
      }
    },

    find: (id: number) => need(id),
  }
}
export type RunLogsService = ReturnType<typeof createRunLogsService>
