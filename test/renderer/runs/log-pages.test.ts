import { describe, expect, it } from 'vitest'
import type { LogLine, LogPage } from '../../../src/contract/runs.ts'
import {
  type FetchLog,
  createFilteredLog,
  createWholeLog,
  pageSize,
  passes,
} from '../../../src/renderer/features/runs/log-pages.ts'

const line = (number: number, level: LogLine['level'] = 'info'): LogLine => ({
  line: number,
  at: '2026-03-01T08:30:00.000Z',
  level,
  attempt: 1,
  step: null,
  message: `message ${number}`,
})

interface Asked {
  query: Parameters<FetchLog>[0]
  signal: AbortSignal
  answer(page: LogPage): Promise<void>
}

/** A server whose answers the test gives by hand. */
function server() {
  const asked: Asked[] = []
  const fetchLog: FetchLog = (query, signal) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
      asked.push({
        query,
        signal,
        answer: async (page) => {
          resolve(page)
          await Promise.resolve()
          await Promise.resolve()
          await Promise.resolve()
        },
      })
    })
  const errors: unknown[] = []
  let changes = 0
  const change = { onChange: () => (changes += 1), onError: (error: unknown) => errors.push(error) }
  return { asked, fetchLog, change, errors, changes: () => changes }
}

function page(from: number, to: number, total: number, finished = true): LogPage {
  const lines = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => line(from + index))
  return { lines, total_lines: total, next_after: to < total ? to : null, finished }
}

const at = (asked: Asked[], index: number): Asked => {
  const one = asked[index]
  if (!one) throw new Error(`Only ${asked.length} requests were made`)
  return one
}

describe('the whole log', () => {
  it('asks for the first page and learns the length from it', async () => {
    const { asked, fetchLog, change } = server()
    const log = createWholeLog(fetchLog, change)
    log.want(0, 0)
    await at(asked, 0).answer(page(1, pageSize, 1_000_000))
    expect(asked).toHaveLength(1)
    expect(at(asked, 0).query).toEqual({ after: 0, limit: pageSize })
    expect(log.count).toBe(1_000_000)
    expect(log.at(0)?.line).toBe(1)
    expect(log.at(pageSize)).toBeUndefined()
  })

  it('fetches only the pages in sight, each once, and gives up those that went out of sight', async () => {
    const { asked, fetchLog, change, errors } = server()
    const log = createWholeLog(fetchLog, change)
    log.want(0, 0)
    await at(asked, 0).answer(page(1, pageSize, 1_000_000))
    log.want(500_000, 500_040)
    log.want(500_001, 500_041)
    expect(asked).toHaveLength(2)
    expect(at(asked, 1).query.after).toBe(500_000)
    log.want(900_000, 900_040)
    expect(at(asked, 1).signal.aborted).toBe(true)
    await at(asked, 2).answer(page(900_001, 900_500, 1_000_000))
    expect(log.at(900_000)?.line).toBe(900_001)
    expect(errors).toEqual([])
  })

  it('keeps a bounded number of pages however far one scrolls', async () => {
    const { asked, fetchLog, change } = server()
    const log = createWholeLog(fetchLog, change)
    log.want(0, 0)
    await at(asked, 0).answer(page(1, pageSize, 1_000_000))
    for (let number = 1; number <= 60; number += 1) {
      log.want(number * pageSize, number * pageSize + 10)
      await at(asked, number).answer(page(number * pageSize + 1, (number + 1) * pageSize, 1_000_000))
    }
    const held = Array.from({ length: 61 }, (_, number) => log.at(number * pageSize)).filter(Boolean)
    expect(held).toHaveLength(40)
    expect(log.at(0)).toBeUndefined()
    expect(log.at(60 * pageSize)?.line).toBe(60 * pageSize + 1)
  })

  it('shows streamed lines without asking for them', async () => {
    const { asked, fetchLog, change } = server()
    const log = createWholeLog(fetchLog, change)
    log.want(0, 0)
    await at(asked, 0).answer(page(1, 3, 3, false))
    log.append([line(4), line(5)])
    log.want(0, 4)
    expect(log.count).toBe(5)
    expect(log.at(4)?.message).toBe('message 5')
    expect(asked).toHaveLength(1)
  })

  it('fetches what a reconnected stream skipped', async () => {
    const { asked, fetchLog, change } = server()
    const log = createWholeLog(fetchLog, change)
    log.want(0, 0)
    await at(asked, 0).answer(page(1, 3, 3, false))
    log.append([line(9)])
    log.want(0, 8)
    expect(asked).toHaveLength(2)
    await at(asked, 1).answer(page(1, 9, 9, false))
    expect(log.at(5)?.line).toBe(6)
  })

  it('reports a failed page and asks again when it is wanted again', async () => {
    const { asked, fetchLog, change, errors } = server()
    let fail = true
    const log = createWholeLog(async (query, signal) => {
      if (fail) throw new Error('no answer')
      return fetchLog(query, signal)
    }, change)
    log.want(0, 0)
    await new Promise((resolve) => setImmediate(resolve))
    expect(errors).toHaveLength(1)
    fail = false
    log.want(0, 0)
    await at(asked, 0).answer(page(1, 2, 2))
    expect(log.count).toBe(2)
  })
})

describe('the filtered log', () => {
  it('goes on page by page as far as one looks', async () => {
    const { asked, fetchLog, change } = server()
    const log = createFilteredLog(fetchLog, { level: 'error' }, change)
    const matches = Array.from({ length: pageSize }, (_, index) => line((index + 1) * 10, 'error'))
    await at(asked, 0).answer({ lines: matches, total_lines: 90_000, next_after: 5000, finished: true })
    log.want(0, 40)
    expect(asked).toHaveLength(1)
    expect(log.complete).toBe(false)
    log.want(450, 490)
    expect(at(asked, 1).query).toEqual({ after: 5000, limit: pageSize, level: 'error' })
    await at(asked, 1).answer({ lines: [line(7000, 'error')], total_lines: 90_000, next_after: null, finished: true })
    expect(log.complete).toBe(true)
    expect(log.count).toBe(pageSize + 1)
    expect(log.rowOf(7000)).toBe(pageSize)
  })

  it('adds streamed lines that pass, once everything before them was searched', async () => {
    const { asked, fetchLog, change } = server()
    const log = createFilteredLog(fetchLog, { level: 'warn', q: 'MESSAGE' }, change)
    await at(asked, 0).answer({ lines: [line(2, 'warn')], total_lines: 3, next_after: null, finished: false })
    log.append([line(4, 'info'), line(5, 'error')])
    expect(log.count).toBe(2)
    expect(log.at(1)?.line).toBe(5)
  })

  it('loses no line that the stream brought while a search was under way', async () => {
    const { asked, fetchLog, change } = server()
    const log = createFilteredLog(fetchLog, { level: 'error' }, change)
    log.append([line(3, 'error'), line(4, 'error')])
    await at(asked, 0).answer({ lines: [line(1, 'error')], total_lines: 2, next_after: null, finished: false })
    expect(at(asked, 1).query.after).toBe(2)
    await at(asked, 1).answer({
      lines: [line(3, 'error'), line(4, 'error')],
      total_lines: 4,
      next_after: null,
      finished: false,
    })
    expect([0, 1, 2].map((row) => log.at(row)?.line)).toEqual([1, 3, 4])
  })
})

it('passes by the server’s own rule: this level and graver, text anywhere whatever its case', () => {
  expect(passes(line(1, 'warn'), { level: 'warn' })).toBe(true)
  expect(passes(line(1, 'info'), { level: 'warn' })).toBe(false)
  expect(passes(line(17), { q: 'MESSAGE 17' })).toBe(true)
  expect(passes(line(17), { q: 'message 18' })).toBe(false)
})
